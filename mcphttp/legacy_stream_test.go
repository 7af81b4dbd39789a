package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

const (
	priming2025  = "2025-11-25"
	older2025    = "2025-06-18"
	batching2025 = "2025-03-26"
)

func TestAStreamOfAnOlderRevisionHasEventIDs(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	for _, revision := range []string{batching2025, older2025, priming2025} {
		client := initialize(t, s.URL, revision)
		a := client.post(legacyCall("1", "steps", `{"steps":2}`)).expect(t, 200, eventType)
		events := readEvents(t, strings.NewReader(a.body))
		if revision == priming2025 {
			if e := events.next(); e.id == "" || e.data != "" || !e.hasData || e.retry == "" {
				t.Errorf("%s: first comes an event with an id, empty data and a retry time, got %+v", revision, e)
			}
		}
		seen := map[string]bool{}
		for range 3 {
			e := events.next()
			if e.id == "" || seen[e.id] || e.retry != "" || e.data == "" {
				t.Errorf("%s: got %+v", revision, e)
			}
			seen[e.id] = true
		}
		events.end()
		client.post(legacyCall("2", "add", `{"a":1,"b":2}`)).expect(t, 200, jsonType).contains(t, `"text":"3"`)
	}
}

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

func TestTheCallOfAClientThatHasLeftEndsWithTheWindow(t *testing.T) {
	bubble(t, nil, func(t *testing.T, f *fixture, network *memory) {
		client := &http.Client{Transport: &http.Transport{DialContext: network.dial, DisableKeepAlives: true}}
		for _, tool := range []string{"wait", "quiet"} {
			session := bubbleSession(t, client)
			ctx, leave := context.WithCancel(t.Context())
			body := strings.Replace(legacyCall("1", tool, "{}"), `"progressToken":7`, "", 1)
			if tool == "wait" {
				body = legacyCall("1", tool, "{}")
			}
			go func() {
				response, err := client.Do(request(t, http.MethodPost, memoryURL, session, body).WithContext(ctx))
				if err == nil {
					_, _ = readEvents(t, response.Body).read()
					<-ctx.Done()
					response.Body.Close()
				}
			}()
			<-f.started
			synctest.Wait()
			leave()
			left := time.Now()
			<-f.cancelled
			// That a client has left is noticed with the next write or look, every 15 s.
			if waited := time.Since(left); waited < time.Minute || waited > 75*time.Second {
				t.Errorf("%s: cancelled after %v, want some 60 s", tool, waited)
			}
		}
	})
}

func TestACallWithoutASessionOrAStreamEndsWithTheWindowToo(t *testing.T) {
	bubbleOf(t, &mcp.Options{Legacy: mcp.LegacySessionless}, nil, func(t *testing.T, f *fixture, network *memory) {
		client := &http.Client{Transport: &http.Transport{DialContext: network.dial, DisableKeepAlives: true}}
		for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
			for _, stayed := range []time.Duration{0, 50 * time.Second} {
				ctx, leave := context.WithCancel(t.Context())
				go func() {
					header := http.Header{"Content-Type": {jsonType}, "Accept": {accept}}
					body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quiet","arguments":{}}}`
					response, err := client.Do(request(t, http.MethodPost, memoryURL, header, body).WithContext(ctx))
					if err == nil {
						_, _ = io.Copy(io.Discard, response.Body)
						response.Body.Close()
					}
				}()
				<-f.started
				wait(stayed)
				synctest.Wait()
				leave()
				left := time.Now()
				<-f.cancelled
				if waited := time.Since(left); waited < time.Minute || waited > 75*time.Second {
					t.Errorf("%s: cancelled %v after a client left that had stayed for %v, want some 60 s", accept, waited, stayed)
				}
			}
		}
	})
}

// bubbleSession opens a session inside a bubble.
func bubbleSession(t *testing.T, client *http.Client) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	response := open(t, client, request(t, http.MethodPost, memoryURL, header, fmt.Sprintf(initializeBody, older2025)))
	response.Body.Close()
	header.Set("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
	return header
}

func TestReconnectEndsTheConnectionAndNotTheStream(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(nil)
		s := f.serveOver(t, proto, nil)
		client := initializeWith(t, s.Client(), s.URL, priming2025)
		response := open(t, s.Client(), request(t, http.MethodPost, s.URL, client, legacyCall("1", "reconnect", "{}")))
		defer response.Body.Close()
		if response.Proto != proto {
			t.Fatalf("got %s, want %s", response.Proto, proto)
		}
		events := readEvents(t, response.Body)
		first := events.next()
		if first.id == "" || first.data != "" {
			t.Errorf("%s: got %+v, want the priming event", proto, first)
		}
		if e := events.next(); e.retry != "25" || e.hasData {
			t.Errorf("%s: got %+v, want the retry time", proto, e)
		}
		events.end() // cleanly, while the call runs on
		<-f.started
		resumed := open(t, s.Client(), request(t, http.MethodGet, s.URL, client, "", "Last-Event-ID: "+first.id, "Accept: text/event-stream"))
		defer resumed.Body.Close()
		close(f.release)
		events = readEvents(t, resumed.Body)
		for _, want := range []string{`"progress":1`, `"progress":2`, "released"} {
			if e := events.next(); !strings.Contains(e.data, want) {
				t.Errorf("%s: got %+v, want %s", proto, e, want)
			}
		}
		events.end()
	}
}

