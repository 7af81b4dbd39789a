package mcphttp

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// heldConn is the connection of a stream that is held, and the response on it, whose head has been written.
type heldConn struct {
	conn   net.Conn // a gatedConn, which bounds the time of writes by itself
	gone   bool     // nothing more is written
	behind int      // bytes that came behind the request
	in     [64]byte
}

// mostBehind is how many bytes a client may send behind its request. It was told that the connection is closed behind the
// response, so that they are not read as another request.
const mostBehind = 64 << 10

// wait returns when woken has a token, or with false when the client is gone. Only a read notices that, so that this goroutine
// is woken from one, by a deadline: a second goroutine would cost 2.5 KiB more. A client that sends nothing any more counts as
// gone, as it does for net/http, but may still read the end of the response.
func (c *heldConn) wait(woken <-chan struct{}) (open bool) {
	for {
		if err := c.conn.SetReadDeadline(time.Time{}); err != nil {
			c.gone = true
			return false
		}
		select { // a token that comes after this look ends the read
		case <-woken:
			return true
		default:
		}
		n, err := c.conn.Read(c.in[:])
		c.behind += n
		switch {
		case c.behind > mostBehind:
			c.gone = true
			return false
		case err == nil || errors.Is(err, os.ErrDeadlineExceeded):
		default:
			c.gone = !errors.Is(err, io.EOF)
			return false
		}
	}
}

// wake ends the read of wait.
func (c *heldConn) wake() { _ = c.conn.SetReadDeadline(time.Unix(1, 0)) }

// Write writes one chunk.
func (c *heldConn) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil // such a chunk would be the last
	}
	chunk := append(strconv.AppendInt(make([]byte, 0, len(p)+16), int64(len(p)), 16), "\r\n"...)
	if _, err := c.conn.Write(append(append(chunk, p...), "\r\n"...)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// lastChunk ends a response of which no length was announced.
const lastChunk = "0\r\n\r\n"

// end writes the last chunk.
func (c *heldConn) end() { _, _ = io.WriteString(c.conn, lastChunk) }

// Flush has nothing to do.
func (c *heldConn) Flush() {}

// Header returns what nobody reads: the head has been written.
func (c *heldConn) Header() http.Header { return http.Header{} }

// WriteHeader does nothing, for the same reason.
func (c *heldConn) WriteHeader(int) {}

// heldStreams are the streams of a server that are held, which http.Server does not know any more.
type heldStreams struct {
	mu     sync.Mutex
	open   map[*heldConn]struct{}
	closed bool
}

func (h *heldStreams) enter(c *heldConn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		c.conn.Close()
		return
	}
	h.open[c] = struct{}{}
}

func (h *heldStreams) leave(c *heldConn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, c)
}

// close closes the connections of all streams, which then are those of clients that do not read. h may be nil.
func (h *heldStreams) close() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for c := range h.open {
		c.conn.Close()
	}
}
