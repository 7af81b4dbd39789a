package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

// answerHandshake serves initialize, whose state Admit has settled.
//
// 2025-11-25/basic/lifecycle#initialization.
func answerHandshake(_ context.Context, c *Call) (Result, error) {
	s := c.session.server
	text := protocol.AppendInitialize(nil, c.revision, &c.view.capabilities, s.implementation(), s.options.Instructions)
	return &encoded{text}, nil
}

// answerPing serves ping.
//
// 2025-11-25/basic/utilities/ping#behavior-requirements: the answer is empty.
func answerPing(context.Context, *Call) (Result, error) { return emptyResult{}, nil }

// resolveLevel reads the level of logging/setLevel.
func resolveLevel(c *Call) (fault *protocol.Fault) {
	c.level, fault = protocol.LevelParam(c.msg)
	return fault
}

// setLevel serves logging/setLevel: what the client gets of the log from now on.
func setLevel(_ context.Context, c *Call) (Result, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		s.client.level = c.level
	}
	return emptyResult{}, nil
}
