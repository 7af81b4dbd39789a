package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// tape is a sink that keeps everything that it is given, and what must not be given.
type tape struct {
	mu       sync.Mutex
	notes    []string // notifications before the reply
	late     []string // anything after the reply
	reply    string
	replies  int
	wakes    int
	err      *mcp.Error
	refused  bool
	status   int
	token    string
	after    time.Duration
	size     int
	writeErr error // of reading what was streamed

	heard chan string // if it is set: every notification, as it comes
	broke bool        // Notify fails: the client is gone
}

func (s *tape) Notify(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(message)
	if s.replies > 0 {
		s.late = append(s.late, text)
		return nil
	}
	s.notes = append(s.notes, text)
	if s.heard != nil {
		s.heard <- text
	}
	if s.broke {
		return errors.New("broken pipe")
	}
	return nil
}

func (s *tape) Reply(r *mcp.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies++
	if s.replies > 1 {
		s.late = append(s.late, "a second reply")
		return
	}
	s.err, s.refused, s.status, s.token, s.after, s.size = r.Err, r.Refused, r.Status, r.SessionToken, r.RetryAfter, r.Size()
	var b strings.Builder
	_, s.writeErr = r.WriteTo(&b)
	s.reply = b.String()
}

func (s *tape) Wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wakes++
}

// talk is one client's channel to a server, as a transport has it.
type talk struct {
	t       testing.TB
	session *mcp.Session
	headers mcp.Headers
	ctx     context.Context
}

func talkTo(t testing.TB, server *mcp.Server) *talk {
	t.Helper()
	return &talk{t: t, session: connect(t, server), ctx: t.Context()}
}

// send handles one message and returns all that came of it.
func (k *talk) send(message string) *tape {
	k.t.Helper()
	sink := &tape{}
	call, err := k.session.Admit(k.ctx, []byte(message), sink, k.headers)
	if call == nil {
		sink.err = err
		return sink
	}
	if call.Serve() {
		k.t.Error("the call stays open")
	}
	if len(sink.late) > 0 {
		k.t.Errorf("after the reply came %q", sink.late)
	}
	return sink
}

// begin admits one message that is served later.
func (k *talk) begin(message string) (*mcp.Call, *tape) {
	k.t.Helper()
	sink := &tape{}
	call, err := k.session.Admit(k.ctx, []byte(message), sink, k.headers)
	if err != nil || call == nil {
		k.t.Fatalf("%s: no call, %v", message, err)
	}
	return call, sink
}

// tell sends what has no answer.
func (k *talk) tell(message string) {
	k.t.Helper()
	if got := k.send(message); got.replies+len(got.notes) > 0 || got.err != nil {
		k.t.Errorf("%s was answered: %q, %v", message, got.reply, got.err)
	}
}

const (
	metaOpen  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`
	plainMeta = metaOpen + `{}}`
)

// modern is a request of 2026-07-28. params are further members of its params.
func modern(id, method, params string) string {
	if params != "" {
		params = "," + params
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + plainMeta + params + `}}`
}

// request is a request without _meta.
func request(id, method, params string) string {
	if params == "" {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + `}}`
}

func notification(method, params string) string {
	return `{"jsonrpc":"2.0","method":"` + method + `","params":{` + params + `}}`
}

func hello(revision string) string {
	return request("0", "initialize", `"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"old","version":"1"}`)
}

// legacyTalk is a channel with a finished handshake.
func legacyTalk(t testing.TB, server *mcp.Server, revision string) *talk {
	t.Helper()
	k := talkTo(t, server)
	if got := k.send(hello(revision)); got.err != nil || !strings.Contains(got.reply, `"protocolVersion":"`+revision+`"`) {
		t.Fatalf("initialize: %s", got.reply)
	}
	k.tell(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return k
}

// done is a whole modern result of the server t/1.
func done(id, members string) string {
	if members != "" {
		members += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{` + members +
		`"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"t","version":"1"}}}}`
}

// said is done for a tool whose result is one text.
func said(id, text string) string {
	return done(id, `"content":[{"type":"text","text":`+quoted(text)+`}],"isError":false`)
}

// failed is done for a tool that fails with a text.
func failed(id, text string) string {
	return done(id, `"content":[{"type":"text","text":`+quoted(text)+`}],"isError":true`)
}

// answered is a whole legacy result.
func answered(id, members string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{` + members + `}}`
}

// quoted is a JSON string; text has nothing that JSON needs to escape but quotes and backslashes.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func wantReply(t testing.TB, got *tape, want string) {
	t.Helper()
	if got.reply != want {
		t.Errorf("got  %s\nwant %s", got.reply, want)
	}
	if !json.Valid([]byte(got.reply)) {
		t.Errorf("the reply is no JSON: %s", got.reply)
	}
}

func wantSilence(t testing.TB, got *tape) {
	t.Helper()
	if got.replies > 0 || len(got.notes) > 0 {
		t.Errorf("wanted nothing, got %q %s", got.notes, got.reply)
	}
}

// wantError checks the error of an answer, in its value and in its bytes. parts stand in its message or data.
func wantError(t testing.TB, got *tape, id string, code int, parts ...string) {
	t.Helper()
	if got.err == nil {
		t.Fatalf("wanted error %d, got %s", code, got.reply)
	}
	if got.err.Code != code {
		t.Errorf("code %d, want %d: %s", got.err.Code, code, got.reply)
	}
	start := `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + fmt.Sprint(code) + `,`
	if id == "" {
		start = `{"jsonrpc":"2.0","error":{"code":` + fmt.Sprint(code) + `,`
	}
	if !strings.HasPrefix(got.reply, start) || !json.Valid([]byte(got.reply)) {
		t.Errorf("got %s\nwant it to begin with %s", got.reply, start)
	}
	for _, part := range parts {
		if !strings.Contains(got.reply, part) {
			t.Errorf("got %s\nwant in it %s", got.reply, part)
		}
	}
}

// testServer is a server t/1 with what the functions register.
func testServer(o *mcp.Options, register ...func(*mcp.Server)) *mcp.Server {
	s := mcp.NewServer("t", "1", o)
	for _, add := range register {
		add(s)
	}
	return s
}

// tool registers a tool without arguments.
func tool[Out any](name string, run func(ctx context.Context) (Out, error)) func(*mcp.Server) {
	return func(s *mcp.Server) {
		mcp.AddTool(s, mcp.Tool{Name: name, Description: "A tool"},
			func(ctx context.Context, _ struct{}) (Out, error) { return run(ctx) })
	}
}

type echoIn struct {
	Text string `json:"text"`
}

// echo repeats its text.
func echo(s *mcp.Server) {
	mcp.AddTool(s, mcp.Tool{Name: "echo", Description: "Repeats"},
		func(_ context.Context, in echoIn) (string, error) { return in.Text, nil })
}

func callEcho(id, text string) string {
	return modern(id, "tools/call", `"name":"echo","arguments":{"text":`+quoted(text)+`}`)
}

func callTool(id, name string) string { return modern(id, "tools/call", `"name":"`+name+`"`) }
