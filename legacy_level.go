package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

// resolveLevel reads the level of logging/setLevel.
func resolveLevel(c *Call) (fault *protocol.Fault) {
	c.level, fault = protocol.LevelParam(c.msg)
	return fault
}

// setLevel serves logging/setLevel: what the client gets of the log from now on.
func setLevel(_ context.Context, c *Call) (Result, error) {
	if c.client == nil {
		return emptyResult{}, nil // sessionless: nothing is remembered
	}
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	k, room := s.remember(c.client)
	if !room {
		return nil, protocol.Busy("too many sessions have settings", retryAfter)
	}
	if k.ended { // by a DELETE that overtook this request
		return nil, protocol.UnknownSession()
	}
	k.level = c.level
	s.forget(k)
	return emptyResult{}, nil
}
