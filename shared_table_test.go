package mcp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// How many sessions of a shared channel may have left something, and how many that have ended are remembered.
const (
	mostLeft  = 10_000
	mostEnded = 1 << 15
)

const setError = `"level":"error"`

// sets makes the client of a session leave a log level, and reports whether there was room.
func (k *talk) sets(level string) bool {
	k.t.Helper()
	got := k.send(request("1", "logging/setLevel", level))
	if got.err != nil && (got.status != 503 || !strings.Contains(got.reply, `"retryAfterMs"`)) {
		k.t.Errorf("status %d, %s", got.status, got.reply)
	}
	return got.err == nil
}

// listens opens the stream of a session, and reports whether there was room.
func (k *talk) listens() (*mcp.Call, bool) {
	k.t.Helper()
	sink := &tape{}
	stream := k.session.Stream(k.t.Context(), k.headers, sink)
	open := stream.Serve()
	if !open && sink.status != 503 {
		k.t.Errorf("a stream is refused with %d, %s", sink.status, sink.reply)
	}
	return stream, open
}

func wantAlive(t *testing.T, k *talk, what string, want int) {
	t.Helper()
	if got := k.send(request("1", "ping", "")); got.status != want {
		t.Errorf("%s: status %d, want %d", what, got.status, want)
	}
}

// One client that begins session after session must not take settings, streams or ends from others.
func TestALogLevelMakesRoomForOthersTheOldestFirst(t *testing.T) {
	k := sharedTalk(t, testServer(nil, tool("log", logs)), nil)
	hears := func(old *talk) int { return len(old.send(request("2", "tools/call", `"name":"log"`)).notes) }
	first, second, again := k.open("2025-11-25"), k.open("2025-11-25"), k.open("2025-11-25")
	for _, old := range []*talk{again, first, second, again} {
		if !old.sets(setError) {
			t.Fatal("there is no room for the first")
		}
	}
	most := hears(k.open("2025-11-25"))
	if few := hears(second); few == 0 || few >= most {
		t.Fatalf("%d records at error, %d at info", few, most)
	}
	for range mostLeft - 2 {
		if !k.open("2025-11-25").sets(setError) {
			t.Fatal("there is no room")
		}
	}
	if n := hears(first); n != most {
		t.Errorf("the oldest level is kept: %d records of %d", n, most)
	}
	for what, old := range map[string]*talk{"the second oldest": second, "one that was set again": again} {
		if n := hears(old); n == most {
			t.Errorf("%s is lost", what)
		}
	}
	wantAlive(t, first, "a session that lost its level", 200)
	if _, open := k.open("2025-11-25").listens(); !open {
		t.Error("there is no room for a stream")
	}
}

// A client that does not listen would not find out that its subscription is gone.
func TestASubscriptionThatNobodyListensToMakesRoomAndItsSessionEnds(t *testing.T) {
	k := sharedTalk(t, testServer(&mcp.Options{ResourceUpdates: true}, fixed("x://世界", "A")), nil)
	subscribes := func(old *talk) {
		t.Helper()
		wantReply(t, old.send(request("1", "resources/subscribe", `"uri":"x://世界"`)), answered("1", ""))
	}
	heard, first := k.open("2025-11-25"), k.open("2025-11-25")
	subscribes(heard)
	if _, open := heard.listens(); !open {
		t.Fatal("there is no room for the first stream")
	}
	subscribes(first)
	levelled := k.open("2025-11-25")
	levelled.sets(setError)
	for range mostLeft - 3 {
		subscribes(k.open("2025-11-25"))
	}
	subscribes(k.open("2025-11-25")) // a level is cheaper to lose
	wantAlive(t, first, "the oldest subscription beside a level", 200)
	subscribes(k.open("2025-11-25"))
	wantAlive(t, first, "the oldest subscription", 404)
	wantAlive(t, levelled, "a session that lost its level", 200)
	wantAlive(t, heard, "one whose stream is open", 200)
}

