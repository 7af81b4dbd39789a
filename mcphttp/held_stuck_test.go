package mcphttp_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp/mcphttp"
)

// Who stops reading in the middle of a stream is given up, whether there is something to tell or not.
func TestAHeldStreamWhoseClientDoesNotReadIsGivenUp(t *testing.T) {
	for _, about := range []string{"a change", "nothing"} {
		t.Run(about, func(t *testing.T) {
			o := &mcphttp.Options{MaxConnections: 1, WriteTimeout: 10 * time.Second, KeepAlive: time.Minute}
			bubbleOf(t, dynamic, o, func(t *testing.T, f *fixture, network *memory) {
				conn, events := network.listen(t)
				defer conn.Close()
				events.next()
				if about == "a change" {
					f.addTool(t, "more")
					wait(11 * time.Second)
				} else {
					wait(71 * time.Second)
				}
				response := open(t, network.client(t), toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, ""))
				response.Body.Close()
				if response.StatusCode != http.StatusOK {
					t.Errorf("got %d, want the connection to have made room", response.StatusCode)
				}
			})
		})
	}
}

// listen opens a subscription on a connection of its own, whose bytes the test takes as it wants.
func (m *memory) listen(t *testing.T) (net.Conn, *eventReader) {
	t.Helper()
	conn, err := m.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return conn, readEvents(t, answerOn(t, conn, listenRequest(t, memoryURL, "1")).Body)
}

func TestAHeldStreamWhoseClientDoesNotReadDoesNotHoldTheEnd(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		end        func(stop context.CancelFunc, network *memory)
	}{
		{"of the context", "1 requests were still running", func(stop context.CancelFunc, _ *memory) { stop() }},
		{"of the listener", "accepting connections", func(_ context.CancelFunc, network *memory) { network.Close() }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f, network := newFixture(dynamic), newMemory()
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				served := make(chan error, 1)
				go func() { served <- mcphttp.Serve(ctx, network, f.server, nil) }()
				conn, events := network.listen(t)
				events.next()
				f.addTool(t, "more")
				begun := time.Now()
				tc.end(stop, network)
				if err := <-served; err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("got %v, want %q", err, tc.want)
				}
				if waited := time.Since(begun); waited >= 4*time.Second {
					t.Errorf("the end took %v, want less than 4 s", waited)
				}
				synctest.Wait()
				if rest, err := io.ReadAll(conn); len(rest) > 0 {
					t.Errorf("the connection is still written to: %q, %v", rest, err)
				}
			})
		})
	}
}

// fragile is a network whose connections panic when they are written to, from some time on.
type fragile struct {
	*memory
	breaks atomic.Bool
}

func (f *fragile) Accept() (net.Conn, error) {
	conn, err := f.memory.Accept()
	return fragileConn{conn, &f.breaks}, err
}

type fragileConn struct {
	net.Conn
	breaks *atomic.Bool
}

func (c fragileConn) Write(p []byte) (int, error) {
	if c.breaks.Load() {
		panic("no connection")
	}
	return c.Conn.Write(p)
}

func TestAHeldStreamThatPanicsIsBrokenOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, network := newFixture(dynamic), &fragile{memory: newMemory()}
		var logged strings.Builder
		logger := slog.New(slog.NewTextHandler(&logged, nil))
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, &mcphttp.Options{Logger: logger}) }()
		w := network.send(t, listenRequest(t, memoryURL, "1"))
		w.take()
		network.breaks.Store(true)
		f.addTool(t, "more")
		w.expect(t, "", true)
		if !strings.Contains(logged.String(), "panic on an event stream") {
			t.Errorf("got %q", logged.String())
		}
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// Its client may come back until the window is over, as if the connection were lost.
func TestAStandaloneStreamThatPanicsDoesNotStayForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, network := newFixture(dynamic), &fragile{memory: newMemory()}
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, nil) }()
		header := initializeWith(t, network.client(t), memoryURL, priming2025)
		get := func(changes ...string) (text string) {
			changes = append(changes, "Accept: text/event-stream")
			text, _ = network.send(t, request(t, http.MethodGet, memoryURL, header, "", changes...)).take()
			return text
		}
		_, id, _ := strings.Cut(get(), "id: ")
		id, _, _ = strings.Cut(id, "\n")
		network.breaks.Store(true)
		f.addTool(t, "one")
		synctest.Wait()
		network.breaks.Store(false)
		wait(61 * time.Second)
		if text := get("Last-Event-ID: " + id); !strings.Contains(text, " 400 ") {
			t.Errorf("got %q behind the window, want 400", text)
		}
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}
