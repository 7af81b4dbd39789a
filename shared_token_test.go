package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

var sharedKeys = [][]byte{[]byte("0123456789abcdef0123456789abcdef")}

// whoAmI tells what a handler knows of its client.
func whoAmI(s *mcp.Server) {
	tool("who", func(ctx context.Context) (string, error) {
		r := mcp.RequestFrom(ctx)
		return fmt.Sprint(r.Revision(), " ", r.Client(), " ", r.Supports(mcp.CapabilityElicitation), " ", r.Supports(mcp.CapabilitySampling), " ", r.Caller().ID), nil
	})(s)
}

const askWho = `"name":"who"`

func whoIs(t *testing.T, k *talk, want string) {
	t.Helper()
	wantReply(t, k.send(request("1", "tools/call", askWho)), answered("1", `"content":[{"type":"text","text":`+quoted(want)+`}],"isError":false`))
}

func helloAs(revision, capabilities, client string) string {
	return request("0", "initialize", `"protocolVersion":"`+revision+`","capabilities":`+capabilities+`,"clientInfo":`+client)
}

func TestATokenIsTheSession(t *testing.T) {
	keyed := func() *mcp.Server { return testServer(&mcp.Options{Keys: sharedKeys}, whoAmI) }
	first := sharedTalk(t, keyed(), mcp.Headers{})
	got := first.send(helloAs("2025-06-18", `{"elicitation":{},"sampling":null,"x":{}}`, `{"name":"cli 世界","title":"T 😀","version":"1.2","x":1}`))
	if got.token == "" || len(got.token) > 2<<10 {
		t.Fatalf("token of %d bytes", len(got.token))
	}
	want := "2025-06-18 {cli 世界 T 😀 1.2} true false "
	whoIs(t, first.as(sessionHeaders(got.token)), want)
	whoIs(t, sharedTalk(t, keyed(), sessionHeaders(got.token)), want) // a replica, or the same server after a restart

	stranger := sharedTalk(t, testServer(nil, whoAmI), sessionHeaders(got.token))
	if refused := stranger.send(request("1", "tools/call", askWho)); refused.status != 404 {
		t.Errorf("a server with other keys: status %d", refused.status)
	}
	for i := range got.token {
		changed := []byte(got.token)
		changed[i] ^= 1
		if refused := first.as(sessionHeaders(string(changed))).send(request("1", "ping", "")); refused.status != 404 {
			t.Fatalf("changed at %d: status %d, %s", i, refused.status, refused.reply)
		}
	}
	for _, cut := range []string{"", got.token[:len(got.token)-1], got.token + "A", got.token + "\n", " " + got.token} {
		if refused := first.as(sessionHeaders(cut)).send(request("1", "ping", "")); refused.status != 404 {
			t.Errorf("%q: status %d", cut, refused.status)
		}
	}
}

func TestATokenEnds(t *testing.T) {
	now := time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)
	k := sharedTalk(t, testServer(&mcp.Options{Clock: func() time.Time { return now }}, whoAmI), mcp.Headers{})
	old := k.open("2025-11-25")
	old.send(request("1", "logging/setLevel", `"level":"error"`)) // what it left ends with it
	now = now.Add(24*time.Hour - time.Second)
	if got := old.send(request("1", "ping", "")); got.status != 200 {
		t.Errorf("a second before its end: status %d", got.status)
	}
	now = now.Add(time.Second)
	if got := old.send(request("1", "ping", "")); got.status != 404 {
		t.Errorf("at its end: status %d", got.status)
	}
}

func TestAnOpenedTokenIsNoLooserThanASealedOne(t *testing.T) {
	k := sharedTalk(t, testServer(nil, whoAmI), mcp.Headers{})
	k.ctx = mcp.WithCaller(t.Context(), mcp.Caller{ID: "anna"})
	const clients = 1000 // more than are remembered, so that they take each other's places
	tokens := make([]string, clients)
	for i := range tokens {
		tokens[i] = k.send(helloAs("2025-11-25", `{"roots":{}}`, fmt.Sprintf(`{"name":"世 %d","version":"1"}`, i))).token
	}
	for range 2 {
		for i, token := range tokens {
			own := k.as(sessionHeaders(token))
			own.ctx = k.ctx
			for range 2 { // the second finds what the first has opened
				whoIs(t, own, fmt.Sprintf("2025-11-25 {世 %d  1} false false anna", i))
			}
			own.ctx = mcp.WithCaller(t.Context(), mcp.Caller{ID: "anna2"})
			if got := own.send(request("1", "ping", "")); got.status != 404 {
				t.Fatalf("another caller with an opened token: status %d", got.status)
			}
		}
	}
}

func TestATokenIsBoundToItsCaller(t *testing.T) {
	k := sharedTalk(t, testServer(nil, whoAmI), mcp.Headers{})
	k.ctx = mcp.WithCaller(t.Context(), mcp.Caller{ID: "anna 世界"})
	got := k.send(hello("2025-11-25"))
	owner := k.as(sessionHeaders(got.token))
	whoIs(t, owner, "2025-11-25 {old  1} false false anna 世界")
	for _, caller := range []string{"", "bob", "anna"} {
		other := k.as(sessionHeaders(got.token))
		other.ctx = mcp.WithCaller(t.Context(), mcp.Caller{ID: caller})
		if refused := other.send(request("1", "tools/call", askWho)); refused.status != 404 {
			t.Errorf("caller %q: status %d, %s", caller, refused.status, refused.reply)
		}
	}
}

