package mcphttp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// interrupted begins a call whose stream has sent one notification, and whose client has left. It returns the last id that
// the client has seen.
func interrupted(t *testing.T, f *fixture, client *legacyClient) (lastID string) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	response, events := client.open(ctx, legacyCall("1", "wait", "{}"))
	defer response.Body.Close()
	for {
		e := events.next()
		lastID = e.id
		if e.data != "" {
			break
		}
	}
	<-f.started
	leave()
	return lastID
}

func TestAStreamIsResumedBehindTheLastEvent(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{batching2025, older2025, priming2025} {
		for _, order := range []string{"before the answer", "after the answer"} {
			f := newFixture(nil)
			s := f.serve(t, nil)
			client := initialize(t, s.URL, revision)
			lastID := interrupted(t, f, client)
			if order == "after the answer" {
				close(f.release)
			}
			response, events := client.get(t.Context(), "Last-Event-ID: "+lastID)
			defer response.Body.Close()
			if response.StatusCode != 200 || response.Header.Get("Content-Type") != eventType {
				t.Fatalf("%s, %s: got %d", revision, order, response.StatusCode)
			}
			if order == "before the answer" {
				close(f.release)
			}
			if e := events.next(); !strings.Contains(e.data, `"progress":2`) || e.id == "" {
				t.Errorf("%s, %s: got %+v", revision, order, e)
			}
			e := events.next()
			if got := textOf(t, e.data); got != "released" || e.id == "" {
				t.Errorf("%s, %s: got %+v", revision, order, e)
			}
			events.end()
			// What was delivered can be had again; what is before the given event is not repeated.
			response, events = client.get(t.Context(), "Last-Event-ID: "+lastID)
			defer response.Body.Close()
			events.next()
			if again := events.next(); again != e {
				t.Errorf("got %+v again, want %+v", again, e)
			}
			events.end()
		}
	}
}

func TestAClientThatResumesTakesTheStreamFromItsOwnEarlierConnection(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	client := initialize(t, s.URL, older2025)
	first, events := client.open(t.Context(), legacyCall("1", "wait", "{}"))
	defer first.Body.Close()
	id := events.next().id
	<-f.started
	second, resumed := client.get(t.Context(), "Last-Event-ID: "+id)
	defer second.Body.Close()
	resumed.read() // the comment with which the stream begins
	close(f.release)
	if e := resumed.next(); !strings.Contains(e.data, `"progress":2`) {
		t.Errorf("got %+v", e)
	}
	if got := textOf(t, resumed.next().data); got != "released" {
		t.Errorf("got %q", got)
	}
	events.end() // a message goes to one stream only
}

// A stream that nobody can ask for is used again; one that can be resumed is not.
func TestAStreamStaysThatOfItsCallWhateverIsCalledLater(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	client := initialize(t, f.serve(t, nil).URL, older2025)
	lastID := interrupted(t, f, client)
	for i := range 20 {
		client.post(legacyCall(fmt.Sprint(100+i), "add", `{"a":1,"b":2}`)).expect(t, 200, jsonType).contains(t, `"text":"3"`)
		if a := client.post(legacyCall(fmt.Sprint(200+i), "steps", `{"steps":2}`)).expect(t, 200, eventType); strings.Count(a.body, "data: {") != 3 {
			t.Fatalf("%d: got %q", i, a.body)
		}
	}
	close(f.release)
	response, events := client.get(t.Context(), "Last-Event-ID: "+lastID)
	defer response.Body.Close()
	if e := events.next(); !strings.Contains(e.data, `"progress":2`) {
		t.Errorf("got %+v", e)
	}
	if got := textOf(t, events.next().data); got != "released" {
		t.Errorf("got %q", got)
	}
	events.end()
}

func TestOtherEventIDsAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	client, other := initialize(t, s.URL, older2025), initialize(t, s.URL, older2025)
	lastID := interrupted(t, f, client)
	close(f.release)
	stream, number, _ := strings.Cut(lastID, "-")
	for _, tc := range []struct {
		name   string
		client *legacyClient
		id     string
	}{
		{"an unknown stream", client, "nothing-1"},
		{"no number", client, stream},
		{"a number that is none", client, stream + "-x"},
		{"an event before the first", client, stream + "-0"},
		{"an event that has not been", client, stream + "-99"},
		{"a negative number", client, stream + "--1"},
		{"a number that overflows", client, stream + "-99999999999999999999999"},
		{"a number with a sign", client, stream + "-+1"},
		{"another stream of the process", client, stream + "0-" + number},
		{"another session's stream", other, lastID},
		{"not ASCII", client, "世界"},
	} {
		response, _ := tc.client.get(t.Context(), "Last-Event-ID: "+tc.id)
		response.Body.Close()
		if response.StatusCode != 400 || response.Header.Get("Content-Type") != jsonType {
			t.Errorf("%s: got %d %q, want 400", tc.name, response.StatusCode, response.Header.Get("Content-Type"))
		}
	}
	response, _ := client.get(t.Context(), "Last-Event-ID: "+lastID, "Mcp-Session-Id: forged")
	response.Body.Close()
	if response.StatusCode != 404 {
		t.Errorf("a forged session: got %d, want 404", response.StatusCode)
	}
}

func TestEventsBeyondTheBoundsAreGoneAndSaySo(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		bytes  int
		steps  int
		status int
	}{
		{"within the bounds", 0, 1000, 200},
		{"too many events", 0, 1100, 400},
		{"too many bytes", 3000, 30, 400},
		{"nothing is kept", -1, 1, 0},
	} {
		s := newFixture(nil).serve(t, &mcphttp.Options{ResumeBytes: tc.bytes})
		client := initialize(t, s.URL, older2025)
		a := client.post(legacyCall("1", "steps", fmt.Sprintf(`{"steps":%d}`, tc.steps))).expect(t, 200, eventType).contains(t, "done 世界😀")
		first := readEvents(t, strings.NewReader(a.body)).next().id
		if (first == "") != (tc.status == 0) {
			t.Errorf("%s: got id %q", tc.name, first)
		}
		if first == "" {
			continue
		}
		response, _ := client.get(t.Context(), "Last-Event-ID: "+first)
		response.Body.Close()
		if response.StatusCode != tc.status {
			t.Errorf("%s: got %d, want %d", tc.name, response.StatusCode, tc.status)
		}
	}
}

func TestAnAnswerThatIsTooLargeToBeKeptIsSentAllTheSame(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, &mcphttp.Options{ResumeBytes: 20_000})
	client := initialize(t, s.URL, older2025)
	for _, size := range []int{10_000, 200_000} {
		a := client.post(legacyCall("1", "huge", fmt.Sprintf(`{"steps":%d}`, size)), "Accept: text/event-stream").expect(t, 200, eventType)
		events := readEvents(t, strings.NewReader(a.body))
		e := events.next()
		if e.id == "" || len(e.data) < size*4/3 || !strings.HasSuffix(e.data, "}") {
			t.Errorf("%d: got id %q and %d bytes", size, e.id, len(e.data))
		}
		events.end()
	}
}

func TestStreamsOfASessionAreBounded(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	client := initialize(t, s.URL, older2025)
	var ids []string
	for range 70 {
		a := client.post(legacyCall("1", "steps", `{"steps":1}`))
		ids = append(ids, readEvents(t, strings.NewReader(a.body)).next().id)
	}
	for i, want := range map[int]int{0: 400, 5: 400, 6: 200, 69: 200} {
		response, _ := client.get(t.Context(), "Last-Event-ID: "+ids[i])
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("stream %d of 70: got %d, want %d", i, response.StatusCode, want)
		}
	}
}

func TestTheStandaloneStreamIsResumed(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	s := f.serve(t, nil)
	client := initialize(t, s.URL, older2025)
	ctx, leave := context.WithCancel(t.Context())
	response, events := client.get(ctx)
	f.addTool(t, "one")
	e := events.next()
	leave()
	response.Body.Close()
	f.addTool(t, "two")
	f.addTool(t, "three")
	resumed, events := client.get(t.Context(), "Last-Event-ID: "+e.id)
	defer resumed.Body.Close()
	if resumed.StatusCode != 200 {
		t.Fatalf("got %d", resumed.StatusCode)
	}
	next := events.next()
	if !strings.Contains(next.data, changed) || next.id == e.id {
		t.Errorf("got %+v", next)
	}
}
