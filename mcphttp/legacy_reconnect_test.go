package mcphttp_test

import (
	"net/http"
	"strings"
	"testing"
)

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
