package process_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/bench/internal/process"
)

// shell is a server that is written in one line; its flag is $1.
func shell(t *testing.T, script string) []string {
	t.Helper()
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip("the kernel has no /proc as Linux has it")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	return []string{sh, "-c", script, "server"}
}

func TestAServerOnStandardStreamsIsServedAndMeasured(t *testing.T) {
	var servers process.Group
	p, err := servers.StartStdio(shell(t, `echo "$1"; while read line; do echo "<$line>"; done`))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	out := bufio.NewReader(p.Stdout)
	if first, _ := out.ReadString('\n'); first != "-stdio\n" {
		t.Errorf("the server was started with %q", first)
	}
	if _, err := p.Stdin.WriteString("世界\n"); err != nil {
		t.Fatal(err)
	}
	if second, _ := out.ReadString('\n'); second != "<世界>\n" {
		t.Errorf("the server answered %q", second)
	}
	if now, peak := p.RSS(); now <= 0 || peak < now {
		t.Errorf("RSS is %d KiB, at most %d KiB", now, peak)
	}
	if p.CPU() <= 0 {
		t.Error("the server has used no time")
	}
}

func TestAnInterruptedRunLeavesNoServer(t *testing.T) {
	var servers process.Group
	p, err := servers.StartStdio(shell(t, `trap "" TERM; while read line; do :; done`))
	if err != nil {
		t.Fatal(err)
	}
	servers.KillAll()
	if _, err := bufio.NewReader(p.Stdout).ReadByte(); err == nil {
		t.Error("the server is still writing")
	}
	p.Stop()
}

func TestAProgramThatIsNotThereIsAnError(t *testing.T) {
	var servers process.Group
	missing := []string{t.TempDir() + "/no-such-program"}
	if _, err := servers.StartStdio(missing); err == nil || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("stdio: %v", err)
	}
	if _, err := servers.StartHTTP(missing); err == nil {
		t.Error("http: no error")
	}
}
