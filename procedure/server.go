package procedure

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/bowline-go/mcp"
)

// NewServer makes a server whose tools are those of d, and whose procedures are those of t. d is copied; t is asked at every
// call, so procedures may come later. Nil options are safe defaults. More can be registered on the server: resources,
// prompts, typed tools.
//
// Of tools that share a name the first is served. Everything else that [mcp.Server.Check] reports, such as a name or
// a schema that clients would refuse, keeps a transport from serving.
func NewServer(d *Declaration, t *Table, options *mcp.Options) *mcp.Server {
	server := mcp.NewServer(d.name, d.version, options)
	for _, tool := range d.tools {
		if d.Tool(tool.def.Name) != tool {
			continue
		}
		e := &endpoint{tool: tool.copy(), table: t}
		def := tool.def
		def.InputSchema, def.ApplicationValidated, def.Render = tool.schema(), true, nil
		mcp.AddRawTool(server, def, e.call)
	}
	return server
}

// endpoint is where a tool and its procedure meet.
type endpoint struct {
	tool  *Tool
	table *Table
	bound atomic.Pointer[binding] // to the procedure that was called last
}

func (e *endpoint) call(ctx context.Context, arguments json.RawMessage) (*mcp.ToolResult, error) {
	s := e.table.find(e.tool.def.Name)
	if s == nil {
		return nil, internal("tool not registered: no procedure has the name %q", e.tool.def.Name)
	}
	b := e.bound.Load()
	if b == nil || b.signature != s {
		b = bind(e.tool, s)
		e.bound.Store(b)
	}
	if len(b.mistakes) > 0 {
		return nil, internal("tool %q does not go with its procedure: %s", e.tool.def.Name, oneLine(b.mistakes))
	}
	in, err := b.arguments(ctx, arguments)
	if err != nil {
		// What is wrong with the arguments is for the model, whatever Options.RedactErrors hides.
		return nil, mcp.UserErrorf("%w", err)
	}
	out, err := s.call(ctx, in)
	if err != nil {
		return nil, err
	}
	return b.result(out)
}

// internal is an error that only the server's author can mend.
func internal(format string, args ...any) error {
	return &mcp.Error{Code: mcp.CodeInternalError, Message: fmt.Sprintf(format, args...)}
}

func oneLine(mistakes []error) string {
	var texts []string
	for _, m := range mistakes {
		texts = append(texts, strings.ReplaceAll(m.Error(), "\n", "; "))
	}
	return strings.Join(texts, "; ")
}
