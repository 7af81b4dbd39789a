package mcphttp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// abandoner is a client that opens streams and leaves them.
type abandoner struct {
	t      *testing.T
	client *http.Client
	header http.Header
	many   bool // each stream is one of a session of its own
}

// abandon leaves one stream and returns the id of its first event.
func (a *abandoner) abandon() (lastID string) {
	a.t.Helper()
	if a.header == nil || a.many {
		a.header = initializeWith(a.t, a.client, memoryURL, priming2025)
	}
	r := request(a.t, http.MethodGet, memoryURL, a.header, "", "Accept: text/event-stream")
	ctx, leave := context.WithCancel(a.t.Context())
	defer leave()
	response := open(a.t, a.client, r.WithContext(ctx))
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		a.t.Fatalf("got %d", response.StatusCode)
	}
	first, _ := readEvents(a.t, response.Body).read()
	return first.id
}

// resume is the status of an attempt to go on with a stream.
func (a *abandoner) resume(session http.Header, lastID string) int {
	a.t.Helper()
	ctx, leave := context.WithCancel(a.t.Context())
	defer leave()
	r := request(a.t, http.MethodGet, memoryURL, session, "", "Accept: text/event-stream", "Last-Event-ID: "+lastID)
	response := open(a.t, a.client, r.WithContext(ctx))
	defer response.Body.Close()
	return response.StatusCode
}

// Each stream that a client leaves waits for a while. Thousands of them in that time must not add up.
func TestStreamsThatAreOpenedAndLeftAreBounded(t *testing.T) {
	const vacant = 1024 // standalone streams that wait at a time
	for _, many := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f, network := newFixture(&mcp.Options{Dynamic: true}), newMemory()
			s := &http.Server{Handler: f.handler(t, &mcphttp.Options{ResumeWindow: 10 * time.Minute})}
			served := make(chan error, 1)
			go func() { served <- s.Serve(network) }()
			a := abandoner{t: t, client: network.client(t), many: many}
			firstID := a.abandon()
			first := a.header
			for range vacant {
				a.abandon()
			}
			lostID := a.abandon()
			lost := a.header
			wait(31 * time.Second) // so that the connections are forgotten, but not the streams
			synctest.Wait()
			before := used()
			const more = 1000 // so that what the heap differs by itself is little for each
			lastID := ""
			for range more {
				lastID = a.abandon()
			}
			if code := a.resume(lost, lostID); many && code != http.StatusOK {
				t.Errorf("a stream that waits is resumed with %d", code)
			}
			wait(31 * time.Second)
			synctest.Wait()
			if left := (used() - before) / more; left > 1<<10 {
				t.Errorf("each stream left %d bytes", left)
			}
			if code := a.resume(first, firstID); code != http.StatusBadRequest {
				t.Errorf("the first stream is resumed with %d, want 400", code)
			}
			if code := a.resume(a.header, lastID); code != http.StatusOK {
				t.Errorf("the last stream is resumed with %d", code)
			}
			s.Close()
			network.Close()
			<-served
		})
	}
}

// What is not told waits for the stream that the client opens next, as long as the client is remembered. Nothing in the
// revisions asks for more: a client that stays away has to list again.
func TestAChangeBetweenTwoStreamsIsToldWithinTheWindow(t *testing.T) {
	for _, away := range []time.Duration{0, 50 * time.Second, 70 * time.Second} {
		t.Run(fmt.Sprint(away), func(t *testing.T) {
			bubbleOf(t, &mcp.Options{Dynamic: true}, nil, func(t *testing.T, f *fixture, network *memory) {
				a := abandoner{t: t, client: network.client(t)}
				a.abandon()
				synctest.Wait()
				f.addTool(t, "between")
				f.addTool(t, "between-too")
				wait(away)
				response := open(t, a.client, request(t, http.MethodGet, memoryURL, a.header, "", "Accept: text/event-stream"))
				told := 0
				go func() {
					events := readEvents(t, response.Body)
					for e, ok := events.read(); ok; e, ok = events.read() {
						if strings.Contains(e.data, changed) {
							told++
						}
					}
				}()
				synctest.Wait()
				want := 1
				if away > time.Minute {
					want = 0
				}
				if told != want {
					t.Errorf("told %d times of what was between, want %d", told, want)
				}
				f.addTool(t, "later")
				synctest.Wait()
				if told != want+1 {
					t.Errorf("told %d times in all, want %d", told, want+1)
				}
			})
		})
	}
}
