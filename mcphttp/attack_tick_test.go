package mcphttp_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// lingering is the response of a program's middleware, which takes its time when it is asked what is below it.
type lingering struct{ http.ResponseWriter }

func (l lingering) Unwrap() http.ResponseWriter {
	wait(16 * time.Second)
	return opaque(l)
}

func (l lingering) Flush() { l.ResponseWriter.(http.Flusher).Flush() }

func (l lingering) SetWriteDeadline(time.Time) error { return nil }

type opaque struct{ http.ResponseWriter }

// The time for which a call is quiet begins before its handler does.
func TestACallThatIsKeptAliveBeforeItRunsLosesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, network := newFixture(nil), newMemory()
		h := f.handler(t, nil)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(lingering{w}, r)
		})}
		served := make(chan error, 1)
		go func() { served <- server.Serve(network) }()
		header := initializeWith(t, network.client(t), memoryURL, priming2025)
		response := open(t, network.client(t), request(t, http.MethodPost, memoryURL, header, legacyCall("1", "steps", `{"steps":3}`)))
		text := read(t, response)
		response.Body.Close()
		if got := strings.Count(text, "notifications/progress"); got != 3 || !strings.Contains(text, "done 世界😀") {
			t.Errorf("got %d of 3 notifications in %q", got, text)
		}
		server.Close()
		<-served
	})
}
