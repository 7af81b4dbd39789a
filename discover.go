package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

// discover serves server/discover.
//
// server/discover#response.
func discover(_ context.Context, c *Call) (Result, error) {
	if ready := c.view.discovery.Load(); ready != nil {
		return ready, nil
	}
	s := c.session.server
	text := protocol.AppendDiscover(nil, &c.view.capabilities, s.implementation(), s.options.Instructions)
	text = protocol.AppendStamps(text, c.revision, protocol.Stamp{
		Cache: s.cacheHint(s.options.Cache), ServerInfo: s.implementation().AppendTo(nil),
	})
	ready := &encoded{append(text, "}}"...)}
	c.view.discovery.Store(ready)
	return ready, nil
}
