package procedure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/procedure"
)

// answer is a sink that keeps what it gets.
type answer struct {
	text          []byte
	err           *mcp.Error
	status        int
	notifications []string
}

func (a *answer) Notify(m []byte) error {
	a.notifications = append(a.notifications, string(m))
	return nil
}

func (a *answer) Reply(r *mcp.Reply) {
	var b bytes.Buffer
	_, _ = r.WriteTo(&b)
	a.text, a.err, a.status = b.Bytes(), r.Err, r.Status
}

func (a *answer) Wake() {}

func (a *answer) String() string { return string(a.text) }

// peer is a session of a server, to send messages to.
type peer struct {
	tb      testing.TB
	session *mcp.Session
}

func connect(tb testing.TB, server *mcp.Server) peer {
	tb.Helper()
	session, err := server.Connect(mcp.ConnectOptions{Transport: "memory"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(session.Close)
	return peer{tb, session}
}

// send sends one message and returns the answer, which must be strict JSON if there is one.
func (p peer) send(message string) *answer {
	p.tb.Helper()
	return p.sendIn(context.Background(), message)
}

func (p peer) sendIn(ctx context.Context, message string) *answer {
	p.tb.Helper()
	a := &answer{}
	if err := p.session.Handle(ctx, []byte(message), a); err != nil {
		p.tb.Fatalf("%s: %v", message, err)
	}
	if a.text != nil && !json.Valid(a.text) {
		p.tb.Fatalf("%s: the answer is no JSON: %s", message, a.text)
	}
	return a
}

// call calls a tool with arguments given as JSON, as a client of 2026-07-28.
func (p peer) call(tool, arguments string) *answer {
	p.tb.Helper()
	return p.send(callMessage(tool, arguments))
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func callMessage(tool, arguments string) string {
	name, _ := json.Marshal(tool)
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + modernMeta + `,"name":` + string(name) + `,"arguments":` + arguments + `}}`
}

// text is the text of a result with one text block.
func (a *answer) content(tb testing.TB) (text string, isError bool) {
	tb.Helper()
	var m struct {
		Result struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal(a.text, &m); err != nil {
		tb.Fatalf("%v: %s", err, a.text)
	}
	if a.err != nil || len(m.Result.Content) != 1 || m.Result.Content[0].Type != "text" {
		tb.Fatalf("expected a result with one text block, got %s", a.text)
	}
	return m.Result.Content[0].Text, m.Result.IsError
}

// returns expects a result with one text block.
func (a *answer) returns(tb testing.TB, want string) {
	tb.Helper()
	if got, isError := a.content(tb); got != want || isError {
		tb.Errorf("got %q (isError %v), want %q", got, isError, want)
	}
}

// tells expects a result with isError that has all of the texts.
func (a *answer) tells(tb testing.TB, want ...string) {
	tb.Helper()
	got, isError := a.content(tb)
	for _, w := range want {
		if !isError || !strings.Contains(got, w) {
			tb.Errorf("got %q (isError %v), want an error with %q", got, isError, w)
		}
	}
}

// fails expects a JSON-RPC error whose message has the text.
func (a *answer) fails(tb testing.TB, code int, want string) {
	tb.Helper()
	if a.err == nil || a.err.Code != code || !strings.Contains(a.err.Message, want) {
		tb.Errorf("got %s, want error %d with %q", a.text, code, want)
	}
}

// register registers procedures, which must be well formed: name, function, name, function …
func register(tb testing.TB, t *procedure.Table, pairs ...any) {
	tb.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if err := t.Register(pairs[i].(string), pairs[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
}

// tool is a definition with the description that every tool needs.
func tool(name string) mcp.Tool { return mcp.Tool{Name: name, Description: "A tool"} }
