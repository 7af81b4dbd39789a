package stdio_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

// TestMain is also the server process of the tests in process_test.go, and fails when a goroutine is left.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(beServer(role))
	}
	code := m.Run()
	if left := leftGoroutines(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines are left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leftGoroutines waits for the goroutines of the package to end, and returns the stacks of those that do not.
func leftGoroutines() string {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var stacks strings.Builder
	for range 300 {
		stacks.Reset()
		pprof.Lookup("goroutine").WriteTo(&stacks, 1)
		if !strings.Contains(stacks.String(), "bowline-go/mcp/stdio.") {
			return ""
		}
		<-tick.C
	}
	return stacks.String()
}

// goroutines counts those with a frame that contains name.
func goroutines(name string) int {
	n := 0
	buf := make([]byte, 4<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, name) {
			n++
		}
	}
	return n
}

const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`

// call is the request for a tool; arguments is a JSON object. The id is its progress token, too.
func call(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"_meta":{%s,"progressToken":%d},"name":%q,"arguments":%s}}`,
		id, meta, id, tool, arguments)
}

func echo(id int, text string) string { return call(id, "echo", `{"text":"`+text+`"}`) }

func cancelled(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"_meta":{%s},"requestId":%d}}`, meta, id)
}

type textIn struct {
	Text string `json:"text,omitempty"`
}

// newServer returns a server with the tool echo.
func newServer(o *mcp.Options) *mcp.Server {
	server := mcp.NewServer("test", "1.0.0", o)
	addTool(server, "echo", func(_ context.Context, text string) (string, error) { return text, nil })
	return server
}

func addTool[Out any](server *mcp.Server, name string, handle func(ctx context.Context, text string) (Out, error)) {
	mcp.AddTool(server, mcp.Tool{Name: name, Description: "For tests."},
		func(ctx context.Context, in textIn) (Out, error) { return handle(ctx, in.Text) })
}

// A message is what tests look at of a server's message.
type message struct {
	ID     int
	Method string
	Result *struct {
		Content []struct{ Text, Data string }
		IsError bool
	}
	Error *struct {
		Code    int
		Message string
		Data    struct{ RetryAfterMs int }
	}
	Params struct {
		ProgressToken int
		Progress      float64
		URI           string
	}
	raw string
}

func (m message) text() string {
	if m.Result == nil || len(m.Result.Content) == 0 {
		return m.raw
	}
	return m.Result.Content[0].Text
}

// A client is the other end of a ServeStream that runs.
type client struct {
	t    *testing.T
	in   *io.PipeWriter // to the server
	out  *bufio.Reader  // from the server
	back *io.PipeReader // under out
	stop context.CancelFunc
	done chan error // takes the result of ServeStream
}

func connect(t *testing.T, server *mcp.Server, o *stdio.Options) *client {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), back: outR, stop: stop, done: make(chan error, 1)}
	go func() {
		err := stdio.ServeStream(ctx, server, inR, outW, o)
		inR.Close()
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		stop()
		inW.Close()
		outR.Close()
	})
	return c
}

// send sends lines with one write.
func (c *client) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatalf("sending: %v", err)
	}
}

func (c *client) next() message {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("reading the next message: %v (got %q)", err, line)
	}
	return decode(c.t, line)
}

func decode(t *testing.T, line string) message {
	t.Helper()
	m := message{raw: strings.TrimSuffix(line, "\n")}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("the server sent %.200q: %v", line, err)
	}
	return m
}

// rest returns what comes until the server ends, and what it ends with.
func (c *client) rest() ([]message, error) {
	c.t.Helper()
	var all []message
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return all, <-c.done
		}
		all = append(all, decode(c.t, line))
	}
}

// end ends the input and wants the server to end well, with no further message.
func (c *client) end() {
	c.t.Helper()
	c.in.Close()
	all, err := c.rest()
	if err != nil || len(all) > 0 {
		c.t.Fatalf("end of input: error %v, messages %v; want neither", err, all)
	}
}
