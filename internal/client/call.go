package client

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Call sends a request and returns the raw result. params is nil or encodes as an object without a
// _meta, which the client adds. Questions that the server asks back are answered by the functions of
// [Options]. When ctx ends, the server is told and the error is that of ctx. An error that the server
// answered is an *[Error].
func (c *Client) Call(ctx context.Context, method protocol.MethodID, params any) (json.RawMessage, error) {
	members, err := membersOf(params)
	if err != nil {
		return nil, err
	}
	row := protocol.MethodOf(method)
	result, err := c.exchange(ctx, row, members)
	if err != nil || !row.MayAsk || !c.Revision().InputRequired {
		return result, err
	}
	return c.rounds(ctx, row, members, result)
}

// Notify sends a notification.
func (c *Client) Notify(ctx context.Context, method protocol.MethodID, params any) error {
	members, err := membersOf(params)
	if err != nil {
		return err
	}
	row, revision := protocol.MethodOf(method), c.Revision()
	raw := plainParams("", members)
	return c.transport.Send(ctx, Outgoing{
		Text:   jsonrpc.AppendNotification(nil, row.Name, raw),
		Method: row, Params: raw, Revision: revision,
	})
}

// exchange sends one request and waits for its answer.
func (c *Client) exchange(ctx context.Context, row *protocol.Method, members []byte) (json.RawMessage, error) {
	x, err := c.send(ctx, row, members)
	if err != nil {
		return nil, err
	}
	defer c.forget(x)
	if err := c.wait(ctx, func() bool { return x.answered && c.inbox.handed >= x.before }); err != nil {
		c.cancel(ctx, row, x, err)
		return nil, err
	}
	return x.result, x.err
}

// send opens an exchange and sends its request.
func (c *Client) send(ctx context.Context, row *protocol.Method, members []byte) (*exchange, error) {
	x, revision, err := c.open()
	if err != nil {
		return nil, err
	}
	params := c.params(x.id, revision, members)
	err = c.transport.Send(ctx, Outgoing{
		Text:   jsonrpc.AppendRequest(nil, x.id, row.Name, params),
		Method: row, ID: x.id, Params: params, Revision: revision,
	})
	if err != nil {
		c.forget(x)
		return nil, fmt.Errorf("send %s: %w", row.Name, err)
	}
	return x, nil
}

// wait handles what comes in until ready, which is asked under the lock.
func (c *Client) wait(ctx context.Context, ready func() bool) error {
	for {
		c.mu.Lock()
		if ready() {
			c.mu.Unlock()
			return nil
		}
		item, found := c.inbox.take()
		closed, news := c.closed, c.news
		c.mu.Unlock()
		switch {
		case found:
			c.handle(ctx, item)
			continue
		case closed != nil:
			return closed
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// cancel tells the server that nobody waits any more.
//
// basic/patterns/cancellation#transport-specific-cancellation: a client that stops waiting must say so.
// 2025-11-25/basic/utilities/cancellation#behavior-requirements: initialize must not be cancelled.
func (c *Client) cancel(ctx context.Context, row *protocol.Method, x *exchange, reason error) {
	if row.ID == protocol.Initialize {
		return
	}
	// The call has ended with its own error already; that the news did not arrive changes nothing.
	_ = c.Notify(context.WithoutCancel(ctx), protocol.Cancelled,
		protocol.CancelledParams{RequestID: []byte(x.id.Text()), Reason: reason.Error()})
}
