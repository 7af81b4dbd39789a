package mcphttp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// bubble runs a test in which time passes only when everything waits, against a server on a network in memory.
func bubble(t *testing.T, o *mcphttp.Options, test func(t *testing.T, f *fixture, network *memory)) {
	t.Helper()
	bubbleOf(t, nil, o, test)
}

// bubbleOf is bubble with options of the server.
func bubbleOf(t *testing.T, of *mcp.Options, o *mcphttp.Options, test func(t *testing.T, f *fixture, network *memory)) {
	t.Helper()
	bubbleBehind(t, nil, of, o, test)
}

// bubbleBehind is bubbleOf with middleware of the server.
func bubbleBehind(t *testing.T, middleware func(mcp.Handler) mcp.Handler, of *mcp.Options, o *mcphttp.Options, test func(t *testing.T, f *fixture, network *memory)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(of)
		if middleware != nil {
			f.server.Use(middleware)
		}
		network := newMemory()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, o) }()
		test(t, f, network)
		stop()
		if err := <-served; err != nil {
			t.Errorf("the end: %v", err)
		}
	})
}

const memoryURL = "http://localhost/mcp"

func TestAQuietCallGetsItsStreamAndIsKeptAlive(t *testing.T) {
	bubble(t, nil, func(t *testing.T, f *fixture, network *memory) {
		client := network.client(t)
		begun := time.Now()
		response := open(t, client, toolCall(t, memoryURL, "1", "quiet", "{}", ""))
		defer response.Body.Close()
		if waited := time.Since(begun); waited != 15*time.Second || response.Header.Get("Content-Type") != eventType {
			t.Fatalf("got %q after %v, want an event stream after 15 s", response.Header.Get("Content-Type"), waited)
		}
		events := readEvents(t, response.Body)
		for i := range 3 {
			if e, ok := events.read(); !ok || !e.comment || e.hasData || e.id != "" {
				t.Fatalf("comment %d: got %+v", i, e)
			}
		}
		if waited := time.Since(begun); waited != 45*time.Second {
			t.Errorf("three comments took %v, want 45 s", waited)
		}
		close(f.release)
		if got := textOf(t, events.next().data); got != "released" {
			t.Errorf("got %q", got)
		}
		events.end()
	})
}

func TestAQuietCallOfAClientThatTakesOnlyJSONWaits(t *testing.T) {
	bubble(t, nil, func(t *testing.T, f *fixture, network *memory) {
		time.AfterFunc(time.Minute, func() { close(f.release) })
		client := network.client(t)
		response := open(t, client, toolCall(t, memoryURL, "1", "quiet", "{}", "", "Accept: application/json"))
		defer response.Body.Close()
		if response.Header.Get("Content-Type") != jsonType {
			t.Errorf("got %q", response.Header.Get("Content-Type"))
		}
	})
}

func TestAQuickCallLeavesNoTimerBehind(t *testing.T) {
	bubble(t, nil, func(t *testing.T, f *fixture, network *memory) {
		client := network.client(t)
		for range 3 {
			response := open(t, client, toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, ""))
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if !strings.Contains(string(body), `"text":"3"`) {
				t.Fatalf("got %s", body)
			}
			wait(20 * time.Second)
		}
	})
}

// wait lets time of a bubble pass.
func wait(d time.Duration) { <-time.After(d) }

func TestABodyThatDoesNotComeIsGivenUp(t *testing.T) {
	bubble(t, &mcphttp.Options{BodyTimeout: 5 * time.Second}, func(t *testing.T, f *fixture, network *memory) {
		body := call("1", "add", `{"a":1,"b":2}`, "")
		for name, head := range map[string]string{
			"with a length": fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body[:10]),
			"chunked":       "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"jso\r\n",
		} {
			conn, err := network.dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			go fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s", head)
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if waited := time.Since(begun); response.StatusCode != 408 || waited != 5*time.Second || !response.Close {
				t.Errorf("%s: got %d after %v, close %v; want 408 after 5 s and the end of the connection", name, response.StatusCode, waited, response.Close)
			}
			conn.Close()
		}
		if f.calls.Load() != 0 {
			t.Error("the tool ran")
		}
	})
}

