package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// subscribe makes a legacy session hear of topics. mu is held.
func (s *Session) subscribe(topics ...hub.Topic) (err error) {
	if s.wake == nil {
		return nil
	}
	if s.changes != nil {
		return s.changes.Add(topics)
	}
	s.changes, err = s.server.published.Subscribe(topics, s.wake)
	return err
}

// subscribeResource serves resources/subscribe.
//
// 2025-11-25/server/resources#subscriptions.
func subscribeResource(_ context.Context, c *Call) (Result, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.subscribe(hub.Topic{Kind: hub.ResourceUpdated, Key: c.name}); err != nil {
		return nil, protocol.Busy(err.Error(), retryAfter)
	}
	return emptyResult{}, nil
}

// unsubscribeResource serves resources/unsubscribe.
func unsubscribeResource(_ context.Context, c *Call) (Result, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changes != nil {
		s.changes.Remove([]hub.Topic{{Kind: hub.ResourceUpdated, Key: c.name}})
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
// run twice at the same time.
func (s *Session) Flush(emit func(message []byte) error) error {
	s.mu.Lock()
	changes, ready := s.changes, s.client != nil && s.client.ready
	s.mu.Unlock()
	if changes == nil || !ready {
		return nil
	}
	for _, event := range changes.Take(nil) {
		if err := emit(appendChange(nil, jsonrpc.ID{}, event)); err != nil {
			return err
		}
	}
	return nil
}
