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
	k, fault := s.remember(c.client)
	if fault != nil {
		return nil, fault
	}
	k.level = c.level
	s.table.settle(k)
	return emptyResult{}, nil
}
