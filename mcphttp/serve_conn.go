package mcphttp

import (
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// gatedListener accepts up to a number of connections; one more is told to come back and closed.
type gatedListener struct {
	net.Listener
	most         int64
	writeTimeout time.Duration
	open         atomic.Int64
	turningAway  chan struct{} // one token for each connection that is being told
}

// maxTurningAway is how many connections are told at a time that there is no room; more are just closed.
const maxTurningAway = 32

func newGatedListener(l net.Listener, o *Options) *gatedListener {
	return &gatedListener{Listener: l, most: int64(o.MaxConnections), writeTimeout: o.WriteTimeout, turningAway: make(chan struct{}, maxTurningAway)}
}

// Accept returns the next connection for which there is room.
func (l *gatedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &gatedConn{Conn: conn, listener: l}, nil
		}
		l.open.Add(-1)
		select {
		case l.turningAway <- struct{}{}:
			go l.turnAway(conn)
		default:
			conn.Close()
		}
	}
}

const (
	noRoom = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
	// A connection that is turned away has this long to take the answer, and is read this far, so that what it sent does
	// not reset it before it has read.
	turnAwayTime  = time.Second
	turnAwayBytes = 64 << 10
)

func (l *gatedListener) turnAway(conn net.Conn) {
	defer func() { <-l.turningAway }()
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(turnAwayTime))
	if _, err := io.WriteString(conn, noRoom); err != nil {
		return
	}
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_, _ = io.CopyN(io.Discard, conn, turnAwayBytes)
}

// gatedConn is a connection whose writes do not take for ever, whatever a handler says: a client that does not read would
// otherwise hold its connection with the last bytes of a small response. net/http takes off the deadline after each
// request, so that moving it only when it has come near costs nearly nothing.
type gatedConn struct {
	net.Conn
	listener *gatedListener
	closed   atomic.Bool
	deadline atomic.Int64 // of writes, ours, in Unix nanoseconds; 0: none
	foreign  atomic.Bool  // a deadline of writes of somebody else holds
	reads    readDeadline
}

// Read reads within the deadline of reads.
func (c *gatedConn) Read(p []byte) (n int, err error) {
	for again := true; again; {
		if err := c.reads.begin(c.Conn); err != nil {
			return 0, err
		}
		n, err = c.Conn.Read(p)
		again = c.reads.end(n == 0 && errors.Is(err, os.ErrDeadlineExceeded))
	}
	return n, err
}

// SetReadDeadline sets the deadline of reads.
func (c *gatedConn) SetReadDeadline(t time.Time) error { return c.reads.move(c.Conn, t) }

// Write writes within the time that a write may take.
func (c *gatedConn) Write(p []byte) (int, error) {
	if !c.foreign.Load() {
		now := time.Now()
		if time.Duration(c.deadline.Load()-now.UnixNano()) < c.listener.writeTimeout/2 {
			next := now.Add(c.listener.writeTimeout)
			c.deadline.Store(next.UnixNano())
			if err := c.Conn.SetWriteDeadline(next); err != nil {
				return 0, err
			}
		}
	}
	return c.Conn.Write(p)
}

// SetWriteDeadline sets a deadline in place of ours; the zero time brings ours back.
func (c *gatedConn) SetWriteDeadline(t time.Time) error {
	foreign := !t.IsZero()
	if c.foreign.Swap(foreign) != foreign {
		c.deadline.Store(0)
	}
	if !foreign {
		return nil
	}
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets both deadlines.
func (c *gatedConn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// CloseWrite ends the outgoing half, where there are two.
func (c *gatedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection and makes room for another one.
func (c *gatedConn) Close() error {
	if !c.closed.Swap(true) {
		c.listener.open.Add(-1)
	}
	return c.Conn.Close()
}
