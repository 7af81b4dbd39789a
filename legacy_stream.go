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
	c.fault = s.identifyClient(c)
	return c
}

// Identify checks the session that headers name, as every request of a legacy client does
// before it is served, and returns what tells the session apart from others. status is what
// HTTP has for the error.
func (s *Session) Identify(ctx context.Context, headers Headers) (key string, status int, err *Error) {
	c := &Call{Context: ctx, headers: protocol.Headers(headers)}
	if fault := s.identifyClient(c); fault != nil {
		return "", protocol.Status(c.revision, fault), publicError(fault)
	}
	return c.client.key, protocol.Status(c.revision, nil), nil
}

// identifyClient settles the client of an HTTP request without a message.
func (s *Session) identifyClient(c *Call) *protocol.Fault {
	if s.server.options.Legacy != LegacySessions {
		return protocol.NoSessions()
	}
	from, fault := s.clientOf(c, c.headers)
	if fault != nil {
		return fault
	}
	if from == nil {
		return protocol.MissingSession()
	}
	c.client, c.revision = from, from.revision
	_, fault = c.headers.LegacyRevision()
	return fault
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
	c := &Call{Context: ctx, session: s, headers: protocol.Headers(headers)}
	fault := s.identifyClient(c)
	if fault == nil && s.server.keys.Shared() {
		fault = protocol.NoSessions()
	}
	if fault != nil {
		return protocol.Status(c.revision, fault), publicError(fault)
	}
	s.mu.Lock()
	k, room := s.remember(c.client)
	if !room {
		s.mu.Unlock()
		return protocol.Status(c.revision, protocol.NoSessions()), publicError(protocol.NoSessions())
	}
	k.ended = true
	k.silence()
	ended := []*Call{}
	if k.stream != nil {
		ended = append(ended, k.stream)
	}
	for id, call := range s.calls {
		if id.client == k.key {
			ended = append(ended, call)
		}
	}
	s.mu.Unlock()
	for _, call := range ended {
		call.Cancel()
	}
	return protocol.Status(c.revision, nil), nil
}
