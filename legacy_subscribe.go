package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// subscribeResource serves resources/subscribe.
//
// 2025-11-25/server/resources#subscriptions.
func subscribeResource(_ context.Context, c *Call) (Result, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	k, fault := s.remember(c.client)
	if fault != nil {
		return nil, fault
	}
	defer s.table.settle(k)
	if err := s.subscribe(k, hub.Topic{Kind: hub.ResourceUpdated, Key: c.name}); err != nil {
		return nil, subscriptionFault(err)
	}
	return emptyResult{}, nil
}

// unsubscribeResource serves resources/unsubscribe.
func unsubscribeResource(_ context.Context, c *Call) (Result, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.client.changes != nil {
		c.client.changes.Remove([]hub.Topic{{Kind: hub.ResourceUpdated, Key: c.name}})
		s.table.settle(c.client)
	}
	return emptyResult{}, nil
}

// resolveURI reads the URI of an unsubscription, which need not exist any more.
func resolveURI(c *Call) (fault *protocol.Fault) {
	c.name, fault = protocol.StringParam(c.msg, protocol.ParamURI)
	return fault
}

// Flush hands every pending message of the server's own initiative to emit, on the caller's
// goroutine: what a legacy client is told of changes. It stops at emit's error. It must not
// run twice at the same time, and has nothing to do in a shared session.
func (s *Session) Flush(emit func(message []byte) error) error {
	s.mu.Lock()
	var changes *hub.Subscription
	if s.client != nil && s.client.isReady() {
		changes = s.client.changes
	}
	s.mu.Unlock()
	return flushChanges(changes, jsonrpc.ID{}, emit)
}
