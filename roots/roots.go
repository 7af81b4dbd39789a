// Package roots asks the client which folders and files a server may work on. The feature is
// deprecated as of the modern revision, which keeps it for at least twelve months; new servers
// take paths as arguments of their tools.
//
// This package does not open files, and does not check that a server stays within the roots.
package roots

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Root is a folder or a file that the client lets the server work on.
//
// Source: client/roots#root.
type Root struct {
	// URI begins with file://.
	URI string
	// Name is for people; empty when the client gave none.
	Name string
}

// List asks the client for its roots. key names the question within the request; how the
// handler runs, and the errors, are those of [mcp.Ask]. The client needs the capability
// [mcp.CapabilityRoots].
func List(ctx context.Context, key string) ([]Root, error) {
	raw, err := mcp.AskRaw(ctx, key, method(), noParams{})
	if err != nil {
		return nil, err
	}
	return Decode(raw)
}

// Request is the question in the explicit form of [mcp.InputRequired].
func Request(key string) mcp.InputRequest {
	return mcp.InputRequest{Key: key, Method: method(), Params: noParams{}}
}

func method() string { return protocol.MethodOf(protocol.RootsList).Name }

// noParams encodes as {}, without which a client in use does not answer.
type noParams struct{}

// Decode reads an answer of the explicit form.
func Decode(answer json.RawMessage) ([]Root, error) {
	var wire protocol.ListRootsResult
	if err := protocol.Decode(answer, &wire); err != nil {
		return nil, fmt.Errorf("roots: the client's answer: %w", err)
	}
	roots := make([]Root, len(wire.Roots))
	for i, root := range wire.Roots {
		roots[i] = Root{root.URI, root.Name}
	}
	return roots, nil
}
