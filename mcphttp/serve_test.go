package mcphttp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// listen serves on a port of its own until the test ends, and returns the URL and what ends it.
func (f *fixture) listen(t *testing.T, o mcphttp.Options) (base string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	bound := make(chan net.Addr, 1)
	o.OnListen = func(a net.Addr) { bound <- a }
	served := make(chan error, 1)
	go func() { served <- mcphttp.ListenAndServe(ctx, "127.0.0.1:0", f.server, &o) }()
	stop = func() error { cancel(); return <-served }
	select {
	case a := <-bound:
		return "http://" + a.String(), stop
	case err := <-served:
		t.Fatal(err)
		return "", nil
	}
}

func TestPortZeroIsAFreePortThatIsReported(t *testing.T) {
	t.Parallel()
	base, stop := newFixture(nil).listen(t, mcphttp.Options{})
	if strings.HasSuffix(base, ":0") {
		t.Errorf("got %s", base)
	}
	do(t, toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "")).expect(t, 200, jsonType).contains(t, `"text":"3"`)
	if a := do(t, toolCall(t, base+"/", "1", "add", `{"a":1,"b":2}`, "")); a.StatusCode != 404 {
		t.Errorf("another path: got %d, want 404", a.StatusCode)
	}
	do(t, toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "", "Host: evil.example")).expect(t, 403, jsonType)
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(base, "http://")); err == nil {
		t.Error("the port is still open")
	}
}

func TestOtherMachinesAreKeptOutUnlessTheyAreAllowed(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		err := mcphttp.ListenAndServe(t.Context(), addr, newFixture(nil).server, nil)
		if err == nil || !strings.Contains(err.Error(), "AllowRemote") || !strings.Contains(err.Error(), "authentication") {
			t.Errorf("%s: got %v, want an error that names the option and what to do", addr, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	err := mcphttp.ListenAndServe(ctx, "0.0.0.0:0", newFixture(nil).server, &mcphttp.Options{AllowRemote: true, OnListen: func(net.Addr) { stop() }})
	if err != nil {
		t.Errorf("with the option: %v", err)
	}
	for _, addr := range []string{"localhost:0", "[::1]:0"} {
		ctx, stop := context.WithCancel(t.Context())
		err := mcphttp.ListenAndServe(ctx, addr, newFixture(nil).server, &mcphttp.Options{OnListen: func(net.Addr) { stop() }})
		stop()
		if err != nil && !strings.Contains(err.Error(), "cannot assign") && !strings.Contains(err.Error(), "not supported") {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

func TestMistakesAreReportedBeforeAnythingIsServed(t *testing.T) {
	t.Parallel()
	never := &mcphttp.Options{OnListen: func(net.Addr) { t.Error("it listens") }}
	if err := mcphttp.ListenAndServe(t.Context(), "127.0.0.1:0", mcp.NewServer("", "", nil), never); err == nil {
		t.Error("a server without a name is served")
	}
	if err := mcphttp.ListenAndServe(t.Context(), "no such address", newFixture(nil).server, never); err == nil || !strings.Contains(err.Error(), "no such address") {
		t.Errorf("got %v", err)
	}
	network := newMemory()
	network.Close()
	if err := mcphttp.Serve(t.Context(), network, newFixture(nil).server, nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a listener that fails: got %v", err)
	}
}

func TestAUnixSocketIsLocal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Skip(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcphttp.Serve(ctx, listener, newFixture(nil).server, nil) }()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	response := open(t, &http.Client{Transport: transport}, toolCall(t, "http://any.name/mcp", "1", "add", `{"a":1,"b":2}`, ""))
	response.Body.Close()
	if response.StatusCode != 200 {
		t.Errorf("got %d", response.StatusCode)
	}
	transport.CloseIdleConnections()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestAtTheEndRunningRequestsFinish(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	base, stop := f.listen(t, mcphttp.Options{})
	done := make(chan answer, 3)
	for _, r := range []*http.Request{
		toolCall(t, base+"/mcp", "1", "quiet", "{}", ""),
		toolCall(t, base+"/mcp", "2", "wait", "{}", token),
		request(t, http.MethodPost, base+"/mcp", initialize(t, base+"/mcp", older2025).header, legacyCall("3", "wait", "{}")),
	} {
		go func() { done <- do(t, r) }()
		<-f.started
	}
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			break // nothing new is taken any more
		}
		conn.Close()
	}
	close(f.release)
	for range 3 {
		(<-done).contains(t, "released")
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAtTheEndTheGraceIsBounded(t *testing.T) {
	for name, o := range map[string]*mcphttp.Options{"by default": nil, "not at all": {Grace: -1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(nil)
				network := newMemory()
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() { served <- mcphttp.Serve(ctx, network, f.server, o) }()
				client := network.client(t)
				done := make(chan answer, 1)
				go func() {
					response := open(t, client, toolCall(t, memoryURL, "1", "quiet", "{}", ""))
					body, err := io.ReadAll(response.Body)
					if err != nil {
						t.Error(err)
					}
					response.Body.Close()
					done <- answer{response, string(body)}
				}()
				<-f.started
				begun := time.Now()
				stop()
				if err := <-served; err != nil {
					t.Errorf("the call ended when it was cancelled, so the end is a good one: %v", err)
				}
				waited := time.Since(begun)
				if o == nil && (waited < 3*time.Second || waited >= 4*time.Second) || o != nil && waited > time.Second {
					t.Errorf("the end took %v", waited)
				}
				if cause := <-f.cancelled; cause == nil || errors.Is(cause, context.Canceled) {
					t.Errorf("got cause %v, want one that tells the end from a disconnect", cause)
				}
				// The client is still there, and is told.
				(<-done).expect(t, 200, jsonType).contains(t, `"id":1`, `"isError":true`)
			})
		})
	}
}

func TestACallThatDoesNotEndIsAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(nil)
		stubborn := make(chan struct{})
		mcp.AddTool(f.server, mcp.Tool{Name: "stubborn", Description: "Does not listen"}, func(context.Context, none) (string, error) {
			f.started <- struct{}{}
			<-stubborn
			return "", nil
		})
		network := newMemory()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, nil) }()
		client := network.client(t)
		go func() {
			response, err := client.Do(toolCall(t, memoryURL, "1", "stubborn", "{}", ""))
			if err == nil {
				response.Body.Close()
			}
		}()
		<-f.started
		begun := time.Now()
		stop()
		if err := <-served; err == nil || !strings.Contains(err.Error(), "1 requests were still running") {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(begun); waited >= 4*time.Second {
			t.Errorf("the end took %v, want less than 4 s", waited)
		}
		close(stubborn)
	})
}

