package mcphttp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// byUser is middleware that takes a header for who calls, as authentication would find out.
func byUser(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user := r.Header.Get("X-User"); user != "" {
			r = r.WithContext(mcp.WithCaller(r.Context(), mcp.Caller{ID: user}))
		}
		next.ServeHTTP(w, r)
	})
}

// strangers are the header lines of callers who are not ann.
var strangers = []string{"X-User: bob", "X-User:", "X-User: Ann", "X-User: ann2", "X-User: an"}

func TestASessionThatWasOverheardIsWorthNothingToAnotherCaller(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	mcp.AddTool(f.server, mcp.Tool{Name: "confirm", Description: "Asks"}, func(ctx context.Context, _ none) (string, error) {
		answer, err := mcp.Ask[sure](ctx, "sure", "Sure?")
		return fmt.Sprint("sure: ", answer.Sure), err
	})
	s := serveHandler(t, byUser(f.handler(t, nil)))
	hello := strings.Replace(fmt.Sprintf(initializeBody, priming2025), `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}, "X-User": {"ann"}}
	header.Set("Mcp-Session-Id", do(t, request(t, http.MethodPost, s.URL, header, hello)).expect(t, 200, jsonType).Header.Get("Mcp-Session-Id"))
	ann := &legacyClient{t, s.URL, header}

	stream, events := ann.open(t.Context(), legacyCall(`"世"`, "confirm", "{}"))
	defer stream.Body.Close()
	lastID := events.next().id
	asked := events.next()
	id := member(t, `{"result":`+asked.data+`}`, "id")
	for _, stranger := range strangers {
		for what, a := range map[string]answer{
			"a call":         ann.post(legacyCall("1", "add", `{"a":1,"b":2}`), stranger),
			"a batch":        ann.post(`[`+legacyCall("1", "add", `{"a":1,"b":2}`)+`]`, stranger),
			"an answer":      ann.post(`{"jsonrpc":"2.0","id":`+id+`,"result":{"action":"decline"}}`, stranger),
			"a cancellation": ann.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"世"}}`, stranger),
			"a stream":       do(t, request(t, http.MethodGet, s.URL, header, "", stranger)),
			"a resumption":   do(t, request(t, http.MethodGet, s.URL, header, "", stranger, "Last-Event-ID: "+lastID)),
			"an end":         do(t, request(t, http.MethodDelete, s.URL, header, "", stranger)),
		} {
			if a.StatusCode != http.StatusNotFound {
				t.Errorf("%s of %q in ann's session: got %d %s, want 404", what, stranger, a.StatusCode, a.body)
			}
		}
	}
	if ran := f.calls.Load(); ran != 0 {
		t.Errorf("the tool ran %d times", ran)
	}
	ann.post(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept","content":{"sure":true}}}`)
	if got := textOf(t, events.next().data); got != "sure: true" {
		t.Errorf("got %q", got)
	}
}

func TestStateThatWasOverheardIsWorthNothingToAnotherCaller(t *testing.T) {
	t.Parallel()
	h, err := mcphttp.NewHandler(newRuled(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	s := serveHandler(t, byUser(h))
	ask := confirming()
	ask.changes = []string{"X-User: ann"}
	state := question(t, ask.check(t, s.URL))
	for _, stranger := range strangers {
		r := retry(confirming(), state, saidYes)
		r.name, r.changes, r.want, r.never = stranger, []string{stranger}, []string{`"error":{"code":-32602,`}, []string{"sure:", "progress"}
		r.check(t, s.URL)
	}
	r := retry(ask, state, saidYes)
	r.want = []string{"sure: true"}
	r.check(t, s.URL)
}

func TestAnSSEStreamIsItsCallersAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	h, _ := f.serveSSE(t, nil)
	s := serveHandler(t, byUser(h))
	r := request(t, http.MethodGet, s.URL, http.Header{"Accept": {eventType}, "X-User": {"ann"}}, "")
	response := open(t, testClient, r)
	defer response.Body.Close()
	events := readEvents(t, response.Body)
	ann := &legacyClient{t, s.URL + events.next().data, http.Header{"Content-Type": {jsonType}, "X-User": {"ann"}}}
	for _, stranger := range strangers {
		for _, body := range []string{fmt.Sprintf(initializeBody, "2024-11-05"), legacyCall("1", "add", `{"a":1,"b":2}`), `{`} {
			if a := ann.post(body, stranger); a.StatusCode != http.StatusNotFound {
				t.Errorf("%s: got %d %s, want 404", stranger, a.StatusCode, a.body)
			}
		}
	}
	ann.post(fmt.Sprintf(initializeBody, "2024-11-05"))
	if e := events.next(); !strings.Contains(e.data, `"protocolVersion":"2024-11-05"`) {
		t.Errorf("got %+v, want nothing of others before it", e)
	}
	if ran := f.calls.Load(); ran != 0 {
		t.Errorf("the tool ran %d times", ran)
	}
}
