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

// EachRevision runs a test once for each revision of the protocol, as subtests that bear its name, one after the
// other, each with a client of a new server. The clients have the options of o, but its Revision; nil options are
// the zero value. In a revision in which a client cannot be asked something, the function for it is not called.
func EachRevision(t *testing.T, server func() *mcp.Server, o *Options, test func(t *testing.T, c *Client)) {
	t.Helper()
	for _, name := range Revisions() {
		t.Run(name, func(t *testing.T) {
			var own Options
			if o != nil {
				own = *o
			}
			own.Revision = name
			test(t, Connect(t, server(), &own))
		})
	}
}
