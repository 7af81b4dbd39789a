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
)

// Root is a folder or a file that the client lets the server work on.
//
// Source: client/roots#root.
type Root struct {
	// URI begins with file://.
	URI string `json:"uri"`
	// Name is for people; empty when the client gave none.
	Name string `json:"name"`
}

const method = "roots/list"

// List asks the client for its roots. key names the question within the request; how the
// handler runs, and the errors, are those of [mcp.Ask]. The client needs the capability
// [mcp.CapabilityRoots].
func List(ctx context.Context, key string) ([]Root, error) {
	raw, err := mcp.AskRaw(ctx, key, method, struct{}{})
	if err != nil {
		return nil, err
	}
	return Decode(raw)
}

// Request is the question in the explicit form of [mcp.InputRequired].
func Request(key string) mcp.InputRequest {
	return mcp.InputRequest{Key: key, Method: method, Params: struct{}{}}
}

// Decode reads an answer of the explicit form.
func Decode(answer json.RawMessage) ([]Root, error) {
	var result struct {
		Roots []Root `json:"roots"`
	}
	if err := json.Unmarshal(answer, &result); err != nil {
		return nil, fmt.Errorf("roots: decoding the client's answer: %w", err)
	}
	return result.Roots, nil
}
