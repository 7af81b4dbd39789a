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

// Identify checks the session that headers name, as every request of a legacy client does
// before it is served, and returns what tells the session apart from others. status is what
// HTTP has for the error.
func (s *Session) Identify(ctx context.Context, headers Headers) (key string, status int, err *Error) {
	k, fault := s.clientNamed(ctx, protocol.Headers(headers))
	if fault != nil {
		return "", protocol.Status(nil, fault), publicError(fault)
	}
	return k.key, protocol.Status(k.revision, nil), nil
}

// clientNamed is the client of an HTTP request without a message, which is nobody's unless its
// headers say whose. Its faults have the same status in every revision.
func (s *Session) clientNamed(ctx context.Context, headers protocol.Headers) (*client, *protocol.Fault) {
	if s.server.options.Legacy != LegacySessions {
		return nil, protocol.NoSessions()
	}
	k, fault := s.clientOf(ctx, headers)
	if fault != nil {
		return nil, fault
	}
	if k == nil {
		return nil, protocol.MissingSession()
	}
	if _, fault = headers.LegacyRevision(); fault != nil {
		return nil, fault
	}
	return k, nil
}

// openStream opens the standalone stream.
func (c *Call) openStream() (open bool) {
	s := c.session
	s.mu.Lock()
	k, room := s.remember(c.client)
	if !room || k.ended {
		s.mu.Unlock()
		c.refuseWith(protocol.Busy("too many sessions have streams", retryAfter))
		return false
	}
	earlier := k.stream
	c.client, k.stream = k, c
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
	c.forget()
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

// End ends the session that headers name, an HTTP DELETE: its calls are cancelled, its stream
// ends, and it is unknown from now on. status is what HTTP has for the outcome. It is 405
// when an end could not be told to every replica, or could not be remembered.
//
// 2025-11-25/basic/transports#session-management.
func (s *Session) End(ctx context.Context, headers Headers) (status int, err *Error) {
	k, fault := s.clientNamed(ctx, protocol.Headers(headers))
	if fault == nil && s.server.keys.Shared() {
		fault = protocol.NoSessions()
	}
	var ended []*Call
	if fault == nil {
		ended, fault = s.endClient(k)
	}
	if fault != nil {
		return protocol.Status(nil, fault), publicError(fault)
	}
	for _, call := range ended {
		call.Cancel()
	}
	return protocol.Status(k.revision, nil), nil
}

// endClient makes a client unknown from now on, and returns what is to be cancelled.
func (s *Session) endClient(k *client) (calls []*Call, fault *protocol.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, room := s.remember(k)
	if !room {
		return nil, protocol.NoSessions()
	}
	k.ended = true
	k.silence()
	if k.stream != nil {
		calls = append(calls, k.stream)
	}
	for id, call := range s.calls {
		if id.client == k.key {
			calls = append(calls, call)
		}
	}
	return calls, nil
}
