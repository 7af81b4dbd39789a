package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

func resolvePrompt(c *Call) *protocol.Fault {
	name, fault := protocol.StringParam(c.msg, protocol.ParamName)
	if fault != nil {
		return fault
	}
	p := c.view.prompt(name)
	if p == nil {
		return protocol.UnknownPrompt(name)
	}
	c.prompt, c.name = p, p.def.Name
	if c.arguments, fault = protocol.ArgumentsParam(c.msg); fault != nil {
		return fault
	}
	return c.resolveAnswers()
}

func getPrompt(ctx context.Context, c *Call) (Result, error) {
	return orNil(c.prompt.get(ctx, c.arguments))
}
