package procedure

import (
	"slices"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/schema"
)

// Tool is one declared tool. Its methods return it, so that they can be chained.
type Tool struct {
	def       mcp.Tool
	source    string // where it was declared: main.go:12
	params    []Param
	results   []string // names of several results
	unmatched []string // what Optional was given and did not find
}

// Param is one declared parameter of a tool.
type Param struct {
	// Name is what a call names the argument. Any text is a name.
	Name string
	// Schema is what the argument has to be.
	Schema *schema.Schema
	// Description tells a model what the argument means. It takes the place of that of the schema, unless it is empty.
	Description string
	// Optional says that a call may leave the argument out.
	Optional bool
}

// Param declares the next parameter, a required one. The order is that of the function's parameters. Of two parameters with
// one name, calls see the first.
func (t *Tool) Param(name string, s *schema.Schema, description string) *Tool {
	t.params = append(t.params, Param{Name: name, Schema: s, Description: description})
	return t
}

// Optional makes declared parameters optional: of each name, the first. A name that is not declared yet is ignored, and
// reported by [Declaration.Verify].
func (t *Tool) Optional(names ...string) *Tool {
	for _, name := range names {
		if i := t.ParamIndex(name); i >= 0 {
			t.params[i].Optional = true
			continue
		}
		t.unmatched = append(t.unmatched, name)
	}
	return t
}

// Render sets how the result becomes content; the last call counts, and it replaces the Render field of the definition.
// Nil, the default: a string as it is, content blocks as they are, anything else as compact JSON.
func (t *Tool) Render(r content.Renderer) *Tool {
	t.def.Render = r
	return t
}

// Results names the results of a procedure that has several, in order: they are rendered as one object. The last call
// counts. Without it the names are result1, result2 and so on.
func (t *Tool) Results(names ...string) *Tool {
	t.results = slices.Clone(names)
	return t
}

// Definition returns the definition of the tool.
func (t *Tool) Definition() mcp.Tool { return t.def }

// Params returns the declared parameters in order.
func (t *Tool) Params() []Param { return slices.Clone(t.params) }

// ParamIndex returns the position of the first parameter of exactly that name, from 0, or -1.
func (t *Tool) ParamIndex(name string) int {
	return slices.IndexFunc(t.params, func(p Param) bool { return p.Name == name })
}

// reachable reports whether calls can name parameter i: whether it is the first of its name.
func (t *Tool) reachable(i int) bool { return t.ParamIndex(t.params[i].Name) == i }

// schema is the input schema as it is published. That other arguments are refused all the same is a matter of the call.
func (t *Tool) schema() *schema.Schema {
	s := schema.Object()
	for i, p := range t.params {
		if t.reachable(i) {
			s = p.addTo(s, p.Name)
		}
	}
	return s
}

// addTo declares the parameter as a member of an object.
func (p *Param) addTo(object *schema.Schema, name string) *schema.Schema {
	s := p.Schema
	if s != nil && p.Description != "" {
		s = s.Describe(p.Description)
	}
	object = object.Prop(name, s)
	if p.Optional {
		object = object.Optional(name)
	}
	return object
}

// copy keeps what is served apart from what is declared later.
func (t *Tool) copy() *Tool {
	c := *t
	c.params = slices.Clone(t.params)
	return &c
}
