package mcphttp_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/mcphttp"
)

// Middleware may have wrapped the response or wait for the handler, and a server of the program's own knows nothing of us.
func TestOnlyAServerOfOursWithoutMiddlewareHoldsStreams(t *testing.T) {
	t.Parallel()
	wrap := func(next http.Handler) http.Handler { return next }
	for _, tc := range []struct {
		name  string
		serve func(t *testing.T, f *fixture) (url string)
		held  bool
	}{
		{"ours", func(t *testing.T, f *fixture) string { return f.listenToTheEnd(t, mcphttp.Options{}) }, true},
		{"ours, with middleware", func(t *testing.T, f *fixture) string { return f.listenToTheEnd(t, mcphttp.Options{Wrap: wrap}) }, false},
		{"the program's own", func(t *testing.T, f *fixture) string { return f.serve(t, nil).URL }, false},
	} {
		f := newFixture(dynamic)
		url := tc.serve(t, f)
		response := open(t, testClient, listenRequest(t, url, "1"))
		defer response.Body.Close()
		if response.Close != tc.held {
			t.Errorf("%s: the connection is closed behind the stream: %v, want %v", tc.name, response.Close, tc.held)
		}
		events := readEvents(t, response.Body)
		events.next()
		f.addTool(t, "more")
		if e := events.next(); !strings.Contains(e.data, changed) {
			t.Errorf("%s: got %s", tc.name, e.data)
		}
		a := do(t, toolCall(t, url, "1", "steps", `{"steps":1}`, token)).expect(t, 200, eventType)
		if a.Close {
			t.Errorf("%s: the connection is closed behind a call, which ends by itself", tc.name)
		}
	}
}

// listenToTheEnd is listen until the test ends; it returns the URL of the endpoint.
func (f *fixture) listenToTheEnd(t *testing.T, o mcphttp.Options) (url string) {
	t.Helper()
	base, stop := f.listen(t, o)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return base + "/mcp"
}

func TestAStreamOverHTTP1Point0IsNotHeld(t *testing.T) {
	bubbleOf(t, dynamic, nil, func(t *testing.T, f *fixture, network *memory) {
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		body := listenBody("1")
		go fmt.Fprintf(conn, "POST /mcp HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: %s\r\n"+
			"Mcp-Method: subscriptions/listen\r\nContent-Length: %d\r\n\r\n%s", modernRevision, len(body), body)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		events := readEvents(t, response.Body)
		events.next()
		f.addTool(t, "more")
		if e := events.next(); !strings.Contains(e.data, changed) {
			t.Errorf("got %s", e.data)
		}
	})
}

// A held stream is one goroutine with a small stack and what it hears of. The connection of this test's client, some 1.5 KiB, is
// in the figure.
func TestAHeldStreamIsOneGoroutineAndLittleMemory(t *testing.T) {
	f := newFixture(dynamic)
	url := f.listenToTheEnd(t, mcphttp.Options{})
	hold := func(n int) {
		for range n {
			conn, lines := dialed(t, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
			t.Cleanup(func() { conn.Close() })
			if err := listenRequest(t, url, "1").Write(conn); err != nil {
				t.Fatal(err)
			}
			waitFor(t, lines, "data: ")
		}
	}
	const streams = 500
	hold(50)
	before, goroutines := used(), runtime.NumGoroutine()
	hold(streams)
	cost := (used() - before) / streams
	t.Logf("a held stream costs %d bytes", cost)
	if cost > 10<<10 && !raceDetector {
		t.Error("that is more than 10 KiB")
	}
	more := runtime.NumGoroutine() - goroutines
	for i := 0; i < 100 && more > streams; i++ {
		<-time.After(10 * time.Millisecond) // those of net/http leave as soon as they are let
		more = runtime.NumGoroutine() - goroutines
	}
	if more > streams {
		t.Errorf("%d streams are %d goroutines", streams, more)
	}
}

func waitFor(t *testing.T, lines *bufio.Reader, prefix string) {
	t.Helper()
	for line := ""; !strings.HasPrefix(line, prefix); {
		var err error
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAHeldStreamOfAnOlderRevisionGoesOnElsewhere(t *testing.T) {
	for _, revision := range []string{batching2025, older2025, priming2025} {
		t.Run(revision, func(t *testing.T) {
			bubbleOf(t, dynamic, nil, func(t *testing.T, f *fixture, network *memory) {
				header := initializeWith(t, network.client(t), memoryURL, revision)
				get := func(changes ...string) (*http.Response, *eventReader, context.CancelFunc) {
					ctx, leave := context.WithCancel(t.Context())
					changes = append(changes, "Accept: text/event-stream")
					response := open(t, network.client(t), request(t, http.MethodGet, memoryURL, header, "", changes...).WithContext(ctx))
					return response, readEvents(t, response.Body), leave
				}
				first, events, leave := get()
				if first.StatusCode != http.StatusOK || !first.Close {
					t.Fatalf("got %d, close %v", first.StatusCode, first.Close)
				}
				f.addTool(t, "one")
				last := events.until(changed)
				leave()
				wait(1)
				f.addTool(t, "two") // while nobody is there
				resumed, events, leave := get("Last-Event-ID: " + last.id)
				defer leave()
				if !resumed.Close {
					t.Error("what is resumed is not held")
				}
				if e := events.until(changed); e.id == "" || e.id == last.id {
					t.Errorf("got %+v", e)
				}
				// Another stream takes its place, and DELETE ends that.
				_, later, leave := get()
				defer leave()
				if _, err := io.Copy(io.Discard, resumed.Body); err != nil {
					t.Errorf("the stream that was replaced is broken off: %v", err)
				}
				f.addTool(t, "three")
				later.until(changed)
				ended := open(t, network.client(t), request(t, http.MethodDelete, memoryURL, header, "", "Content-Type:"))
				ended.Body.Close()
				later.end()
			})
		})
	}
}

// until returns the next event with a text in its data.
func (r *eventReader) until(text string) event {
	r.t.Helper()
	for {
		if e := r.next(); strings.Contains(e.data, text) {
			return e
		}
	}
}

func dialed(t *testing.T, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReaderSize(conn, 512)
}

func TestAStreamOverTLSIsHeld(t *testing.T) {
	t.Parallel()
	trusted := newHTTP2(t, http.NotFoundHandler()) // has a certificate, and a client that knows it
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: trusted.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(dynamic)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcphttp.Serve(ctx, listener, f.server, nil) }()
	response := open(t, trusted.Client(), listenRequest(t, "https://"+listener.Addr().String()+"/mcp", "1"))
	defer response.Body.Close()
	if !response.Close {
		t.Error("the stream is not held")
	}
	events := readEvents(t, response.Body)
	events.next()
	for _, name := range []string{"one", "two"} { // each ends a read
		f.addTool(t, name)
		events.until(changed)
	}
	stop()
	events.until(`"result"`)
	events.end()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
