package mcphttp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

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
		if response := answerOn(t, conn, toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "")); response.StatusCode != 200 {
			t.Fatalf("got %v", response)
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
		response, err := testClient.Do(toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, ""))
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
