package mcphttp_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/bowline-go/mcp/mcphttp"
)

// memory is a network in memory, for tests in which time does not pass by itself.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newMemory() *memory { return &memory{make(chan net.Conn), make(chan struct{})} }

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	select {
	case <-m.closed:
	default:
		close(m.closed)
	}
	return nil
}

func (m *memory) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }

func (memoryAddr) String() string { return "memory" }

func (m *memory) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case m.conns <- theirs:
		return ours, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// answerOn sends a request on a connection and returns its response as soon as that has begun.
func answerOn(t testing.TB, conn net.Conn, r *http.Request) *http.Response {
	t.Helper()
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// client is an HTTP client on the network in memory.
func (m *memory) client(t testing.TB) *http.Client {
	transport := &http.Transport{DialContext: m.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// testClient is the client of most tests. The default one will not do: whatever test is over closes idle connections of that, and
// one may be about to carry a request of another test.
var testClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2}}

func serveHandler(t testing.TB, h http.Handler) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// serveOver is serve over one version of HTTP; HTTP/2 needs TLS.
func (f *fixture) serveOver(t testing.TB, proto string, o *mcphttp.Options) *httptest.Server {
	t.Helper()
	if proto == "HTTP/1.1" {
		return f.serve(t, o)
	}
	return newHTTP2(t, f.handler(t, o))
}

// newHTTP2 serves a handler over HTTP/2.
func newHTTP2(t testing.TB, h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}
