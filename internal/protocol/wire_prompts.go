package protocol

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/content"
)

// Prompt is the definition of a prompt.
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitzero"`
	Description string           `json:"description,omitzero"`
	Arguments   []PromptArgument `json:"arguments,omitzero"`
	Icons       []content.Icon   `json:"icons,omitzero"`
	Meta        json.RawMessage  `json:"_meta,omitzero"`
	// Extra holds members that this library does not know; they pass through.
	Extra jsontext.Value `json:",embed"`
}

// PromptArgument is one argument of a prompt.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	Required    bool   `json:"required,omitzero"`
	// Extra holds members that this library does not know; they pass through.
	Extra jsontext.Value `json:",embed"`
}

// For returns the definition as a client of revision r understands it.
func (p Prompt) For(r *Revision) Prompt {
	if !r.Titles {
		p.Title = ""
		p.Arguments = untitled(p.Arguments)
	}
	if !r.Icons {
		p.Icons = nil
	}
	if !r.DefinitionMeta {
		p.Meta = nil
	}
	return p
}

// untitled returns the arguments without titles; the given ones stay as they are.
func untitled(arguments []PromptArgument) []PromptArgument {
	if arguments == nil {
		return nil
	}
	bare := make([]PromptArgument, len(arguments))
	copy(bare, arguments)
	for i := range bare {
		bare[i].Title = ""
	}
	return bare
}

// ListPromptsResult is the result of prompts/list.
type ListPromptsResult struct {
	Prompts    []Prompt `json:"prompts"`
	NextCursor *string  `json:"nextCursor,omitzero"`
	Stamps
}

// GetPromptParams are the params of prompts/get.
type GetPromptParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	Retry
	Name      string            `json:"name"`
	Arguments map[string]string `json:"arguments,omitzero"`
}

// PromptMessage is one message of a prompt. Content is a raw block.
type PromptMessage struct {
	// Role is "user" or "assistant".
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// GetPromptResult is the result of prompts/get.
type GetPromptResult struct {
	Description string          `json:"description,omitzero"`
	Messages    []PromptMessage `json:"messages"`
	Asked
	Stamps
}