func TestOneConnectionMoreThanThereIsRoomForIsTurnedAway(t *testing.T) {
	t.Parallel()
	base, stop := newFixture(nil).listen(t, mcphttp.Options{MaxConnections: 2})
	var held []net.Conn
	for range 2 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		// The connection counts once it has been accepted, as an answer on it proves.
		if err := toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "").Write(conn); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != 200 {
			t.Fatalf("got %v, %v", response, err)
		}
		held = append(held, conn)
	}
	for range 3 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "").Write(conn)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != 503 || response.Header.Get("Retry-After") == "" || !response.Close {
			t.Errorf("got %d %v", response.StatusCode, response.Header)
		}
		conn.Close()
	}
	held[0].Close()
	for { // until the server has noticed
		response, err := http.DefaultClient.Do(toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, ""))
		if err == nil {
			response.Body.Close()
			if response.StatusCode == 200 {
				break
			}
		}
	}
	held[1].Close()
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestTheStandardLogIsLeftAlone(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	f := newFixture(nil)
	base, stop := f.listen(t, mcphttp.Options{Logger: slog.New(slog.NewTextHandler(&text, nil))})
	do(t, toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, ""))
	if err := stop(); err != nil {
		t.Error(err)
	}
	if text.Len() > 0 {
		t.Errorf("a good request was logged: %s", &text)
	}
}

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

func (w wrapper) Header() http.Header         { return w.inner.Header() }
func (w wrapper) Write(p []byte) (int, error) { return w.inner.Write(p) }
func (w wrapper) WriteHeader(status int)      { w.inner.WriteHeader(status) }
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
