package protocol

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/content"
)

// Tool is the definition of a tool.
type Tool struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitzero"`
	Description  string           `json:"description,omitzero"`
	InputSchema  json.RawMessage  `json:"inputSchema"`
	OutputSchema json.RawMessage  `json:"outputSchema,omitzero"`
	Annotations  *ToolAnnotations `json:"annotations,omitzero"`
	Icons        []content.Icon   `json:"icons,omitzero"`
	Meta         json.RawMessage  `json:"_meta,omitzero"`
	// Execution is the task support of one legacy revision. It is read, and dropped by For: tasks of
	// that kind are not served.
	Execution json.RawMessage `json:"execution,omitzero"`
	// Extra holds members that this library does not know; they pass through.
	Extra jsontext.Value `json:",embed"`
}

// ToolAnnotations are hints about the behaviour of a tool; nil is no hint.
type ToolAnnotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    *bool  `json:"readOnlyHint,omitzero"`
	DestructiveHint *bool  `json:"destructiveHint,omitzero"`
	IdempotentHint  *bool  `json:"idempotentHint,omitzero"`
	OpenWorldHint   *bool  `json:"openWorldHint,omitzero"`
	// Extra holds members that this library does not know; they pass through.
	Extra jsontext.Value `json:",embed"`
}

// For returns the definition as a client of revision r understands it. Where a revision has tool
// annotations but no titles, the title becomes that of the annotations. An output schema stays as it
// is: its owner wraps a root that the revision does not allow.
func (t Tool) For(r *Revision) Tool {
	t.Execution = nil
	if !r.Titles && r.ToolAnnotations && t.Title != "" {
		t.Annotations = titled(t.Annotations, t.Title)
	}
	if !r.Titles {
		t.Title = ""
	}
	if !r.ToolAnnotations {
		t.Annotations = nil
	}
	if !r.StructuredContent {
		t.OutputSchema = nil
	}
	if !r.Icons {
		t.Icons = nil
	}
	if !r.DefinitionMeta {
		t.Meta = nil
	}
	return t
}

// titled returns the annotations with a title of their own, or else this one.
func titled(a *ToolAnnotations, title string) *ToolAnnotations {
	if a == nil {
		return &ToolAnnotations{Title: title}
	}
	if a.Title != "" {
		return a
	}
	copied := *a
	copied.Title = title
	return &copied
}

// ListToolsResult is the result of tools/list.
type ListToolsResult struct {
	Tools      []Tool  `json:"tools"`
	NextCursor *string `json:"nextCursor,omitzero"`
	Stamps
}

// CallToolParams are the params of tools/call.
type CallToolParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	Retry
	Name string `json:"name"`
	// Arguments is the raw object; nil for none.
	Arguments json.RawMessage `json:"arguments,omitzero"`
}

// CallToolResult is the result of tools/call. Content holds raw blocks.
type CallToolResult struct {
	Content []json.RawMessage `json:"content"`
	// StructuredContent is the raw structured value; nil for none, "null" for the value null.
	StructuredContent json.RawMessage `json:"structuredContent,omitzero"`
	IsError           bool            `json:"isError,omitzero"`
	Asked
	Stamps
}
