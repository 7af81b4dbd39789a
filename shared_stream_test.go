package mcp_test

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"testing"

	"github.com/bowline-go/mcp"
)

const (
	toolsChanged     = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	promptsChanged   = `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`
	resourcesChanged = `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`
)

func addTools(t testing.TB, server *mcp.Server, names ...string) {
	t.Helper()
	err := server.Change(t.Context(), func(c *mcp.Change) {
		for _, name := range names {
			mcp.AddTool(c, mcp.Tool{Name: name, Description: "Added"}, func(context.Context, struct{}) (string, error) { return name, nil })
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// flushed is what a call or session has to say.
func flushed(t testing.TB, flush func(emit func([]byte) error) error) (said []string, err error) {
	t.Helper()
	err = flush(func(message []byte) error {
		said = append(said, string(message))
		return nil
	})
	return said, err
}

func wantFlushed(t testing.TB, flush func(emit func([]byte) error) error, want ...string) {
	t.Helper()
	got, err := flushed(t, flush)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestAStreamTellsAClientOfChanges(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true, ResourceUpdates: true}, fixed("x://世界", "A"))
	k := sharedTalk(t, server, nil)
	old, other := k.open("2025-11-25"), k.open("2025-11-25")
	sink := &tape{}
	stream := k.session.Stream(t.Context(), old.headers, sink)
	if !stream.Serve() || !stream.Legacy() || !stream.Primes() || stream.SessionKey() == "" {
		t.Fatalf("the stream is not open: %s", sink.reply)
	}
	wantFlushed(t, stream.Flush)
	addTools(t, server, "a")
	addTools(t, server, "b")
	wantFlushed(t, stream.Flush, toolsChanged) // twice in short order is once
	wantReply(t, old.send(request("1", "resources/subscribe", `"uri":"x://世界"`)), answered("1", ""))
	if err := server.ResourceUpdated(t.Context(), "x://世界"); err != nil {
		t.Fatal(err)
	}
	if err := server.ResourceUpdated(t.Context(), "x://other"); err != nil {
		t.Fatal(err)
	}
	wantFlushed(t, stream.Flush, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://世界"}}`)
	if sink.wakes < 3 || sink.replies+len(sink.notes) > 0 {
		t.Errorf("%d wakes, %q, %s", sink.wakes, sink.notes, sink.reply)
	}

	second := k.session.Stream(t.Context(), other.headers, &tape{})
	if !second.Serve() {
		t.Fatal("the stream of another client is not open")
	}
	addTools(t, server, "c")
	wantFlushed(t, second.Flush, toolsChanged)
	wantFlushed(t, stream.Flush, toolsChanged)
	wantReply(t, old.send(request("2", "resources/unsubscribe", `"uri":"x://世界"`)), answered("2", ""))
	_ = server.ResourceUpdated(t.Context(), "x://世界")
	wantFlushed(t, stream.Flush)
}

func TestAStreamTakesThePlaceOfTheOneBefore(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true})
	k := sharedTalk(t, server, nil)
	old := k.open("2025-06-18")
	first := k.session.Stream(t.Context(), old.headers, &tape{})
	if !first.Serve() || first.Primes() {
		t.Fatal("the first stream is not open, or primes before its revision")
	}
	second := k.session.Stream(t.Context(), old.headers, &tape{})
	if !second.Serve() {
		t.Fatal("the second stream is not open")
	}
	if _, err := flushed(t, first.Flush); !errors.Is(err, mcp.ErrCallEnded) {
		t.Errorf("the first stream: %v", err)
	}
	addTools(t, server, "a")
	wantFlushed(t, second.Flush, toolsChanged) // exactly one stream gets it
}

func TestWhatComesWithoutAStreamWaitsForTheNext(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true, ResourceUpdates: true}, fixed("x://世界", "A"))
	k := sharedTalk(t, server, nil)
	old := k.open("2025-11-25")
	wantReply(t, old.send(request("1", "resources/subscribe", `"uri":"x://世界"`)), answered("1", ""))
	first := k.session.Stream(t.Context(), old.headers, &tape{})
	first.Serve()
	first.Cancel()
	addTools(t, server, "a")
	sink := &tape{}
	second := k.session.Stream(t.Context(), old.headers, sink)
	second.Serve()
	if sink.wakes == 0 {
		t.Error("nobody was woken")
	}
	wantFlushed(t, second.Flush, toolsChanged)
}

