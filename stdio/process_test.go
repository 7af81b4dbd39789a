package stdio_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/stdio"
)

// roleVariable tells this program to be a server, and which.
const roleVariable = "STDIO_TEST_ROLE"

// beServer is the server process.
func beServer(role string) (exit int) {
	server := newServer(nil)
	addTool(server, "chatter", func(context.Context, string) (string, error) {
		fmt.Println("stray line")
		fmt.Fprint(os.Stdout, "stray text")
		if runtime.GOOS != "windows" {
			child := exec.Command("echo", "stray child")
			child.Stdout = os.Stdout
			child.Run()
		}
		return "said", nil
	})
	addTool(server, "log", func(context.Context, string) (string, error) {
		for range 10 {
			log.Print("standard error may be closed")
		}
		return "logged", nil
	})
	addTool(server, "stuck", func(context.Context, string) (string, error) { select {} })
	err := stdio.Serve(context.Background(), server, &stdio.Options{Grace: 50 * time.Millisecond})
	switch {
	case role == "restored":
		fmt.Println("after the end")
	case err != nil:
		fmt.Fprintln(os.Stderr, "ended with:", err)
		return 7
	}
	return 0
}

// A process is a server that runs beside the test.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	back   io.ReadCloser // under out
	stderr *bytes.Buffer
}

func start(t *testing.T, role string) *process {
	t.Helper()
	return startWith(t, role, nil)
}

// startWith starts a process whose standard error is stderr, or is kept when that is nil.
func startWith(t *testing.T, role string, stderr *os.File) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute) // kills what a failing test leaves
	t.Cleanup(stop)
	p := &process{t: t, cmd: exec.CommandContext(ctx, exe), stderr: new(bytes.Buffer)}
	p.cmd.Env = append(os.Environ(), roleVariable+"="+role)
	p.cmd.Stderr = p.stderr
	if stderr != nil {
		p.cmd.Stderr = stderr
	}
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		p.back, err = p.cmd.StdoutPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(p.back)
	return p
}

// answer sends a request and returns the next line.
func (p *process) answer(request string) string {
	p.t.Helper()
	io.WriteString(p.in, request+"\n")
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("%v, standard error: %s", err, p.stderr)
	}
	return line
}

// exit waits for the end and returns what came before it, and the exit code.
func (p *process) exit() (rest string, code int) {
	p.t.Helper()
	all, _ := io.ReadAll(p.out)
	p.cmd.Wait()
	return string(all), p.cmd.ProcessState.ExitCode()
}

func TestProcessEndsWithItsInput(t *testing.T) {
	p := start(t, "plain")
	if line := p.answer(echo(1, "世界😀")); !strings.Contains(line, `"世界😀"`) {
		t.Errorf("got %q", line)
	}
	p.in.Close()
	if rest, code := p.exit(); rest != "" || code != 0 {
		t.Errorf("exit code %d, output %q, standard error %q; want 0 and nothing", code, rest, p.stderr)
	}
}

func TestProcessEndsDespiteAStuckHandler(t *testing.T) {
	p := start(t, "plain")
	io.WriteString(p.in, call(1, "stuck", "{}")+"\n")
	p.answer(echo(2, "a"))
	p.in.Close()
	if rest, code := p.exit(); rest != "" || code != 7 || !strings.Contains(p.stderr.String(), "did not end") {
		t.Errorf("exit code %d, output %q, standard error %q", code, rest, p.stderr)
	}
}

func TestStrayOutputDoesNotReachTheClient(t *testing.T) {
	p := start(t, "plain")
	if line := p.answer(call(1, "chatter", "{}")); !strings.Contains(line, `"said"`) || strings.Contains(line, "stray") {
		t.Errorf("got %q", line)
	}
	p.in.Close()
	if rest, code := p.exit(); rest != "" || code != 0 {
		t.Errorf("exit code %d, output %q; want 0 and nothing", code, rest)
	}
	want := []string{"stray line", "stray text"}
	if runtime.GOOS != "windows" {
		want = append(want, "stray child")
	}
	for _, text := range want {
		if !strings.Contains(p.stderr.String(), text) {
			t.Errorf("standard error is %q, want it to contain %q", p.stderr, text)
		}
	}
}

func TestStandardOutputIsGivenBack(t *testing.T) {
	p := start(t, "restored")
	p.answer(echo(1, "a"))
	p.in.Close()
	if rest, code := p.exit(); rest != "after the end\n" || code != 0 {
		t.Errorf("exit code %d, output %q", code, rest)
	}
}

func TestAClientThatIsGoneIsAnErrorAndNoSignal(t *testing.T) {
	p := start(t, "plain")
	p.answer(echo(1, "a"))
	p.back.Close()
	io.WriteString(p.in, echo(2, "a")+"\n")
	if _, code := p.exit(); code != 7 || !strings.Contains(p.stderr.String(), "writing failed") {
		t.Errorf("exit code %d, standard error %q; want 7 and an error", code, p.stderr)
	}
	p.in.Close()
}

func TestAClosedStandardErrorIsNoSignal(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("no broken pipes")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := startWith(t, "plain", w)
	w.Close()
	r.Close()
	if line := p.answer(call(1, "log", "{}")); !strings.Contains(line, `"logged"`) {
		t.Errorf("got %q", line)
	}
	p.in.Close()
	if rest, code := p.exit(); rest != "" || code != 0 {
		t.Errorf("exit code %d, output %q; want 0 and nothing", code, rest)
	}
}
