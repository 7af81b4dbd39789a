package mcphttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// sly is a response writer of middleware that does something of its own on the first write.
type sly struct {
	http.ResponseWriter
	do func(w http.ResponseWriter, p []byte) (int, error)
}

func (s *sly) Write(p []byte) (int, error) { return s.do(s.ResponseWriter, p) }
func (s *sly) Unwrap() http.ResponseWriter { return s.ResponseWriter }
func (s *sly) WriteHeader(status int)      { s.ResponseWriter.WriteHeader(status) }
func (s *sly) bare() http.ResponseWriter   { return struct{ http.ResponseWriter }{s} }
func through(w http.ResponseWriter) *sly   { return &sly{w, http.ResponseWriter.Write} }
func hijack(w http.ResponseWriter, _ []byte) (int, error) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		conn.Close()
	}
	return 0, http.ErrHijacked
}

var errFull = errors.New("the disk is full")

// strange is middleware as programs have it by mistake.
var strange = map[string]func(h http.Handler, w http.ResponseWriter, r *http.Request){
	"neither Flush nor Unwrap": func(h http.Handler, w http.ResponseWriter, r *http.Request) { h.ServeHTTP(through(w).bare(), r) },
	"it panics behind": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		panic(http.ErrAbortHandler)
	},
	"it has taken the connection": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		_, _ = hijack(w, nil)
		h.ServeHTTP(w, r)
	},
	"it takes the connection in a write": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&sly{w, hijack}, r)
	},
	"its writes fail": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&sly{w, func(http.ResponseWriter, []byte) (int, error) { return 0, errFull }}, r)
	},
	"its writes are short": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&sly{w, func(w http.ResponseWriter, p []byte) (int, error) { return w.Write(p[:len(p)/2]) }}, r)
	},
	"it serves twice": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		h.ServeHTTP(w, r)
	},
	"its context has ended": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		cancel()
		h.ServeHTTP(w, r.WithContext(ctx))
	},
	"it has read the body": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h.ServeHTTP(w, r)
	},
	"it has closed the body": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		r.Body.Close()
		h.ServeHTTP(w, r)
	},
	"it has answered": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		h.ServeHTTP(w, r)
	},
	"it takes its time": func(h http.Handler, w http.ResponseWriter, r *http.Request) {
		http.TimeoutHandler(h, 20*time.Millisecond, "too late").ServeHTTP(w, r)
	},
}

// Whatever middleware does, it spoils its own requests only, and neither the process nor the server's end hangs on it.
func TestStrangeMiddlewareSpoilsItsOwnRequestsOnly(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(&mcp.Options{Dynamic: true})
		h := f.handler(t, &mcphttp.Options{ResumeWindow: 100 * time.Millisecond})
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if do := strange[r.Header.Get("X-Strange")]; do != nil {
				do(h, w, r)
				return
			}
			h.ServeHTTP(w, r)
		}))
		s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0) // net/http has much to say about these
		s.EnableHTTP2 = proto == "HTTP/2.0"
		s.StartTLS()
		header := initializeWith(t, s.Client(), s.URL, priming2025)
		id := 0
		var group sync.WaitGroup
		for name := range strange {
			mark := "X-Strange: " + name
			id++
			legacy := func(body string) *http.Request { return request(t, http.MethodPost, s.URL, header, body, mark) }
			for _, r := range []*http.Request{
				toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, "", mark),
				toolCall(t, s.URL, "1", "steps", `{"steps":3}`, token, mark),
				toolCall(t, s.URL, "1", "huge", `{"steps":300000}`, "", mark),
				toolCall(t, s.URL, "1", "quiet", `{}`, "", mark),
				request(t, http.MethodPost, s.URL, modernHeaders("subscriptions/listen", ""), listenBody("1"), mark),
				request(t, http.MethodGet, s.URL, header, "", "Accept: text/event-stream", mark),
				legacy(fmt.Sprintf(initializeBody, priming2025)),
				legacy(legacyCall(fmt.Sprint(id), "add", `{"a":1,"b":2}`)),
				legacy(legacyCall(fmt.Sprint(id, "1"), "steps", `{"steps":3}`)),
				legacy(legacyCall(fmt.Sprint(id, "2"), "huge", `{"steps":300000}`)),
				legacy(legacyCall(fmt.Sprint(id, "3"), "reconnect", `{}`)),
			} {
				group.Go(func() { brief(t, s.Client(), r) })
			}
		}
		group.Wait()
		answerOfArmed(t, s.Client(), "afterwards", toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, ""))
		answerOfArmed(t, s.Client(), "afterwards", request(t, http.MethodPost, s.URL, header, legacyCall("0", "steps", `{"steps":3}`)))
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		if err := h.Drain(ctx); err != nil {
			t.Errorf("%s: %v", proto, err)
		}
		stop()
		s.CloseClientConnections()
		s.Close()
	}
}

// brief takes what comes in a short time and leaves.
func brief(t *testing.T, client *http.Client, r *http.Request) {
	ctx, leave := context.WithTimeout(t.Context(), 40*time.Millisecond)
	defer leave()
	if response, err := client.Do(r.WithContext(ctx)); err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}
