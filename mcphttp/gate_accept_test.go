package mcphttp_test

import (
	"net/http"
	"testing"
)

func TestAcceptDecidesWhichAnswersAreTaken(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	for _, tc := range []struct {
		name, accept string
		quiet, loud  string // the type of the answer without and with notifications, "" for 406
	}{
		{"both, as clients must", "application/json, text/event-stream", jsonType, eventType},
		{"both the other way round", "text/event-stream,application/json", jsonType, eventType},
		{"in capitals with weights", "Application/JSON;q=0.5, TEXT/event-stream; q=0.1", jsonType, eventType},
		{"absent", "", jsonType, eventType},
		{"everything", "*/*", jsonType, eventType},
		{"families", "application/*, text/*", jsonType, eventType},
		{"JSON only", "application/json", jsonType, jsonType},
		{"JSON by its family", "application/*;q=0.9", jsonType, jsonType},
		{"events only", "text/event-stream", eventType, eventType},
		{"everything but JSON", "*/*, application/json;q=0", eventType, eventType},
		{"everything but events", "*/*;q=0.8, text/event-stream;q=0.000", jsonType, jsonType},
		{"neither", "image/png", "", ""},
		{"neither by weight", "application/json;q=0, text/event-stream;q=0.0", "", ""},
		{"nothing at all by weight", "*/*;q=0", "", ""},
		{"nonsense", ",;,/,", "", ""},
	} {
		for _, kind := range []struct{ tool, arguments, want string }{
			{"add", `{"a":2,"b":3}`, tc.quiet}, {"steps", `{"steps":2}`, tc.loud},
		} {
			r := toolCall(t, s.URL, "1", kind.tool, kind.arguments, token, "Accept: "+tc.accept)
			a := do(t, r)
			switch {
			case kind.want == "" && a.StatusCode != http.StatusNotAcceptable:
				t.Errorf("%s: %s: got %d, want 406", tc.name, kind.tool, a.StatusCode)
			case kind.want != "" && (a.StatusCode != 200 || a.Header.Get("Content-Type") != kind.want):
				t.Errorf("%s: %s: got %d %q, want %q", tc.name, kind.tool, a.StatusCode, a.Header.Get("Content-Type"), kind.want)
			}
		}
	}
}

func TestAGetNeedsAClientThatTakesEvents(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, nil)
	for accept, want := range map[string]int{
		"text/event-stream":                   400, // the session is missing, so the gate was passed
		"application/json, text/event-stream": 400,
		"*/*":                                 406,
		"":                                    406,
		"application/json":                    406,
		"text/event-stream;q=0":               406,
	} {
		if got := record(h, arrive(t, "127.0.0.1", http.MethodGet, "/", http.Header{}, "", "Accept: "+accept)); got.Code != want {
			t.Errorf("%q: got %d %s, want %d", accept, got.Code, got.Body, want)
		}
	}
}
