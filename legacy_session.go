package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

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

// End ends the session that headers name, an HTTP DELETE: its calls are cancelled, its stream
// ends, and it is unknown from now on, on every endpoint of the server. status is what HTTP has
// for the outcome. It is 405 when an end could not be told to every replica, or could not be
// remembered.
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
	if s.table.ended.has(k.key) {
		return nil, protocol.UnknownSession()
	}
	if left := s.table.left[k.key]; left != nil && left.stream != nil {
		calls = append(calls, left.stream)
	}
	if !s.table.end(k, s.server.options.Clock()) {
		return nil, protocol.NoSessions()
	}
	for id, call := range s.calls {
		if id.client == k.key {
			calls = append(calls, call)
		}
	}
	return calls, nil
}
