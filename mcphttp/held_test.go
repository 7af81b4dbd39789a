package mcphttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// wire is a connection of which everything is read at once.
type wire struct {
	net.Conn
	mu    sync.Mutex
	text  string
	ended bool
}

// send opens a connection, writes a request and reads all that comes.
func (m *memory) send(t *testing.T, r *http.Request) *wire {
	t.Helper()
	conn, err := m.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Conn: conn}
	go func() {
		part := make([]byte, 4<<10)
		for {
			n, err := conn.Read(part)
			w.mu.Lock()
			w.text += string(part[:n])
			w.ended = err != nil
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	return w
}

// take waits until everything is quiet, and returns what has come since the last time.
func (w *wire) take() (text string, ended bool) {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	text, w.text = w.text, ""
	return text, w.ended
}

// expect fails unless exactly this has come since the last time, and the connection is still open or not.
func (w *wire) expect(t *testing.T, want string, wantEnded bool) {
	t.Helper()
	if got, ended := w.take(); got != want || ended != wantEnded {
		t.Errorf("got  %q, ended %v\nwant %q, ended %v", got, ended, want, wantEnded)
	}
}

// chunk is one event as a chunk of its own.
func chunk(event string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(event), event) }

var dynamic = &mcp.Options{Dynamic: true}

const (
	heldHead     = "HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nConnection: close\r\nContent-Type: text/event-stream\r\nX-Accel-Buffering: no\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n"
	acknowledged = `data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"世界😀"},"notifications":{"toolsListChanged":true}}}` + "\n\n"
	told         = `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"世界😀"}}}` + "\n\n"
	completed    = `data: {"jsonrpc":"2.0","id":"世界😀","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"世界😀","io.modelcontextprotocol/serverInfo":{"name":"test","version":"1.0.0"}}}}` + "\n\n"
	lastChunk    = "0\r\n\r\n"
)

// dated is a head with its date taken out.
func dated(text string) string {
	return regexp.MustCompile("Date: [^\r]+").ReplaceAllString(text, "Date: D")
}

func TestAHeldStreamIsChunksToItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, network := newFixture(dynamic), newMemory()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, nil) }()
		w := network.send(t, listenRequest(t, memoryURL, `"世界😀"`))
		defer w.Close()
		text, _ := w.take()
		if got, want := dated(text), heldHead+chunk(acknowledged); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		f.addTool(t, "more")
		w.expect(t, chunk(told), false)
		wait(15 * time.Second)
		w.expect(t, chunk(":\n\n"), false)
		begun := time.Now()
		stop()
		if err := <-served; err != nil || time.Since(begun) != 0 {
			t.Errorf("the end took %v: %v", time.Since(begun), err)
		}
		w.expect(t, chunk(completed)+lastChunk, true)
	})
}

func TestTheContextOfAHeldStreamEndsWithItsClient(t *testing.T) {
	for _, tc := range []struct {
		name  string
		leave func(t *testing.T, w *wire)
	}{
		{"that closes the connection", func(_ *testing.T, w *wire) { w.Close() }},
		{"that sends more than it should", func(t *testing.T, w *wire) {
			n, err := io.Copy(w, endless{})
			if err == nil || n > 128<<10 {
				t.Errorf("%d bytes were read: %v", n, err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var ctx context.Context
			watch := func(next mcp.Handler) mcp.Handler {
				return func(of context.Context, r *mcp.Request) (mcp.Result, error) {
					if r.Method() == "subscriptions/listen" {
						ctx = of
					}
					return next(of, r)
				}
			}
			bubbleBehind(t, watch, dynamic, &mcphttp.Options{MaxConnections: 1}, func(t *testing.T, f *fixture, network *memory) {
				w := network.send(t, listenRequest(t, memoryURL, "1"))
				defer w.Close()
				w.take()
				if err := ctx.Err(); err != nil {
					t.Fatalf("the stream is open, and its context has ended: %v", err)
				}
				if ctx.Value(http.LocalAddrContextKey) == nil {
					t.Error("the context has lost what the connection put there")
				}
				tc.leave(t, w)
				<-ctx.Done()
				if !errors.Is(context.Cause(ctx), context.Canceled) {
					t.Errorf("got cause %v", context.Cause(ctx))
				}
				if text, _ := w.take(); text != "" {
					t.Errorf("a client that is gone was sent %q", text)
				}
				response := open(t, network.client(t), toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, ""))
				response.Body.Close()
				if response.StatusCode != http.StatusOK {
					t.Errorf("got %d, want room for another connection", response.StatusCode)
				}
			})
		})
	}
}

func TestADisconnectCancelsASubscriptionThatIsBeingOpened(t *testing.T) {
	var cause error
	waitForTheEnd := func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
			<-ctx.Done()
			cause = context.Cause(ctx)
			return next(ctx, r)
		}
	}
	bubbleBehind(t, waitForTheEnd, dynamic, nil, func(t *testing.T, f *fixture, network *memory) {
		w := network.send(t, listenRequest(t, memoryURL, "1"))
		synctest.Wait()
		w.Close()
		w.expect(t, "", true)
		if !errors.Is(cause, context.Canceled) {
			t.Errorf("got %v", cause)
		}
	})
}

func TestWhatComesBehindAHeldRequestIsIgnored(t *testing.T) {
	bubbleOf(t, dynamic, nil, func(t *testing.T, f *fixture, network *memory) {
		// One more request in the same bytes, and another one later.
		first := listenRequest(t, memoryURL, `"世界😀"`)
		body, _ := io.ReadAll(first.Body)
		more := "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		head := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: " + modernRevision +
			"\r\nMcp-Method: subscriptions/listen\r\n"
		go fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s%s", head, len(body), body, more)
		response := make([]byte, 4<<10)
		n, err := conn.Read(response)
		for err == nil && !strings.Contains(string(response[:n]), "acknowledged") {
			var further int
			further, err = conn.Read(response[n:])
			n += further
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if _, err := io.WriteString(conn, more); err != nil {
				t.Fatal(err)
			}
		}
		f.addTool(t, "more")
		n, err = conn.Read(response)
		if got := string(response[:n]); got != chunk(told) || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
}
