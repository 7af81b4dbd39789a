package mcptest_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
)

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func grow() mcptest.Event {
	return mcptest.Event{Name: "a tool 世界 is added", Do: func(ctx context.Context, s *mcp.Server) error {
		return s.Change(ctx, func(c *mcp.Change) {
			mcp.AddTool(c, mcp.Tool{Name: "new", Description: "new"}, func(context.Context, none) (string, error) { return "", nil })
		})
	}}
}

// updated runs a script with the update flag and returns what it became.
func updated(t *testing.T, text string, events ...mcptest.Event) string {
	t.Helper()
	path := script(t, text)
	if err := flag.Set("update", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set("update", "false") }()
	mcptest.Transcript(t, newServer, path, events...)
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

const unwritten = `# A script that says nothing of what comes out.

--- first
-> ` + initialize + `
-> ` + initialized + `
<- {"to":"be replaced"}
# pages
-> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
-> {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{"cursor":"${nextCursor}"}}
! a tool 世界 is added
-> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask"}}
-> {"jsonrpc":"2.0","id":"${ask}","result":{"action":"accept","content":{"sure":true}}}
-> {"jsonrpc":"2.0","id":"${ask}","result":{"action":"decline"}}
! close

--- second
-> {"jsonrpc":"2.0","id":1,"method":"ping"}
`

func TestTranscriptWritesWhatItThenExpects(t *testing.T) {
	written := updated(t, unwritten, grow())
	golden, err := os.ReadFile("testdata/written.txt")
	if err != nil {
		t.Fatal(err)
	}
	if written != string(golden) {
		t.Errorf("written\n%s\nwant\n%s", written, golden)
	}
	mcptest.Transcript(t, newServer, "testdata/written.txt", grow())
	if again := updated(t, written, grow()); again != written {
		t.Errorf("written again\n%s\nwant\n%s", again, written)
	}
}

func TestTranscriptSaysWhereItDiffers(t *testing.T) {
	ping := `-> {"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	cases := []struct{ rule, text, want string }{
		{"another line", ping + `<- {"jsonrpc":"2.0","id":1,"result":{"a":1}}`, "script.txt:1: line 1 that comes out differs at byte 34.\n got {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\nwant {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}"},
		{"a line too many", ping + "<- nothing\n", `script.txt:1: line 1 that comes out differs at byte 0.`},
		{"a line too few", ping + `<- {"jsonrpc":"2.0","id":1,"result":{}}` + "\n<- {}\n", "script.txt:1: line 2 that comes out differs at byte 0.\n got nothing\nwant {}"},
		{"nothing said", "# x\n" + ping, `script.txt:2: the script does not say what comes out; write "<- nothing", or run with -update.`},
		{"no such event", ping + `<- {"jsonrpc":"2.0","id":1,"result":{}}` + "\n! 世界\n<- nothing", `script.txt:3: there is no event "世界"`},
		{"an expectation first", "<- {}\n", `script.txt:1: an expected line with nothing before it`},
		{"an expectation after a session", ping + "<- nothing\n--- x\n<- nothing", `script.txt:4: an expected line with nothing before it`},
		{"a line of no kind", "# ok\n\n->{}\n", `script.txt:3: the line begins with none of "-> ", "<- ", "! ", "---" and #`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			path := script(t, c.text)
			fails(t, c.want, func(t testing.TB) { mcptest.Transcript(t, newServer, path) })
		})
	}
}

func TestTranscriptFailsWhereItCannotRun(t *testing.T) {
	fails(t, "mcptest: open nowhere.txt", func(t testing.TB) { mcptest.Transcript(t, newServer, "nowhere.txt") })
	broken := func() *mcp.Server { return mcp.NewServer("", "", nil) }
	path := script(t, "-> {}\n<- nothing\n")
	fails(t, "script.txt:1: the server cannot serve", func(t testing.TB) { mcptest.Transcript(t, broken, path) })
	bad := mcptest.Event{Name: "bad", Do: func(context.Context, *mcp.Server) error { return errors.New("世界 broke") }}
	path = script(t, "! bad\n<- nothing\n")
	fails(t, `script.txt:1: event "bad": 世界 broke`, func(t testing.TB) { mcptest.Transcript(t, newServer, path, bad) })
}

func TestAFailedTranscriptIsNotWritten(t *testing.T) {
	text := "! 世界\n"
	path := script(t, text)
	if err := flag.Set("update", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set("update", "false") }()
	fails(t, "there is no event", func(t testing.TB) { mcptest.Transcript(t, newServer, path) })
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("written %q, %v", got, err)
	}
}
