package client

import (
	"context"
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Subscription is an open wish to hear of changes. What it brings goes to Options.Notified.
type Subscription struct {
	client   *Client
	exchange *exchange // nil: legacy
	honoured protocol.SubscriptionFilter
}

// Listen asks the server to tell of changes, and returns when it has agreed.
func (c *Client) Listen(ctx context.Context, wanted protocol.SubscriptionFilter) (*Subscription, error) {
	if !c.Revision().Modern {
		return c.legacyListen(ctx, wanted)
	}
	members, err := membersOf(protocol.ListenParams{Notifications: wanted})
	if err != nil {
		return nil, err
	}
	row := protocol.MethodOf(protocol.SubscriptionsListen)
	x, err := c.send(ctx, row, members)
	if err != nil {
		return nil, err
	}
	if err := c.wait(ctx, func() bool { return x.answered || x.honoured != nil }); err != nil {
		c.forget(x)
		c.cancel(ctx, row, x, err)
		return nil, err
	}
	if x.err != nil {
		c.forget(x)
		return nil, x.err
	}
	s := &Subscription{client: c, exchange: x}
	if x.honoured != nil {
		s.honoured = *x.honoured
	}
	return s, nil
}

// acknowledged notes what a server agreed to. mu is held.
//
// basic/patterns/subscriptions#acknowledgment: the acknowledgement comes first and names the request.
func (c *Client) acknowledged(m *jsonrpc.Message) {
	var p protocol.ListenParams
	var meta map[string]json.RawMessage
	if protocol.Decode(m.Params, &p) != nil || protocol.Decode(p.Meta, &meta) != nil {
		return
	}
	x := c.exchanges[jsonrpc.IDFromText(string(meta[protocol.KeySubscriptionID]))]
	if x == nil {
		return
	}
	x.honoured = &p.Notifications
	c.tell()
}

// Honoured is the part of the wish that the server agreed to.
func (s *Subscription) Honoured() protocol.SubscriptionFilter { return s.honoured }

// Ended reports that the server has ended the subscription by itself. Legacy ones end with the session.
func (s *Subscription) Ended() bool {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if s.exchange == nil {
		return s.client.closed != nil
	}
	return s.exchange.answered || s.client.closed != nil
}

// Close ends the subscription. It may be called more than once.
//
// basic/patterns/subscriptions#cancellation: by a cancellation of the request.
func (s *Subscription) Close(ctx context.Context) error {
	c := s.client
	if s.exchange == nil {
		return s.legacyClose(ctx)
	}
	c.mu.Lock()
	open := c.exchanges[s.exchange.id] == s.exchange && !s.exchange.answered
	delete(c.exchanges, s.exchange.id)
	c.mu.Unlock()
	if !open {
		return nil
	}
	return c.Notify(ctx, protocol.Cancelled, protocol.CancelledParams{RequestID: []byte(s.exchange.id.Text())})
}
