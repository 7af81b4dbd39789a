package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

// reader is what reads a URI: a resource, or a template with the values of its variables.
type reader struct {
	resource *resource
	template *template
	values   []string
}

func resolveResource(c *Call) *protocol.Fault {
	uri, fault := protocol.StringParam(c.msg, protocol.ParamURI)
	if fault != nil {
		return fault
	}
	c.name = uri
	var found bool
	if c.reader, found = c.view.reader(uri); !found {
		return protocol.ResourceNotFound(c.revision, uri)
	}
	return c.resolveAnswers()
}

func readResource(ctx context.Context, c *Call) (Result, error) {
	if c.reader.resource != nil {
		return orNil(c.reader.resource.read(ctx, c.session.server.options.Cache))
	}
	return orNil(c.reader.template.read(ctx, c.reader.values))
}
