package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func TestOfStandaloneStreamsThatRaceOneIsLeftAndToldOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	h := f.handler(t, nil)
	s := serveHandler(t, h)
	client := initialize(t, s.URL, priming2025)
	const racing = 40
	told := make(chan int, racing)
	var opened, ended sync.WaitGroup
	for range racing {
		opened.Add(1)
		ended.Go(func() {
			response, events := client.get(t.Context())
			defer response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Errorf("got %d", response.StatusCode)
			}
			_, _ = events.read()
			opened.Done()
			changes := 0
			for e, ok := events.read(); ok; e, ok = events.read() {
				if strings.Contains(e.data, changed) {
					changes++
				}
			}
			told <- changes
		})
	}
	opened.Wait()
	f.addTool(t, "more")
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	ended.Wait()
	close(told)
	sum := 0
	for n := range told {
		sum += n
	}
	if sum != 1 {
		t.Errorf("the change was told %d times, want once", sum)
	}
}

// What a client does with a session while it is being ended is done or refused, and nothing is left of it.
func TestRequestsThatRaceTheEndOfTheirSessionAreServedOrRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true, ResourceUpdates: true})
	mcp.AddFixedResource(f.server, mcp.Resource{URI: "x://a", Name: "a"}, "a")
	h := f.handler(t, nil)
	s := serveHandler(t, h)
	for range 10 {
		client := initialize(t, s.URL, priming2025)
		var group sync.WaitGroup
		for i := range 48 {
			group.Go(func() {
				var r *http.Request
				switch i % 6 {
				case 0:
					r = request(t, http.MethodDelete, s.URL, client.header, "")
				case 1:
					r = request(t, http.MethodGet, s.URL, client.header, "", "Accept: text/event-stream")
				case 2:
					r = request(t, http.MethodPost, s.URL, client.header, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"logging/setLevel","params":{"level":"error"}}`, i))
				case 3:
					r = request(t, http.MethodPost, s.URL, client.header, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"x://a"}}`, i))
				case 4:
					r = request(t, http.MethodPost, s.URL, client.header, legacyCall(fmt.Sprint(i), "steps", `{"steps":20}`))
				default:
					r = request(t, http.MethodPost, s.URL, client.header, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i-1))
				}
				response, err := testClient.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				defer response.Body.Close()
				if _, err := io.Copy(io.Discard, response.Body); err != nil {
					t.Error(err)
				}
				if code := response.StatusCode; code != 200 && code != 202 && code != 404 && code != 503 {
					t.Errorf("%s %d: got %d", r.Method, i, code)
				}
			})
		}
		group.Wait() // a stream that did not end would hang here
		if a := client.post(legacyCall("99", "add", `{"a":1,"b":2}`)); a.StatusCode != http.StatusNotFound {
			t.Errorf("after the end: got %d, want 404", a.StatusCode)
		}
	}
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}

// A client that comes back again and again, from wherever it was, while its call is writing: no event is lost, repeated or out
// of order, and none is of another stream.
func TestAClientThatResumesWhileTheCallWritesMissesNothing(t *testing.T) {
	t.Parallel()
	const steps = 400
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(nil)
		s := f.serveOver(t, proto, &mcphttp.Options{MaxRequests: 4096})
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				header := initializeWith(t, s.Client(), s.URL, priming2025)
				r := request(t, http.MethodPost, s.URL, header, legacyCall("1", "steps", fmt.Sprintf(`{"steps":%d}`, steps)))
				lastID, seen := "", 0
				for rounds := 0; ; rounds++ {
					ctx, leave := context.WithCancel(t.Context())
					response := open(t, s.Client(), r.WithContext(ctx))
					if response.StatusCode != http.StatusOK {
						t.Errorf("round %d after %s: got %d", rounds, lastID, response.StatusCode)
						leave()
						return
					}
					var done bool
					lastID, seen, done = follow(t, response.Body, lastID, seen, 1+rand.IntN(60))
					leave()
					response.Body.Close()
					if done {
						break
					}
					r = request(t, http.MethodGet, s.URL, header, "", "Accept: text/event-stream", "Last-Event-ID: "+lastID)
				}
				if seen != steps {
					t.Errorf("%s: saw %d steps of %d", proto, seen, steps)
				}
			})
		}
		group.Wait()
	}
}

// follow reads some events of a call of steps, each of which must be the one behind the last, and reports whether the answer
// was among them.
func follow(t *testing.T, body io.Reader, lastID string, seen, most int) (string, int, bool) {
	events := readEvents(t, body)
	for range most {
		e, ok := events.read()
		if !ok {
			t.Errorf("the stream ended after %s", lastID)
			return lastID, seen, true
		}
		if e.comment {
			continue
		}
		stream, _, _ := strings.Cut(lastID, "-")
		if lastID != "" && !strings.HasPrefix(e.id, stream+"-") {
			t.Errorf("event %s is of another stream than %s", e.id, lastID)
		}
		lastID = e.id
		switch {
		case strings.Contains(e.data, `"result"`):
			return lastID, seen, true
		case strings.Contains(e.data, `"progress"`):
			seen++
			if !strings.Contains(e.data, fmt.Sprintf(`"progress":%d,`, seen)) {
				t.Errorf("got %s, want step %d", e.data, seen)
			}
		}
	}
	return lastID, seen, false
}