// What held for the requests before does not hold for the next one on the connection, nor the other way round.
func TestEachWaitOnAConnectionHasItsOwnTime(t *testing.T) {
	bubble(t, &mcphttp.Options{BodyTimeout: 50 * time.Second}, func(t *testing.T, f *fixture, network *memory) {
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		reader := bufio.NewReader(conn)
		answer := func(rule string, status int, after time.Duration) {
			t.Helper()
			begun := time.Now()
			response, err := http.ReadResponse(reader, nil)
			if err != nil {
				t.Fatalf("%s: %v after %v", rule, err, time.Since(begun))
			}
			_, _ = io.Copy(io.Discard, response.Body)
			if waited := time.Since(begun); response.StatusCode != status || waited != after {
				t.Errorf("%s: got %d after %v, want %d after %v", rule, response.StatusCode, waited, status, after)
			}
		}
		send := func(r *http.Request) { go func() { _ = r.Write(conn) }() }
		quick := func() *http.Request { return toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, "") }

		send(quick())
		answer("the first", 200, 0)
		wait(119 * time.Second) // nearly idle for too long
		send(quick())
		answer("one on an idle connection", 200, 0)
		time.AfterFunc(5*time.Minute, func() { close(f.release) })
		send(toolCall(t, memoryURL, "2", "quiet", "{}", "", "Accept: application/json"))
		answer("a call that takes longer than a connection may be idle", 200, 5*time.Minute)
		wait(time.Minute)
		head, body, _ := strings.Cut(raw(t, quick()), "\r\n\r\n")
		go func() {
			fmt.Fprint(conn, head[:20])
			wait(9 * time.Second)
			fmt.Fprint(conn, head[20:], "\r\n\r\n")
			wait(49 * time.Second)
			fmt.Fprint(conn, body)
		}()
		answer("one that comes slowly", 200, 58*time.Second)
		go fmt.Fprint(conn, head, "\r\n\r\n", body[:10])
		answer("a body that does not come", 408, 50*time.Second)
	})
}

// raw is a request as it is sent.
func raw(t *testing.T, r *http.Request) string {
	t.Helper()
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestAHeaderThatDoesNotComeIsGivenUp(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *fixture, network *memory) {
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		begun := time.Now()
		written := make(chan struct{})
		go func() {
			defer close(written)
			for _, c := range []byte("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + strings.Repeat("a", 100)) {
				if _, err := conn.Write([]byte{c}); err != nil {
					return
				}
				wait(time.Second)
			}
		}()
		_, _ = io.Copy(io.Discard, conn)
		if waited := time.Since(begun); waited < 9*time.Second || waited > 12*time.Second {
			t.Errorf("the connection was closed after %v, want some 10 s", waited)
		}
		<-written
	})
}

func TestAnIdleConnectionIsClosed(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *fixture, network *memory) {
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		go func() { _ = toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, "").Write(conn) }()
		reader := bufio.NewReader(conn)
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		begun := time.Now()
		_, _ = io.Copy(io.Discard, reader)
		if waited := time.Since(begun); waited != 2*time.Minute {
			t.Errorf("closed after %v, want 2 min", waited)
		}
	})
}

// A client that never reads: what is written must end some time, the last bytes of a small response included.
func TestAClientThatDoesNotReadIsGivenUp(t *testing.T) {
	for _, tc := range []struct{ name, tool, arguments string }{
		{"a small answer", "add", `{"a":1,"b":2}`},
		{"a large answer", "echo", `{"text":"` + strings.Repeat("x", 100_000) + `"}`},
		{"a streamed answer", "huge", `{"steps":100000}`},
		{"events", "steps", `{"steps":3}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, &mcphttp.Options{WriteTimeout: 10 * time.Second}, func(t *testing.T, _ *fixture, network *memory) {
				conn, err := network.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				begun := time.Now()
				if err := toolCall(t, memoryURL, "1", tc.tool, tc.arguments, token).Write(conn); err != nil {
					t.Fatal(err)
				}
				wait(11 * time.Second)
				synctest.Wait()
				_, _ = io.Copy(io.Discard, conn) // hangs if the server still holds the connection
				if waited := time.Since(begun); waited > 30*time.Second {
					t.Errorf("the connection was closed after %v", waited)
				}
			})
		})
	}
}

func TestAHalfOpenConnectionWithoutARequestDoesNotHoldTheEnd(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *fixture, network *memory) {
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		begun := time.Now()
		t.Cleanup(func() {
			if waited := time.Since(begun); waited > 4*time.Second {
				t.Errorf("the end took %v", waited)
			}
		})
	})
}
