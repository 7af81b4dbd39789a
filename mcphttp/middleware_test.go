package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestTheHandlerStandsBehindAMuxAndMiddleware(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		h := f.handler(t, nil)
		mux := http.NewServeMux()
		mux.Handle("/deep/mcp", http.StripPrefix("/deep", wrapping(h)))
		s := f.serveOver(t, proto, nil)
		s.Config.Handler = mux
		response := open(t, s.Client(), toolCall(t, s.URL+"/deep/mcp", "1", "steps", `{"steps":2}`, token))
		if response.Proto != proto {
			t.Errorf("got %s", response.Proto)
		}
		events := readEvents(t, response.Body)
		for range 3 {
			events.next()
		}
		events.end()
		response.Body.Close()
		response = open(t, s.Client(), toolCall(t, s.URL+"/deep/mcp", "1", "huge", `{"steps":1000000}`, ""))
		if n, err := io.Copy(io.Discard, response.Body); err != nil || n < 1_300_000 {
			t.Errorf("%s: got %d bytes, %v", proto, n, err)
		}
		response.Body.Close()
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			response, err := s.Client().Do(toolCall(t, s.URL+"/deep/mcp", "1", "quiet", "{}", "").WithContext(ctx))
			if err == nil {
				response.Body.Close()
			}
		}()
		<-f.started
		leave()
		<-f.cancelled
	}
}

// wrapping hides the interfaces of the response writer, except behind Unwrap.
func wrapping(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(wrapper{w}, r) })
}

type wrapper struct{ inner http.ResponseWriter }

func (w wrapper) Header() http.Header { return w.inner.Header() }

func (w wrapper) Write(p []byte) (int, error) { return w.inner.Write(p) }

func (w wrapper) WriteHeader(status int) { w.inner.WriteHeader(status) }

func (w wrapper) Unwrap() http.ResponseWriter { return w.inner }

func TestMiddlewareThatCannotFlushDelaysEventsAndThatIsAll(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, nil)
	s := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(struct{ http.ResponseWriter }{w}, r)
	}))
	a := do(t, toolCall(t, s.URL, "1", "steps", `{"steps":2}`, token)).expect(t, 200, eventType)
	events := readEvents(t, strings.NewReader(a.body))
	for range 3 {
		events.next()
	}
	events.end()
}

func TestTheCallerIsTheMiddlewares(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	mcp.AddTool(f.server, mcp.Tool{Name: "whoami", Description: "Who calls"}, func(ctx context.Context, _ none) (string, error) {
		return mcp.RequestFrom(ctx).Caller().ID, nil
	})
	h := f.handler(t, nil)
	s := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(mcp.WithCaller(r.Context(), mcp.Caller{ID: r.Header.Get("X-User")})))
	}))
	do(t, toolCall(t, s.URL, "1", "whoami", "{}", "", "X-User: ann")).expect(t, 200, jsonType).contains(t, `"text":"ann"`)
	// A session is its caller's alone.
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}, "X-User": {"ann"}}
	session := do(t, request(t, http.MethodPost, s.URL, header, fmt.Sprintf(initializeBody, older2025))).Header.Get("Mcp-Session-Id")
	for user, want := range map[string]int{"ann": 200, "bob": 404} {
		r := request(t, http.MethodPost, s.URL, header, legacyCall("1", "whoami", "{}"), "X-User: "+user, "Mcp-Session-Id: "+session)
		if a := do(t, r); a.StatusCode != want {
			t.Errorf("%s: got %d, want %d", user, a.StatusCode, want)
		}
	}
}
