package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// everyCapability is declared by a client that can be asked anything.
const everyCapability = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}`

// askServer has one tool "ask", one prompt "ask" and one resource "ask:it", which may be cached, all with the same handler.
func askServer(o *mcp.Options, handler func(ctx context.Context) (string, error)) *mcp.Server {
	s := mcp.NewServer("asker", "1", o)
	mcp.AddTool(s, mcp.Tool{Name: "ask", Description: "Asks"},
		func(ctx context.Context, _ map[string]any) (string, error) { return handler(ctx) })
	mcp.AddPrompt(s, mcp.Prompt{Name: "ask", Description: "Asks"},
		func(ctx context.Context, _ struct{}) (string, error) { return handler(ctx) })
	mcp.AddResource(s, mcp.Resource{URI: "ask:it", Name: "ask", MIMEType: "text/plain", Cache: mcp.Cache{TTL: time.Minute, Public: true}},
		func(ctx context.Context) (string, error) { return handler(ctx) })
	return s
}

func askSession(t testing.TB, server *mcp.Server) *mcp.Session {
	t.Helper()
	s, err := server.Connect(mcp.ConnectOptions{Transport: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// pass is one answer of a server, taken apart.
type pass struct {
	raw   string
	keys  []string // of the questions, in their order
	asked map[string]json.RawMessage
	state string
	text  string // of the first block, message or contents
	fails bool   // isError, or an error
	code  int
	data  string
	reply *mcp.Error
	http  int
}

func (p *pass) interim() bool { return strings.Contains(p.raw, `"resultType":"input_required"`) }

// message is the text of a question.
func (p *pass) message(key string) string {
	var q struct {
		Params struct{ Message string } `json:"params"`
	}
	_ = json.Unmarshal(p.asked[key], &q)
	return q.Params.Message
}

// askSink keeps the lines of one call.
type askSink struct {
	lines  chan string
	status int
	err    *mcp.Error
}

func (s *askSink) Notify(message []byte) error {
	s.lines <- string(message)
	return nil
}

func (s *askSink) Reply(r *mcp.Reply) {
	text, _ := r.AppendTo(nil)
	s.status, s.err = r.Status, r.Err
	s.lines <- string(text)
}

func (s *askSink) Wake() {}

// askOnce sends one modern request; more are further members of its params.
func askOnce(ctx context.Context, t testing.TB, s *mcp.Session, capabilities, method, target string, more ...string) *pass {
	t.Helper()
	params := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	for _, one := range append([]string{target}, more...) {
		if one != "" {
			params += "," + one
		}
	}
	sink := &askSink{lines: make(chan string, 100)}
	if err := s.Handle(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`}}`), sink); err != nil {
		t.Fatal(err)
	}
	close(sink.lines)
	last := ""
	for line := range sink.lines {
		last = line
	}
	p := takeApart(t, last)
	p.reply, p.http = sink.err, sink.status
	return p
}

const theTool = `"name":"ask"`

// call is askOnce for the tool and a client that can be asked anything.
func callAsk(t testing.TB, s *mcp.Session, more ...string) *pass {
	t.Helper()
	return askOnce(t.Context(), t, s, everyCapability, "tools/call", theTool, more...)
}

// with is the members that make a request a retry. answers are pairs of keys and JSON.
func (p *pass) with(answers ...string) string {
	return `"inputResponses":{` + responses(answers) + `},"requestState":"` + p.state + `"`
}

func responses(answers []string) string {
	var members []string
	for pair := range slices.Chunk(answers, 2) {
		key, _ := json.Marshal(pair[0])
		members = append(members, string(key)+":"+pair[1])
	}
	return strings.Join(members, ",")
}

func takeApart(t testing.TB, line string) *pass {
	t.Helper()
	var wire struct {
		Result struct {
			IsError       bool
			Content       []struct{ Text string }
			Contents      []struct{ Text string }
			Messages      []struct{ Content struct{ Text string } }
			InputRequests json.RawMessage
			RequestState  string
		}
		Error *struct {
			Code    int
			Message string
			Data    json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(line), &wire); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	p := &pass{raw: line, state: wire.Result.RequestState, fails: wire.Result.IsError, asked: map[string]json.RawMessage{}}
	switch {
	case wire.Error != nil:
		p.fails, p.code, p.text, p.data = true, wire.Error.Code, wire.Error.Message, string(wire.Error.Data)
	case len(wire.Result.Content) > 0:
		p.text = wire.Result.Content[0].Text
	case len(wire.Result.Contents) > 0:
		p.text = wire.Result.Contents[0].Text
	case len(wire.Result.Messages) > 0:
		p.text = wire.Result.Messages[0].Content.Text
	}
	if wire.Result.InputRequests == nil {
		return p
	}
	d := json.NewDecoder(bytes.NewReader(wire.Result.InputRequests))
	_, _ = d.Token()
	for d.More() {
		name, _ := d.Token()
		var question json.RawMessage
		if err := d.Decode(&question); err != nil {
			t.Fatal(err)
		}
		key := name.(string)
		if p.asked[key] != nil {
			t.Errorf("the key %q is in the round twice: %s", key, line)
		}
		p.keys = append(p.keys, key)
		p.asked[key] = question
	}
	return p
}

// wantAsked checks which questions a round has.
func (p *pass) wantAsked(t testing.TB, keys ...string) {
	t.Helper()
	if !p.interim() || !slices.Equal(p.keys, keys) {
		t.Fatalf("asked %q, want %q: %s", p.keys, keys, p.raw)
	}
	if p.state == "" {
		t.Errorf("no state: %s", p.raw)
	}
	var whole struct{ Result map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(p.raw), &whole); err != nil {
		t.Fatal(err)
	}
	if members := slices.Sorted(maps.Keys(whole.Result)); !slices.Equal(members, []string{"_meta", "inputRequests", "requestState", "resultType"}) {
		t.Errorf("an interim result has %q: %s", members, p.raw)
	}
}

func (p *pass) wantText(t testing.TB, text string) {
	t.Helper()
	if p.interim() || p.fails || p.text != text {
		t.Fatalf("want the result %q: %s", text, p.raw)
	}
}

// wantFailure checks an error of the handler, in band or, for prompts and resources, as a JSON-RPC error.
func (p *pass) wantFailure(t testing.TB, part string) {
	t.Helper()
	if p.interim() || !p.fails || !strings.Contains(p.text, part) {
		t.Fatalf("want a failure with %q: %s", part, p.raw)
	}
}

func (p *pass) wantCode(t testing.TB, code int, part string) {
	t.Helper()
	if p.code != code || !strings.Contains(p.text, part) {
		t.Fatalf("want error %d with %q: %s", code, part, p.raw)
	}
}

func accept(content string) string { return `{"action":"accept","content":` + content + `}` }

const (
	declined  = `{"action":"decline"}`
	dismissed = `{"action":"cancel"}`
)

// name is a form of one text.
type askName struct {
	Name string `json:"name" doc:"Who 世界?" minLength:"1"`
}

func accepted(name string) string {
	text, _ := json.Marshal(name)
	return accept(`{"name":` + string(text) + `}`)
}

// question is a request of the server to a legacy client.
type legacyQuestion struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	raw    string
}

// legacySession has a finished handshake.
func legacySession(t testing.TB, server *mcp.Server, revision, capabilities string) *mcp.Session {
	t.Helper()
	s := askSession(t, server)
	legacyOpen(t, s, revision, capabilities)
	tell(t, s, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func legacyOpen(t testing.TB, s *mcp.Session, revision, capabilities string) {
	t.Helper()
	sink := &askSink{lines: make(chan string, 1)}
	err := s.Handle(t.Context(), fmt.Appendf(nil,
		`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"c","version":"1"}}}`,
		revision, capabilities), sink)
	if err != nil || sink.err != nil {
		t.Fatal(err, sink.err)
	}
}

// tell sends what has no answer.
func tell(t testing.TB, s *mcp.Session, message string) {
	t.Helper()
	if call, err := s.Admit(t.Context(), []byte(message), &askSink{}, nil); call != nil || err != nil {
		t.Errorf("%s was not just taken: %v", message, err)
	}
}

// legacyCall is a request of a legacy client that runs.
type legacyCall struct {
	t     testing.TB
	s     *mcp.Session
	sink  *askSink
	ended chan struct{}
}

func beginLegacy(ctx context.Context, t testing.TB, s *mcp.Session, method, params string) *legacyCall {
	t.Helper()
	c := &legacyCall{t, s, &askSink{lines: make(chan string, 100)}, make(chan struct{})}
	call, err := s.Admit(ctx, []byte(`{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":{`+params+`}}`), c.sink, nil)
	if call == nil || err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.ended)
		call.Serve()
	}()
	return c
}

