package mcptest

import (
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Revisions returns the dated names of all revisions of the protocol, oldest first.
func Revisions() []string {
	var names []string
	for r := range protocol.Revisions() {
		names = append(names, r.Name)
	}
	return names
}

// EachRevision runs a test once for each revision of the protocol, as subtests that bear its name, each with
// a client of a new server.
func EachRevision(t *testing.T, server func() *mcp.Server, test func(t *testing.T, c *Client)) {
	t.Helper()
	for _, name := range Revisions() {
		t.Run(name, func(t *testing.T) {
			test(t, Connect(t, server(), &Options{Revision: name}))
		})
	}
}
