package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Tool is the definition of a tool as the client sees it.
type Tool struct {
	// Name is for programs, Title for people.
	Name, Title string
	// Description is what a model reads.
	Description string
	// InputSchema and OutputSchema are JSON; OutputSchema is nil when there is none.
	InputSchema, OutputSchema json.RawMessage
	// Hints are the annotations, a JSON object; nil when there are none.
	Hints json.RawMessage
	// Meta is the _meta, a JSON object; nil when there is none.
	Meta json.RawMessage
}

// ToolResult is the result of a tool as the client sees it.
type ToolResult struct {
	// Content is what a model reads.
	Content []content.Block
	// Structured is the structured content as it came, nil when there is none. Revisions before
	// 2026-07-28 wrap everything that is no object in {"result":…}; [Call] unwraps it.
	Structured json.RawMessage
	// IsError says that the call failed in a way that Content explains.
	IsError bool
	// Meta is the _meta, a JSON object; nil when there is none.
	Meta json.RawMessage
}

// Text is the text of all text blocks, one a line.
func (r *ToolResult) Text() string {
	var texts []string
	for _, block := range r.Content {
		if text, ok := block.(content.Text); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// ListTools returns all tools, every page of them.
func (c *Client) ListTools(ctx context.Context) ([]Tool, error) {
	var tools []Tool
	err := c.pages(func(at protocol.PagedParams) (*string, error) {
		var page protocol.ListToolsResult
		err := c.call(ctx, protocol.ToolsList, at, &page)
		for _, t := range page.Tools {
			tool := Tool{
				Name: t.Name, Title: t.Title, Description: t.Description,
				InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Meta: t.Meta,
			}
			if t.Annotations != nil && err == nil {
				tool.Hints, err = protocol.Append(nil, t.Annotations)
			}
			tools = append(tools, tool)
		}
		return page.NextCursor, err
	})
	return tools, err
}

// CallTool calls a tool. args is a struct, a map or raw JSON, and nil for none. A result with IsError is no
// error here; see [Call] for a call that turns it into one.
func (c *Client) CallTool(ctx context.Context, name string, args any) (*ToolResult, error) {
	params := protocol.CallToolParams{Name: name}
	var err error
	if args != nil {
		if params.Arguments, err = protocol.Append(nil, args); err != nil {
			return nil, fmt.Errorf("tool %q: the arguments: %w", name, err)
		}
	}
	var wire protocol.CallToolResult
	if err := c.call(ctx, protocol.ToolsCall, params, &wire); err != nil {
		return nil, fmt.Errorf("tool %q: %w", name, err)
	}
	result := &ToolResult{Structured: wire.StructuredContent, IsError: wire.IsError, Meta: wire.Meta}
	for i, raw := range wire.Content {
		block, err := content.DecodeBlock(raw)
		if err != nil {
			return nil, fmt.Errorf("tool %q: block %d: %w", name, i, err)
		}
		result.Content = append(result.Content, block)
	}
	return result, nil
}

// maxPages is how many pages of a list are followed.
const maxPages = 10_000

// pages follows the cursors of a list.
func (c *Client) pages(next func(at protocol.PagedParams) (cursor *string, err error)) error {
	var at protocol.PagedParams
	for range maxPages {
		cursor, err := next(at)
		if err != nil || cursor == nil {
			return err
		}
		at.Cursor = cursor
	}
	return fmt.Errorf("the list has more than %d pages; its cursors may go round in a circle", maxPages)
}
