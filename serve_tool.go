package mcp

import (
	"context"
	"errors"

	"github.com/bowline-go/mcp/internal/protocol"
)

// resolveTool finds the tool of a tools/call and checks what can be told before its handler
// runs.
func resolveTool(c *Call) *protocol.Fault {
	name, fault := protocol.TextParam(c.msg, protocol.ParamName)
	if fault != nil {
		return fault
	}
	t := c.view.tool(name)
	if t == nil {
		return protocol.UnknownTool(string(name))
	}
	c.tool, c.name = t, t.def.Name
	if c.arguments, fault = protocol.ArgumentsParam(c.msg); fault != nil {
		return fault
	}
	if c.headers != nil && c.revision.MirroredHeaders {
		if fault := c.headers.CheckParams(t.headers, c.arguments); fault != nil {
			return fault
		}
	}
	if missing := c.meta.Has.Missing(t.needs); missing != 0 && c.revision.Modern {
		return protocol.MissingCapability("tool "+t.def.Name, t.needs, c.meta.Has)
	}
	return c.resolveAnswers()
}

// callTool runs the handler of a tool.
func callTool(ctx context.Context, c *Call) (Result, error) {
	t := c.tool
	if missing := c.meta.Has.Missing(t.needs); missing != 0 {
		return nil, UserErrorf("this tool needs the client capability %s, which the client did not declare", missing)
	}
	if t.def.Timeout <= 0 {
		return orNil(t.call(ctx, c.arguments))
	}
	limited, cancel := context.WithTimeout(ctx, t.def.Timeout)
	defer cancel()
	result, err := t.call(limited, c.arguments)
	if err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, UserErrorf("the tool did not finish within %s", t.def.Timeout)
	}
	return orNil(result, err)
}

// orNil keeps the nil pointer beside an error from becoming a Result that is not nil.
func orNil[R Result](result R, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return result, nil
}
