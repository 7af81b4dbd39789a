package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bowline-go/mcp/internal/protocol"
)

// Server is what a server says of itself.
type Server struct {
	// Revision is what is spoken with it.
	Revision *protocol.Revision
	// Info names it.
	Info protocol.Implementation
	// Capabilities is the raw object of what it offers.
	Capabilities json.RawMessage
	// Instructions tell a model how to use it.
	Instructions string
}

// Connect makes sure that the server speaks the client's revision: by asking it what it is, or by the
// handshake of the older ones.
func (c *Client) Connect(ctx context.Context) (*Server, error) {
	if !c.options.Revision.Modern {
		return c.handshake(ctx)
	}
	raw, err := c.Call(ctx, protocol.ServerDiscover, nil)
	if err != nil {
		return nil, err
	}
	var found protocol.DiscoverResult
	if err := protocol.Decode(raw, &found); err != nil {
		return nil, fmt.Errorf("the server's discovery: %w", err)
	}
	r := c.options.Revision
	if !slices.Contains(found.SupportedVersions, r.Name) {
		return nil, fmt.Errorf("the server speaks %q and not %s; choose one of its revisions", found.SupportedVersions, r.Name)
	}
	server := &Server{Revision: r, Capabilities: found.Capabilities, Instructions: found.Instructions}
	var meta map[string]json.RawMessage
	switch {
	case found.ServerInfo != nil:
		server.Info = *found.ServerInfo
	case protocol.Decode(found.Meta, &meta) == nil:
		server.Info = protocol.DecodeImplementation(meta[protocol.KeyServerInfo])
	}
	return server, nil
}
