package mcp

import (
	"context"
	"encoding/json"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/uri"
	"github.com/bowline-go/mcp/schema"
)

// ResourceTemplate describes a family of resources whose URIs share a form. URITemplate and
// Name are required.
//
// Source: server/resources#resource-templates.
type ResourceTemplate struct {
	// URITemplate is an RFC 6570 template, such as "users://{id}/avatar". A {variable}
	// stands for one or more characters other than '/', a {+variable} may hold '/' as well, and a
	// {?variable} is a query that may be absent: then an optional field has its default or zero
	// value, and a required one is the empty text.
	URITemplate string
	// Name is for programs, Title for people.
	Name, Title string
	// Description tells a model what the resources hold.
	Description string
	// MIMEType is the type of the contents; see Resource.MIMEType for the default.
	MIMEType string
	// Icons are pictures that a client may show.
	Icons []Icon
	// Annotations say for whom and how important the resources are.
	Annotations *content.Annotations
	// Complete suggests values for a variable. A variable whose field has an enum tag
	// completes by itself.
	Complete map[string]Completer
	// Cache is the caching hint of the contents. The zero TTL is 0.
	Cache Cache
	// Meta is sent with the definition as its _meta, a JSON object. Its keys follow
	// basic/index#meta.
	Meta json.RawMessage
}

// template is a compiled registration.
type template struct {
	def        ResourceTemplate
	at         place
	wire       protocol.ResourceTemplate
	pattern    *uri.Template
	variables  *schema.Compiled
	names      []string        // of the variables, in the order of a match's values
	optional   map[string]bool // variables whose field may be absent
	completers map[string]Completer
	read       func(ctx context.Context, values []string) (*ReadResult, error)
}

// AddTemplate registers a resource template. Vars is a struct with one field for each
// variable, by json tag; values are percent-decoded and converted to the fields' types, and
// a URI whose values do not fit names no resource. For Out and errors see [AddResource]. A
// resource that is registered for exactly the requested URI comes before every template;
// templates come in the order of registration. read must be safe for concurrent use.
func AddTemplate[Vars, Out any](r Registrar, def ResourceTemplate, read func(ctx context.Context, vars Vars) (Out, error)) {
	reg := r.registry()
	t := &template{def: def, at: placed("resource template", def.URITemplate)}
	if read == nil {
		reg.mistake(t.at, "the handler is nil; give it a function")
	}
	checkContents[Out](reg, t.at)
	reg.addTemplate(t, schema.For[Vars]())
	cache := def.Cache.or(0)
	t.read = func(ctx context.Context, values []string) (*ReadResult, error) {
		var vars Vars
		if err := t.variables.Decode(t.object(values), &vars); err != nil {
			return nil, ErrNotFound
		}
		out, err := read(ctx, vars)
		if err != nil {
			return nil, err
		}
		return readResult(out, def.MIMEType, cache)
	}
}

func (r *registry) addTemplate(t *template, vars *schema.Schema) {
	var err error
	d := &t.def
	t.pattern, err = uri.Parse(d.URITemplate)
	r.mistakesOf(t.at, "template", err)
	t.variables, err = vars.Compile(schema.CompileOptions{Role: schema.Input, Lenient: true})
	r.mistakesOf(t.at, "variables", err)
	if t.pattern != nil && t.variables != nil {
		checkVariables(r, t)
		t.names, t.optional = t.pattern.Names(), map[string]bool{}
		properties := t.variables.Properties()
		for _, p := range properties {
			t.optional[p.Name] = !p.Required
		}
		t.completers = completersOf(r, t.at, properties, d.Complete)
	}
	checkTemplate(r, t)
	t.wire = protocol.ResourceTemplate{
		URITemplate: d.URITemplate, Name: d.Name, Title: d.Title, Description: d.Description, MIMEType: d.MIMEType,
		Icons: d.Icons, Annotations: d.Annotations, Meta: d.Meta,
	}
	r.templates = append(r.templates, t)
}

// object is the variables as the JSON object that their schema describes. What a query does not hold is left out where
// the field may be absent.
func (t *template) object(values []string) []byte {
	size := len("{}")
	for i, name := range t.names {
		size += len(name) + len(values[i]) + len(`"":"",`)
	}
	buf := append(make([]byte, 0, size), '{')
	for i, name := range t.names {
		if values[i] == "" && t.optional[name] {
			continue
		}
		if len(buf) > 1 {
			buf = append(buf, ',')
		}
		buf = jsonrpc.AppendString(buf, name)
		buf = append(buf, ':')
		buf = jsonrpc.AppendString(buf, values[i])
	}
	return append(buf, '}')
}
