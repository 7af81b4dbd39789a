package mcp

import (
	"context"

	"github.com/bowline-go/mcp/content"
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
	text = protocol.AppendStamps(text, c.revision, protocol.Stamp{Cache: s.cacheHint(s.options.Cache), ServerInfo: s.brief})
	ready := &encoded{append(text, '}')}
	c.view.discovery.Store(ready)
	return ready, nil
}

// finish ends a result with the stamps of its revision and closes the message. hint is nil
// for results that no client keeps.
func (c *Call) finish(b *content.Body, meta []byte, hint *protocol.CacheHint) {
	b.Append(protocol.AppendStamps(b.AvailableBuffer(), c.revision, protocol.Stamp{
		Cache: hint, Meta: meta, ServerInfo: c.session.server.brief,
	}))
	b.AppendString("}}")
}
