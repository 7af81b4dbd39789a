package mcp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// sharedAsker is a legacy client of a shared session, as over HTTP.
type sharedAsker struct {
	t       *testing.T
	s       *mcp.Session
	ctx     context.Context
	headers mcp.Headers
}

// sharedClient opens a session of its own on s.
func sharedClient(t *testing.T, s *mcp.Session, caller string) *sharedAsker {
	t.Helper()
	a := &sharedAsker{t: t, s: s, ctx: mcp.WithCaller(t.Context(), mcp.Caller{ID: caller})}
	sink := &tokenSink{askSink: askSink{lines: make(chan string, 9)}}
	call, err := s.Admit(a.ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`), sink, mcp.Headers{})
	if err != nil {
		t.Fatal(err)
	}
	call.Serve()
	a.headers = mcp.Headers{"Mcp-Session-Id": {sink.token}, "Mcp-Protocol-Version": {"2025-11-25"}}
	return a
}

type tokenSink struct {
	askSink
	token string
}

func (s *tokenSink) Reply(r *mcp.Reply) { s.token = r.SessionToken }

func (a *sharedAsker) begin() *legacyCall {
	a.t.Helper()
	c := &legacyCall{a.t, a.s, &askSink{lines: make(chan string, 100)}, make(chan struct{})}
	call, err := a.s.Admit(a.ctx, []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask"}}`), c.sink, a.headers)
	if err != nil {
		a.t.Fatal(err)
	}
	go func() {
		defer close(c.ended)
		call.Serve()
	}()
	return c
}

// answer sends an answer and says whether it was taken, whoever it is for.
func (a *sharedAsker) answer(q legacyQuestion, result string) (taken bool) {
	a.t.Helper()
	call, err := a.s.Admit(a.ctx, []byte(`{"jsonrpc":"2.0","id":`+string(q.ID)+`,"result":`+result+`}`), &askSink{lines: make(chan string, 9)}, a.headers)
	if call != nil {
		call.Serve()
	}
	return call == nil && err == nil
}

func TestClientsOfASharedSessionAnswerForThemselves(t *testing.T) {
	server := askServer(nil, greets)
	s, err := server.Connect(mcp.ConnectOptions{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	alice, bob := sharedClient(t, s, "alice"), sharedClient(t, s, "bob")
	one, two := alice.begin(), bob.begin()
	forAlice, forBob := one.question(), two.question()
	if !bob.answer(forAlice, accepted("Mallory")) {
		t.Error("an answer that nobody waits for is refused; it should be ignored")
	}
	mallory := &sharedAsker{t: t, s: s, ctx: mcp.WithCaller(t.Context(), mcp.Caller{ID: "mallory"}), headers: alice.headers}
	if mallory.answer(forAlice, accepted("Mallory")) {
		t.Error("the session of another caller is good for an answer")
	}
	nobody := &sharedAsker{t: t, s: s, ctx: t.Context(), headers: mcp.Headers{}}
	nobody.answer(forAlice, accepted("Mallory"))
	bob.answer(forBob, accepted("Bob"))
	two.done().wantText(t, "Hello, Bob")
	alice.answer(forAlice, accepted("Alice"))
	one.done().wantText(t, "Hello, Alice")
}

func TestAnEndedSessionFreesItsHandlers(t *testing.T) {
	server := askServer(nil, greets)
	s, err := server.Connect(mcp.ConnectOptions{Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	alice := sharedClient(t, s, "alice")
	c := alice.begin()
	q := c.question()
	if status, err := s.End(alice.ctx, alice.headers); err != nil || status >= 300 {
		t.Fatal(status, err)
	}
	<-c.ended
	for len(c.sink.lines) > 0 {
		if line := c.next(); strings.Contains(line, `"id":7`) {
			t.Errorf("the call of an ended session was answered: %s", line)
		}
	}
	if alice.answer(q, accepted("late")) {
		t.Error("an answer for an ended session was taken")
	}
}
