package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// notify sends a notification that belongs to the call, while it is unanswered. encode
// appends the message to dst, or nothing when there is none to send.
func (c *Call) notify(encode func(dst []byte) []byte) (sent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// The end of the context is that of the session or the connection: a handler that does not
	// heed it must not keep them busy.
	if c.state.Load() != running || c.Err() != nil {
		return false
	}
	reply := c.session.server.borrow()
	defer c.session.server.give(reply)
	if reply.head = encode(reply.head); len(reply.head) == 0 {
		return false
	}
	c.notified = true
	if err := c.sink.Notify(reply.head); err != nil {
		c.state.CompareAndSwap(running, void)
		c.expire()
		return false
	}
	return true
}

// hasNotified reports whether something was sent before the answer.
func (c *Call) hasNotified() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.notified
}

// Progress tells the client how far a request has come: done of total, with a text for
// people. A total of 0 or less is unknown; an empty message is left out. It is a no-op when
// the client did not ask for progress, when done is not above the last one, and outside a
// request. It returns when the notification has been handed to the transport.
//
// Source: basic/patterns/progress.
func Progress(ctx context.Context, done, total float64, message string) {
	c := callFrom(ctx)
	if c == nil || c.meta.ProgressToken == nil {
		return
	}
	c.notify(func(dst []byte) []byte {
		// basic/patterns/progress#progress-flow: the value must increase. A NaN never does.
		if !(done > c.lastProgress) || !isFinite(done) || !isFinite(total) {
			return nil
		}
		c.lastProgress = done
		params := protocol.ProgressParams{Token: c.meta.ProgressToken, Progress: done, Message: message}
		if total > 0 {
			known := total // a copy, so that a call which nobody listens to does not allocate
			params.Total = &known
		}
		dst = jsonrpc.OpenNotification(dst, protocol.MethodOf(protocol.Progress).Name)
		return append(params.AppendTo(dst, c.revision), '}')
	})
}

// isFinite reports a number that JSON has: no infinity and no NaN.
func isFinite(f float64) bool { return f-f == 0 }
