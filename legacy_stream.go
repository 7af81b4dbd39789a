package mcp

import (
	"context"
	"time"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Stream makes a call for the standalone stream of a legacy client, an HTTP GET: what the
// server says by itself, changes of lists and resources, goes there. Serving it opens the
// stream, or answers why not; a stream that is open takes the place of an earlier one of the
// same client. See [Call.Serve] for open calls.
//
// 2025-11-25/basic/transports#listening-for-messages-from-the-server.
func (s *Session) Stream(ctx context.Context, headers Headers, sink Sink) *Call {
	c := s.newCall(ctx, sink)
	c.headers, c.standalone = protocol.Headers(headers), true
	if c.client, c.fault = s.clientNamed(ctx, c.headers); c.fault == nil {
		c.revision = c.client.revision
	}
	return c
}

// openStream opens the standalone stream.
func (c *Call) openStream() (open bool) {
	s := c.session
	s.mu.Lock()
	k, fault := s.remember(c.client)
	if fault != nil {
		s.mu.Unlock()
		c.refuseWith(fault)
		return false
	}
	earlier := k.stream
	c.client, k.stream = k, c
	s.table.settle(k)
	topics := s.server.listTopics()
	var err error
	if topics != nil {
		err = s.subscribe(k, topics...)
	}
	s.mu.Unlock()
	if earlier != nil {
		earlier.Cancel()
	}
	if err != nil {
		c.refuseWith(subscriptionFault(err))
		return false
	}
	c.mu.Lock()
	open = c.state.Load() == running
	c.stayed = open
	c.mu.Unlock()
	if !open {
		return false
	}
	c.shed()
	s.stayOpen(c)
	c.sink.Wake()
	return true
}

// Reconnect lets go of the connection of a long call: a client that can resume its stream, as
// those of 2025-11-25 over HTTP do, comes back after the given time. Elsewhere it is a no-op.
//
// Source: 2025-11-25/basic/transports#sending-messages-to-the-server.
func Reconnect(ctx context.Context, after time.Duration) {
	c := callFrom(ctx)
	if c == nil || !c.Primes() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.Load() != running { // the sink may serve somebody else by now
		return
	}
	if stream, ok := c.sink.(interface{ Reconnect(after time.Duration) }); ok {
		stream.Reconnect(after)
	}
}

// changesOf is what a client hears of.
func (s *Session) changesOf(k *client) *hub.Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	return k.changes
}