func TestReconnectIsNothingToAnOlderClient(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	close(f.release)
	initialize(t, s.URL, older2025).post(legacyCall("1", "reconnect", "{}")).contains(t, "released")
	do(t, toolCall(t, s.URL, "1", "reconnect", "{}", "")).expect(t, 200, jsonType).contains(t, "released")
}

func TestTheStandaloneStreamTellsOfChanges(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{older2025, priming2025} {
		f := newFixture(&mcp.Options{Dynamic: true})
		s := f.serve(t, nil)
		client := initialize(t, s.URL, revision)
		first, events := client.get(t.Context())
		if first.StatusCode != 200 || first.Header.Get("Content-Type") != eventType {
			t.Fatalf("got %d", first.StatusCode)
		}
		defer first.Body.Close()
		if revision == priming2025 {
			if e := events.next(); e.id == "" || e.data != "" || e.retry == "" {
				t.Errorf("got %+v, want the priming event", e)
			}
		}
		f.addTool(t, "one")
		e := events.next()
		if !strings.Contains(e.data, changed) || e.id == "" {
			t.Errorf("got %+v", e)
		}
		// A second stream takes the place of the first.
		second, later := client.get(t.Context())
		defer second.Body.Close()
		events.end()
		if revision == priming2025 {
			later.next()
		}
		f.addTool(t, "two")
		if e := later.next(); !strings.Contains(e.data, changed) {
			t.Errorf("got %+v", e)
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

func TestDeleteEndsTheSessionAndItsStreams(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	s := f.serve(t, nil)
	client := initialize(t, s.URL, older2025)
	lastID := interrupted(t, f, client)
	response, events := client.get(t.Context())
	defer response.Body.Close()
	a := do(t, request(t, http.MethodDelete, s.URL, client.header, "", "Content-Type:"))
	if a.StatusCode != 200 || a.body != "" {
		t.Fatalf("got %d %q", a.StatusCode, a.body)
	}
	<-f.cancelled
	events.end()
	for name, r := range map[string]*http.Request{
		"POST":   request(t, http.MethodPost, s.URL, client.header, legacyCall("1", "add", "{}")),
		"GET":    request(t, http.MethodGet, s.URL, client.header, "", "Accept: text/event-stream"),
		"resume": request(t, http.MethodGet, s.URL, client.header, "", "Accept: text/event-stream", "Last-Event-ID: "+lastID),
		"DELETE": request(t, http.MethodDelete, s.URL, client.header, ""),
	} {
		if a := do(t, r); a.StatusCode != 404 {
			t.Errorf("%s: got %d, want 404", name, a.StatusCode)
		}
	}
	if a := do(t, request(t, http.MethodDelete, s.URL, nil, "")); a.StatusCode != 400 {
		t.Errorf("without a session: got %d, want 400", a.StatusCode)
	}
}

func TestSharedKeysLeaveNoDelete(t *testing.T) {
	t.Parallel()
	s := newFixture(&mcp.Options{Keys: [][]byte{[]byte("0123456789abcdef0123456789abcdef")}}).serve(t, nil)
	client := initialize(t, s.URL, older2025)
	a := do(t, request(t, http.MethodDelete, s.URL, client.header, ""))
	if a.StatusCode != 405 || !strings.Contains(a.Header.Get("Allow"), "POST") || strings.Contains(a.Header.Get("Allow"), "DELETE") {
		t.Errorf("got %d, Allow %q", a.StatusCode, a.Header.Get("Allow"))
	}
}

func TestABatchIsAnsweredAsOneArray(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	client := initialize(t, s.URL, batching2025)
	a := client.post("["+legacyCall("1", "add", `{"a":1,"b":2}`)+","+legacyCall("2", "echo", `{"text":"世界😀"}`)+"]").expect(t, 200, jsonType)
	a.contains(t, `[{"jsonrpc":"2.0","id":1,`, `{"jsonrpc":"2.0","id":2,`, "世界😀")
	a = client.post(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}]`)
	if a.StatusCode != 202 || a.body != "" {
		t.Errorf("got %d %q, want 202", a.StatusCode, a.body)
	}
	client.post("["+legacyCall("1", "steps", `{"steps":1}`)+"]").expect(t, 200, eventType).contains(t, `data: [{"jsonrpc"`)
}
