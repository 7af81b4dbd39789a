package drive

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

// holdTime bounds the opening of one connection or stream.
const holdTime = 10 * time.Second

// HoldConnection opens a connection, makes one request on it and leaves it open.
func (c *HTTP) HoldConnection(w *workload.Workload) (io.Closer, error) {
	return c.hold(func(conn *conn) error {
		id := c.nextID
		c.nextID++
		answer, err := conn.exchange(c.header(w.Method, w.Tool), w.AppendRequest(nil, c.era, id))
		if err != nil {
			return err
		}
		return verifyHTTP(w, answer, id, true)
	})
}

// HoldStream opens a notification stream and returns when the server has accepted it: subscriptions/listen in the
// modern era, in the legacy era the GET stream of a session of its own.
func (c *HTTP) HoldStream() (io.Closer, error) {
	if c.era == workload.Legacy {
		if err := c.initialize(); err != nil {
			return nil, err
		}
	}
	return c.hold(func(conn *conn) error {
		if err := c.openStream(conn); err != nil {
			return err
		}
		_, chunked, err := conn.readHead()
		switch {
		case err != nil:
			return err
		case conn.answer.status != 200 || !conn.answer.events:
			return fmt.Errorf("status %d", conn.answer.status)
		case c.era == workload.Modern && chunked:
			return conn.readUntil(workload.ListenAcknowledged)
		}
		return nil
	})
}

func (c *HTTP) hold(open func(conn *conn) error) (io.Closer, error) {
	conn, err := dial(c.addr)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(holdTime))
	if err := open(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func (c *HTTP) openStream(conn *conn) error {
	if c.era == workload.Legacy {
		_, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n"+
			"MCP-Protocol-Version: %s\r\nMcp-Session-Id: %s\r\n\r\n", c.path, c.addr, c.version, c.session)
		return err
	}
	id := c.nextID
	c.nextID++
	return conn.post(c.header("subscriptions/listen", ""), workload.ListenRequest(id))
}

// readUntil reads chunks until the body holds text.
func (c *conn) readUntil(text string) error {
	for !bytes.Contains(c.body, []byte(text)) {
		if n, err := c.chunk(); err != nil || n == 0 {
			return fmt.Errorf("no %s: %s %v", text, workload.Clip(c.body), err)
		}
	}
	return nil
}
