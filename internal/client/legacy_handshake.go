package client

import (
	"context"
	"fmt"

	"github.com/bowline-go/mcp/internal/protocol"
)

// handshake opens a legacy session.
//
// 2025-11-25/basic/lifecycle#initialization: initialize, then notifications/initialized.
// 2025-11-25/basic/lifecycle#version-negotiation: a client that does not support the server's version ends.
func (c *Client) handshake(ctx context.Context) (*Server, error) {
	r := c.options.Revision
	raw, err := c.Call(ctx, protocol.Initialize, protocol.InitializeParams{
		ProtocolVersion: r.Name, Capabilities: c.options.capabilities(r), ClientInfo: c.options.Info.For(r),
	})
	if err != nil {
		return nil, err
	}
	var found protocol.InitializeResult
	if err := protocol.Decode(raw, &found); err != nil {
		return nil, fmt.Errorf("the server's handshake: %w", err)
	}
	agreed := protocol.Lookup(found.ProtocolVersion)
	if agreed == nil || agreed.Modern {
		return nil, fmt.Errorf("the server offers revision %q, expected one of %q", found.ProtocolVersion, protocol.LegacyNames())
	}
	c.mu.Lock()
	c.revision = agreed
	c.mu.Unlock()
	if err := c.Notify(ctx, protocol.Initialized, nil); err != nil {
		return nil, err
	}
	server := &Server{Revision: agreed, Info: found.ServerInfo, Capabilities: found.Capabilities, Instructions: found.Instructions}
	if c.options.LogLevel == protocol.LevelNone || !protocol.DecodeServerCapabilities(found.Capabilities).Logging {
		return server, nil
	}
	_, err = c.Call(ctx, protocol.LoggingSetLevel, protocol.SetLevelParams{Level: c.options.LogLevel.String()})
	return server, err
}