// Most clients open a stream and are never heard of again.
func TestAClientThatHasNothingSetIsForgottenWithItsStream(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true})
	k := sharedTalk(t, server, nil)
	for range 10_100 { // more than are kept
		old := k.open("2025-11-25")
		stream := k.session.Stream(t.Context(), old.headers, &tape{})
		if !stream.Serve() {
			t.Fatal("there is no room for another stream")
		}
		stream.Cancel()
	}
	old := k.open("2025-11-25")
	for range 2 {
		stream := k.session.Stream(t.Context(), old.headers, &tape{})
		stream.Serve()
		addTools(t, server, "tool-"+rand.Text())
		wantFlushed(t, stream.Flush, toolsChanged)
		stream.Cancel()
	}
}

func TestASettingOutlivesTheStream(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true, ResourceUpdates: true}, fixed("x://世界", "A"), fixed("x://a", "A"))
	k := sharedTalk(t, server, nil)
	old := k.open("2025-11-25")
	steps := []struct {
		line   string
		hears  bool
		method string
	}{
		{`"uri":"x://世界"`, true, "resources/subscribe"},
		{`"uri":"x://a"`, true, "resources/subscribe"},
		{`"uri":"x://a"`, true, "resources/unsubscribe"},
		{`"uri":"x://世界"`, false, "resources/unsubscribe"},
		{`"uri":"x://世界"`, true, "resources/subscribe"},
	}
	for _, step := range steps {
		wantReply(t, old.send(request("1", step.method, step.line)), answered("1", ""))
		_ = server.ResourceUpdated(t.Context(), "x://世界")
		stream := k.session.Stream(t.Context(), old.headers, &tape{})
		stream.Serve()
		want := []string{}
		if step.hears {
			want = append(want, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://世界"}}`)
		}
		wantFlushed(t, stream.Flush, want...)
		stream.Cancel()
	}
}

func TestDeleteEndsTheStream(t *testing.T) {
	k := sharedTalk(t, testServer(&mcp.Options{Dynamic: true}), nil)
	old := k.open("2025-11-25")
	sink := &tape{}
	stream := k.session.Stream(t.Context(), old.headers, sink)
	stream.Serve()
	before := sink.wakes
	if status, err := k.session.End(t.Context(), old.headers); status != 200 || err != nil {
		t.Fatalf("status %d, %v", status, err)
	}
	if _, err := flushed(t, stream.Flush); !errors.Is(err, mcp.ErrCallEnded) || sink.wakes == before {
		t.Errorf("%v, woken %v", err, sink.wakes > before)
	}
}

func TestDrainEndsTheStreamWithoutAMessage(t *testing.T) {
	k := sharedTalk(t, testServer(&mcp.Options{Dynamic: true}), nil)
	old := k.open("2025-11-25")
	sink := &tape{}
	stream := k.session.Stream(t.Context(), old.headers, sink)
	stream.Serve()
	k.session.Drain()
	said, err := flushed(t, stream.Flush)
	if len(said) > 0 || sink.replies > 0 || !errors.Is(err, mcp.ErrCallEnded) {
		t.Errorf("%q, %s, %v", said, sink.reply, err)
	}
}

func TestAStreamThatIsGoneBeforeItOpensLeavesNothing(t *testing.T) {
	k := sharedTalk(t, testServer(&mcp.Options{Dynamic: true}), nil)
	old := k.open("2025-11-25")
	stream := k.session.Stream(t.Context(), old.headers, &tape{})
	stream.Cancel()
	if stream.Serve() {
		t.Error("it is open all the same")
	}
}

func TestIdentifyTellsSessionsApart(t *testing.T) {
	k := sharedTalk(t, testServer(nil, echo), nil)
	first, second := k.open("2025-11-25"), k.open("2025-11-25")
	one, status, err := k.session.Identify(t.Context(), first.headers)
	two, _, _ := k.session.Identify(t.Context(), second.headers)
	if one == "" || one == two || status != 200 || err != nil {
		t.Errorf("%q %q, status %d, %v", one, two, status, err)
	}
	call, _ := first.begin(request("1", "tools/call", echoHi))
	if call.SessionKey() != one || !call.Legacy() {
		t.Errorf("the call belongs to %q", call.SessionKey())
	}
	call.Serve()
	call, _ = k.as(modernHeaders("tools/call", "echo")).begin(callEcho("1", "x"))
	if call.SessionKey() != "" || call.Legacy() || call.Primes() {
		t.Errorf("a modern call belongs to %q", call.SessionKey())
	}
	call.Serve()
}

func TestALevelThatIsTheDefaultIsNothingToRemember(t *testing.T) {
	k := sharedTalk(t, testServer(nil), nil)
	for range 10_100 { // more than are kept
		old := k.open("2025-11-25")
		for _, level := range []string{"debug", "info"} {
			wantReply(t, old.send(request("1", "logging/setLevel", `"level":"`+level+`"`)), answered("1", ""))
		}
	}
}
