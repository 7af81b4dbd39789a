package mcptest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Prompt is the definition of a prompt as the client sees it.
type Prompt struct {
	// Name is for programs, Title for people.
	Name, Title string
	// Description says what it is for.
	Description string
	// Arguments are what the user fills in.
	Arguments []Argument
	// Meta is the _meta, a JSON object; nil when there is none.
	Meta json.RawMessage
}

// Argument is one argument of a prompt.
type Argument struct {
	// Name is for programs, Title for people.
	Name, Title string
	// Description says what to fill in.
	Description string
	// Required arguments must be given.
	Required bool
}

// Completion is what a server proposes for an argument.
type Completion struct {
	// Values are at most 100, the best first.
	Values []string
	// Total is how many there are in all; -1 when the server does not say.
	Total int
	// HasMore says that there are more than Values.
	HasMore bool
}

// ListPrompts returns all prompts, every page of them.
func (c *Client) ListPrompts(ctx context.Context) ([]Prompt, error) {
	var prompts []Prompt
	err := c.pages(func(at protocol.PagedParams) (*string, error) {
		var page protocol.ListPromptsResult
		err := c.call(ctx, protocol.PromptsList, at, &page)
		for _, p := range page.Prompts {
			prompt := Prompt{Name: p.Name, Title: p.Title, Description: p.Description, Meta: p.Meta}
			for _, a := range p.Arguments {
				prompt.Arguments = append(prompt.Arguments, Argument{a.Name, a.Title, a.Description, a.Required})
			}
			prompts = append(prompts, prompt)
		}
		return page.NextCursor, err
	})
	return prompts, err
}

// GetPrompt returns the messages of a prompt. Nil args are none.
func (c *Client) GetPrompt(ctx context.Context, name string, args map[string]string) (*mcp.PromptResult, error) {
	var wire protocol.GetPromptResult
	if err := c.call(ctx, protocol.PromptsGet, protocol.GetPromptParams{Name: name, Arguments: args}, &wire); err != nil {
		return nil, fmt.Errorf("prompt %q: %w", name, err)
	}
	result := &mcp.PromptResult{Description: wire.Description, Meta: wire.Meta}
	for i, m := range wire.Messages {
		block, err := content.DecodeBlock(m.Content)
		if err != nil {
			return nil, fmt.Errorf("prompt %q: message %d: %w", name, i, err)
		}
		result.Messages = append(result.Messages, mcp.Message{Role: content.Role(m.Role), Content: block})
	}
	return result, nil
}

// CompletePrompt asks for proposals for an argument of a prompt: value is what the user has typed, known are
// the arguments that are settled, which the server sees from 2025-06-18 on.
func (c *Client) CompletePrompt(ctx context.Context, prompt, argument, value string, known map[string]string) (*Completion, error) {
	return c.complete(ctx, protocol.Reference{Type: protocol.RefPrompt, Name: prompt}, argument, value, known)
}

// CompleteTemplate asks for proposals for a variable of a resource template; see [Client.CompletePrompt].
func (c *Client) CompleteTemplate(ctx context.Context, uriTemplate, variable, value string, known map[string]string) (*Completion, error) {
	return c.complete(ctx, protocol.Reference{Type: protocol.RefResource, URI: uriTemplate}, variable, value, known)
}

func (c *Client) complete(ctx context.Context, ref protocol.Reference, argument, value string, known map[string]string) (*Completion, error) {
	params := protocol.CompleteParams{Ref: ref, Argument: protocol.CompleteArgument{Name: argument, Value: value}}
	if known != nil && c.core.Revision().CompletionContext {
		params.Context = &protocol.CompletionContext{Arguments: known}
	}
	var wire protocol.CompleteResult
	if err := c.call(ctx, protocol.CompletionComplete, params, &wire); err != nil {
		return nil, fmt.Errorf("completion of %q: %w", argument, err)
	}
	completion := &Completion{wire.Completion.Values, -1, wire.Completion.HasMore}
	if wire.Completion.Total != nil {
		completion.Total = *wire.Completion.Total
	}
	return completion, nil
}
