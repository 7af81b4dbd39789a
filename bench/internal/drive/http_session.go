package drive

import (
	"fmt"
	"time"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

func (c *HTTP) initialize() error {
	conn, err := dial(c.addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(connectTime))
	_, err = c.handshake(conn)
	return err
}

// handshake opens a session of the legacy era. last: the server has closed the connection.
func (c *HTTP) handshake(conn *conn) (last bool, err error) {
	c.version = workload.LegacyVersion
	answer, err := conn.exchange(c.header("initialize", ""), workload.InitializeRequest(c.nextID))
	if err != nil {
		return false, fmt.Errorf("initialize: %w", err)
	}
	c.nextID++
	msg := answer.body
	if answer.events {
		msg = lastEvent(answer.body)
	}
	if c.version, err = workload.Negotiated(msg); err != nil {
		return false, err
	}
	c.session = answer.session
	answer, err = conn.exchange(c.header("notifications/initialized", ""), []byte(workload.InitializedNotification))
	if err != nil {
		return false, fmt.Errorf("notifications/initialized: %w", err)
	}
	if answer.status/100 != 2 {
		return false, fmt.Errorf("notifications/initialized: status %d", answer.status)
	}
	return answer.close, nil
}

// LeaveSessions opens n sessions of the legacy era, one after the other over one connection, and leaves them: nothing is
// sent for them again, and nobody listens. It stops at the deadline and returns how many there are.
func (c *HTTP) LeaveSessions(n int, deadline time.Time) (left int, err error) {
	conn, err := dial(c.addr)
	if err != nil {
		return 0, err
	}
	defer func() { conn.Close() }()
	for left < n && time.Now().Before(deadline) {
		conn.SetDeadline(time.Now().Add(connectTime))
		last, err := c.handshake(conn)
		if err != nil {
			return left, fmt.Errorf("%d sessions left: %w", left, err)
		}
		left++
		if !last {
			continue
		}
		again, err := dial(c.addr)
		if err != nil {
			return left, err
		}
		conn.Close()
		conn = again
	}
	return left, nil
}
