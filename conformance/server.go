package main

import (
	"github.com/bowline-go/mcp"
)

// newServer registers everything. The first tool must take an empty object: the suite calls it with one.
func newServer() *mcp.Server {
	server := mcp.NewServer("bowline-conformance", "1.0.0", &mcp.Options{Dynamic: true, ResourceUpdates: true})
	addContentTools(server)
	addNotifyingTools(server)
	addSchemaTools(server)
	addAskingTools(server)
	addRoundTools(server)
	addResources(server)
	addPrompts(server)
	addTriggers(server)
	return server
}

// none is for tools and prompts without arguments.
type none = struct{}
