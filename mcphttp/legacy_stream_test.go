package mcphttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
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