func TestAnOpenStreamIsNotTakenFromItsClient(t *testing.T) {
	now := time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)
	k := sharedTalk(t, testServer(&mcp.Options{Clock: func() time.Time { return now }}), nil)
	var first *mcp.Call
	for i := range mostLeft {
		stream, open := k.open("2025-11-25").listens()
		if !open {
			t.Fatal("there is no room")
		}
		if i == 0 {
			first = stream
		}
	}
	other := k.open("2025-11-25")
	if _, open := other.listens(); open {
		t.Error("there is no bound")
	}
	if other.sets(setError) {
		t.Error("a level found room")
	}
	if status, _ := k.session.End(t.Context(), other.headers); status != 200 {
		t.Errorf("a session cannot be ended beside many streams: status %d", status)
	}
	first.Cancel()
	if _, open := k.open("2025-11-25").listens(); !open {
		t.Error("a stream that ended left no room")
	}
	now = now.Add(25 * time.Hour) // what expired makes room
	if _, open := k.open("2025-11-25").listens(); !open {
		t.Error("streams of expired sessions left no room")
	}
}

func TestAnEndedSessionStaysEndedWhateverOthersDo(t *testing.T) {
	if raceDetector {
		t.Skip("it takes long with the race detector, and one goroutine does all of it")
	}
	now := time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	k := sharedTalk(t, testServer(&mcp.Options{Clock: clock, ResourceUpdates: true}, fixed("x://世界", "A")), nil)
	end := func(old *talk) int {
		status, err := k.session.End(t.Context(), old.headers)
		if (err == nil) != (status == 200) {
			t.Fatalf("status %d, %v", status, err)
		}
		return status
	}
	first := k.open("2025-11-25")
	first.sets(setError)
	for i := range mostEnded {
		old := first
		if i > 0 {
			old = k.open("2025-11-25")
		}
		if status := end(old); status != 200 {
			t.Fatalf("session %d: status %d", i, status)
		}
	}
	late := k.open("2025-11-25")
	for range 2 {
		if status := end(late); status != 405 {
			t.Errorf("an end that cannot be remembered: status %d", status)
		}
	}
	wantAlive(t, late, "a session that could not be ended", 200)
	for range mostLeft + 1 {
		if !k.open("2025-11-25").sets(setError) {
			t.Fatal("ends take the room of settings")
		}
	}
	for range mostLeft + 1 {
		wantReply(t, k.open("2025-11-25").send(request("1", "resources/subscribe", `"uri":"x://世界"`)), answered("1", ""))
	}
	if _, open := k.open("2025-11-25").listens(); !open {
		t.Error("ends and subscriptions that nobody listens to take the room of streams")
	}
	wantAlive(t, first, "the first that ended", 404)
	if first.send(request("1", "logging/setLevel", setError)).status != 404 {
		t.Error("a session that ended is remembered again")
	}
	now = now.Add(24*time.Hour + time.Second)
	if status := end(k.open("2025-11-25")); status != 200 {
		t.Errorf("ends of expired sessions left no room: status %d", status)
	}
	wantAlive(t, first, "one whose end is forgotten, and whose token has expired", 404)
}

// A token is good wherever the server is served, so its end must be, too.
func TestASessionThatEndedOnOneEndpointHasEndedOnAll(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true})
	one, two := sharedTalk(t, server, nil), sharedTalk(t, server, nil)
	old := one.open("2025-11-25")
	there := two.as(old.headers)
	old.sets(setError)
	there.sets(setError)
	wantAlive(t, there, "a session of another endpoint", 200)
	if status, _ := two.session.End(t.Context(), old.headers); status != 200 {
		t.Fatalf("status %d", status)
	}
	wantAlive(t, there, "on the endpoint where it ended", 404)
	wantAlive(t, old, "on the other", 404)
	if status, _ := one.session.End(t.Context(), old.headers); status != 404 {
		t.Errorf("an end again: status %d", status)
	}
	sink := &tape{}
	if one.session.Stream(t.Context(), old.headers, sink).Serve() || sink.status != 404 {
		t.Errorf("a stream: status %d", sink.status)
	}
}
