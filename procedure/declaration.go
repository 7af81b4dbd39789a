package procedure

import (
	"slices"

	"github.com/bowline-go/mcp"
)

// Declaration is what a model is told of a set of procedures. It is made before it is served; it is not safe for
// concurrent use, and what is added after [NewServer] is not served.
type Declaration struct {
	name, version string
	tools         []*Tool
}

// NewDeclaration makes a declaration without tools. The name and the version are those of the server, both required.
func NewDeclaration(name, version string) *Declaration {
	return &Declaration{name: name, version: version}
}

// ServerName returns the name of the server.
func (d *Declaration) ServerName() string { return d.name }

// ServerVersion returns the version of the server.
func (d *Declaration) ServerVersion() string { return d.version }

// AddTool declares a tool after those before it and returns it, so that parameters can be added. def.Name is also the name
// of the procedure. All fields of def count but InputSchema, which the parameters make up, and ApplicationValidated:
// arguments are always checked. With an OutputSchema, the result is sent as structured content as well.
//
// A name that was declared before is not refused: [Declaration.Tools] has both, but calls, the tool list and
// [Declaration.Tool] see the first, and [Declaration.Verify] reports it.
func (d *Declaration) AddTool(def mcp.Tool) *Tool {
	t := &Tool{def: def, source: callerOutside()}
	d.tools = append(d.tools, t)
	return t
}

// Tool returns the first tool of exactly that name, or nil.
func (d *Declaration) Tool(name string) *Tool {
	for _, t := range d.tools {
		if t.def.Name == name {
			return t
		}
	}
	return nil
}

// Tools returns the declared tools in their order.
func (d *Declaration) Tools() []*Tool { return slices.Clone(d.tools) }
