package mcp

import (
	"context"
	"strconv"

	"github.com/bowline-go/mcp/internal/protocol"
)

// completing is what is to be completed, and by what.
type completing struct {
	completer Completer // nil: nothing completes the argument
	params    *protocol.CompleteParams
}

// resolveCompletion finds what completes the argument that the client names.
//
// server/utilities/completion#error-handling: an unknown reference is -32602.
func resolveCompletion(c *Call) *protocol.Fault {
	params, fault := protocol.CompleteParamsOf(c.msg)
	if fault != nil {
		return fault
	}
	completers, fault := c.completers(&params.Ref)
	if fault != nil {
		return fault
	}
	completer, known := completers[params.Argument.Name]
	if !known {
		return protocol.UnknownReference("argument " + strconv.Quote(params.Argument.Name) + " of " + strconv.Quote(c.name))
	}
	c.completing = &completing{completer, &params}
	return nil
}

// completers are those of the prompt or template that the client refers to.
func (c *Call) completers(ref *protocol.Reference) (map[string]Completer, *protocol.Fault) {
	if ref.Type == protocol.RefPrompt {
		p := c.view.prompt(ref.Name)
		if p == nil {
			return nil, protocol.UnknownReference("prompt " + strconv.Quote(ref.Name))
		}
		c.name = p.def.Name
		return p.completers, nil
	}
	t := c.view.template(ref.URI)
	if t == nil {
		return nil, protocol.UnknownReference("resource template " + strconv.Quote(ref.URI))
	}
	c.name = t.def.URITemplate
	return t.completers, nil
}

func completeArgument(ctx context.Context, c *Call) (Result, error) {
	completer, params := c.completing.completer, c.completing.params
	if completer == nil {
		return &completionResult{}, nil
	}
	var known map[string]string
	if c.revision.CompletionContext && params.Context != nil {
		known = params.Context.Arguments
	}
	values, err := completer(ctx, params.Argument.Value, known)
	if err != nil {
		return nil, err
	}
	return &completionResult{values[:min(len(values), protocol.MaxCompletionValues)], len(values)}, nil
}