// next is the next line of the call.
func (c *legacyCall) next() string {
	c.t.Helper()
	select {
	case line := <-c.sink.lines:
		return line
	case <-c.t.Context().Done():
		c.t.Fatal("no more lines")
		return ""
	}
}

// question is the next line, which must be a request of the server.
func (c *legacyCall) question() legacyQuestion {
	c.t.Helper()
	q := legacyQuestion{raw: c.next()}
	if err := json.Unmarshal([]byte(q.raw), &q); err != nil || q.Method == "" || q.ID == nil {
		c.t.Fatalf("no question: %s", q.raw)
	}
	return q
}

// answer answers a question with members such as `"result":{}`.
func (c *legacyCall) answer(q legacyQuestion, members string) {
	c.t.Helper()
	tell(c.t, c.s, `{"jsonrpc":"2.0","id":`+string(q.ID)+`,`+members+`}`)
}

// done waits for the reply.
func (c *legacyCall) done() *pass {
	c.t.Helper()
	line := c.next()
	<-c.ended
	return takeApart(c.t, line)
}

// askLegacy makes a call whose questions are answered in their order.
func askLegacy(t testing.TB, s *mcp.Session, method, params string, answers ...string) *pass {
	t.Helper()
	c := beginLegacy(t.Context(), t, s, method, params)
	for _, answer := range answers {
		c.answer(c.question(), answer)
	}
	return c.done()
}
