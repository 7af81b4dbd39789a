package client

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

// legacyListen subscribes to each resource by itself; changes of lists are told to every session.
//
// 2025-11-25/server/resources#subscriptions.
func (c *Client) legacyListen(ctx context.Context, wanted protocol.SubscriptionFilter) (*Subscription, error) {
	s := &Subscription{client: c, honoured: wanted}
	s.honoured.ResourceSubscriptions = nil
	for _, uri := range wanted.ResourceSubscriptions {
		if _, err := c.Call(ctx, protocol.ResourcesSubscribe, protocol.ResourceParams{URI: uri}); err != nil {
			_ = s.legacyClose(ctx) // the first error is the one to tell
			return nil, err
		}
		s.honoured.ResourceSubscriptions = append(s.honoured.ResourceSubscriptions, uri)
	}
	return s, nil
}

func (s *Subscription) legacyClose(ctx context.Context) error {
	for len(s.honoured.ResourceSubscriptions) > 0 {
		uri := s.honoured.ResourceSubscriptions[0]
		if _, err := s.client.Call(ctx, protocol.ResourcesUnsubscribe, protocol.ResourceParams{URI: uri}); err != nil {
			return err
		}
		s.honoured.ResourceSubscriptions = s.honoured.ResourceSubscriptions[1:]
	}
	return nil
}