func TestATokenStaysSmallWhateverTheClientSaysOfItself(t *testing.T) {
	k := sharedTalk(t, testServer(nil, whoAmI), mcp.Headers{})
	for rule, name := range map[string]string{
		"plain text": strings.Repeat("x", 1<<20), "multi-byte text": strings.Repeat("世界", 1<<10), "astral text": strings.Repeat("😀", 1<<10),
		"text that JSON escapes": strings.Repeat(`\u0001`, 1<<10), "quotes": strings.Repeat(`\"`, 1<<10),
	} {
		t.Run(rule, func(t *testing.T) {
			info := `{"name":"` + name + `","title":"` + name + `","version":"` + name + `"}`
			got := k.send(helloAs("2025-11-25", `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{"listChanged":true}}`, info))
			if got.token == "" || len(got.token) > 2<<10 {
				t.Fatalf("a token of %d bytes", len(got.token))
			}
			reply := k.as(sessionHeaders(got.token)).send(request("1", "tools/call", askWho)).reply
			if !strings.Contains(reply, "} true true ") {
				t.Errorf("the capabilities are lost: %.300s", reply)
			}
		})
	}
}

func TestWhatASessionSetIsRemembered(t *testing.T) {
	k := sharedTalk(t, testServer(nil, tool("log", logs)), nil)
	first, second := k.open("2025-11-25"), k.open("2025-11-25")
	wantReply(t, first.send(request("1", "logging/setLevel", `"level":"emergency"`)), answered("1", ""))
	wantReply(t, second.send(request("1", "logging/setLevel", `"level":"alert"`)), answered("1", ""))
	wantReply(t, second.send(request("1", "logging/setLevel", `"level":"critical"`)), answered("1", ""))
	call := request("2", "tools/call", `"name":"log"`)
	wantNotes(t, first.send(call), logNote("emergency", `{"message":"世界😀"}`))
	if got := second.send(call); len(got.notes) != 3 {
		t.Errorf("the second session heard %q", got.notes)
	}
	if got := k.open("2025-11-25").send(call); len(got.notes) != 7 {
		t.Errorf("a third session heard %q", got.notes)
	}
}

func TestWhatASessionSetAtOneEndpointIsNotInItsToken(t *testing.T) {
	server := testServer(nil, tool("log", logs))
	here, there := sharedTalk(t, server, nil).open("2025-11-25"), sharedTalk(t, server, nil)
	there.headers = here.headers
	call := request("2", "tools/call", `"name":"log"`)
	var elsewhere sync.WaitGroup
	elsewhere.Go(func() {
		for range 100 {
			if got := there.send(call); len(got.notes) != 7 {
				t.Errorf("the other endpoint let the session hear %q", got.notes)
			}
		}
	})
	for _, level := range []string{"emergency", "debug", "error"} { // what it has left goes with info, and comes again
		wantReply(t, here.send(request("1", "logging/setLevel", `"level":"info"`)), answered("1", ""))
		wantReply(t, here.send(request("1", "logging/setLevel", `"level":"`+level+`"`)), answered("1", ""))
	}
	elsewhere.Wait()
	if got := here.send(call); len(got.notes) != 4 {
		t.Errorf("at error the session heard %q", got.notes)
	}
}

func TestDeleteEndsASession(t *testing.T) {
	h := newHeld()
	k := sharedTalk(t, testServer(nil, h.register, echo), nil)
	old, other := k.open("2025-11-25"), k.open("2025-11-25")
	wait := old.running(request("1", "tools/call", `"name":"hold"`))
	<-h.started
	if status, err := k.session.End(t.Context(), old.headers); status != 200 || err != nil {
		t.Fatalf("DELETE: status %d, %v", status, err)
	}
	wantSilence(t, wait()) // its calls are cancelled
	for _, message := range []string{request("2", "tools/list", ""), request("2", "ping", ""), `[` + request("2", "ping", "") + `]`} {
		if got := old.send(message); got.status != 404 {
			t.Errorf("%s: status %d", message, got.status)
		}
	}
	if status, err := k.session.End(t.Context(), old.headers); status != 404 || err == nil {
		t.Errorf("DELETE again: status %d, %v", status, err)
	}
	if key, status, err := k.session.Identify(t.Context(), old.headers); key != "" || status != 404 || err == nil {
		t.Errorf("Identify: %q, status %d, %v", key, status, err)
	}
	wantReply(t, other.send(request("1", "tools/call", echoHi)), echoedHi)
}

func TestDeleteThatCannotBe(t *testing.T) {
	keyed := sharedTalk(t, testServer(&mcp.Options{Keys: sharedKeys}), nil)
	old := keyed.open("2025-11-25")
	if status, err := keyed.session.End(t.Context(), old.headers); status != 405 || err == nil {
		t.Errorf("shared keys: status %d, %v", status, err)
	}
	if got := old.send(request("1", "ping", "")); got.status != 200 {
		t.Errorf("the session ended all the same: status %d", got.status)
	}
	k := sharedTalk(t, testServer(nil), nil)
	for rule, c := range map[string]struct {
		headers mcp.Headers
		status  int
	}{
		"no session":         {mcp.Headers{}, 400},
		"an unknown session": {sessionHeaders("forged"), 404},
		"a bad version":      {mcp.Headers{"Mcp-Session-Id": k.open("2025-11-25").headers["Mcp-Session-Id"], "Mcp-Protocol-Version": {"x"}}, 400},
	} {
		if status, err := k.session.End(t.Context(), c.headers); status != c.status || err == nil {
			t.Errorf("%s: status %d, %v", rule, status, err)
		}
		sink := &tape{}
		if k.session.Stream(t.Context(), c.headers, sink).Serve() || sink.status != c.status {
			t.Errorf("%s: GET has status %d, %s", rule, sink.status, sink.reply)
		}
	}
}
