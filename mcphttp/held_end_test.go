package mcphttp_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// net/http takes a client that half-closes its connection for one that is gone, and ends the response all the same. A client of
// a stream that is held sees no difference.
func TestAClientThatSendsNothingAnyMoreSeesTheWholeStream(t *testing.T) {
	wrap := func(next http.Handler) http.Handler { return next }
	for name, o := range map[string]mcphttp.Options{"held": {}, "with net/http": {Wrap: wrap}} {
		url := newFixture(dynamic).listenToTheEnd(t, o)
		header := initializeWith(t, testClient, url, priming2025)
		for of, r := range map[string]*http.Request{
			"a subscription":      listenRequest(t, url, `"世界😀"`),
			"a standalone stream": request(t, http.MethodGet, url, header, "", "Accept: text/event-stream"),
		} {
			conn, err := net.Dial("tcp", r.URL.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			response := answerOn(t, conn, r)
			if _, err := response.Body.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(response.Body); err != nil {
				t.Errorf("%s, %s: %v", name, of, err)
			}
		}
	}
}

// halved is a network whose connections come to the end of what clients send with the next byte, once they are to.
type halved struct {
	*memory
	ends atomic.Bool
}

func (h *halved) Accept() (net.Conn, error) {
	conn, err := h.memory.Accept()
	return halvedConn{conn, &h.ends}, err
}

type halvedConn struct {
	net.Conn
	ends *atomic.Bool
}

func (c halvedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.ends.Load() && err == nil {
		return 0, io.EOF
	}
	return n, err
}

func TestTheContextOfAHeldStreamDoesNotWaitForItsLastBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, network := newFixture(dynamic), &halved{memory: newMemory()}
		var ctx context.Context
		f.server.Use(func(next mcp.Handler) mcp.Handler {
			return func(of context.Context, r *mcp.Request) (mcp.Result, error) {
				ctx = of
				return next(of, r)
			}
		})
		serving, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(serving, network, f.server, nil) }()
		conn, events := network.listen(t)
		events.next()
		synctest.Wait() // it is held
		network.ends.Store(true)
		if _, err := io.WriteString(conn, "x"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // nobody reads
		if !errors.Is(context.Cause(ctx), context.Canceled) {
			t.Errorf("the client is gone, and the context ends with %v", context.Cause(ctx))
		}
		conn.Close()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}
