package sampling

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Result is the model's answer.
type Result struct {
	Role    content.Role
	Content []Block
	// Model is the name of the model that answered.
	Model string
	// StopReason is "endTurn", "stopSequence", "maxTokens", "toolUse" or a provider's own;
	// empty when it is not known.
	StopReason string
}

// Text is the text of the result's text blocks, joined.
func (r *Result) Text() string {
	text := ""
	for _, block := range r.Content {
		if t, ok := block.Content.(content.Text); ok {
			text += t.Text
		}
	}
	return text
}

// Message is the result as a message of a conversation that goes on. A result with ToolUse
// blocks is followed by a message of the user with a ToolResult for each.
func (r *Result) Message() Message { return Message{r.Role, r.Content} }

// Create asks the model. key names the question within the request; how the handler runs,
// and the errors, are those of [mcp.Ask]. The client needs the capability
// [mcp.CapabilitySampling].
func Create(ctx context.Context, key string, params Params) (*Result, error) {
	wire, err := params.wire()
	if err != nil {
		return nil, &mcp.AskError{Key: key, Err: err}
	}
	raw, err := mcp.AskRaw(ctx, key, method(), wire)
	if err != nil {
		return nil, err
	}
	return Decode(raw)
}

// Request is the question in the explicit form of [mcp.InputRequired]. The error is a mistake
// in params.
func Request(key string, params Params) (mcp.InputRequest, error) {
	wire, err := params.wire()
	return mcp.InputRequest{Key: key, Method: method(), Params: wire}, err
}

func method() string { return protocol.MethodOf(protocol.SamplingCreateMessage).Name }

// Decode reads an answer of the explicit form.
func Decode(answer json.RawMessage) (*Result, error) {
	var wire protocol.CreateMessageResult
	if err := protocol.Decode(answer, &wire); err != nil {
		return nil, fmt.Errorf("sampling: the client's answer: %w", err)
	}
	blocks, err := decodeBlocks(wire.Content)
	if err != nil {
		return nil, fmt.Errorf("sampling: the client's answer: %w", err)
	}
	return &Result{content.Role(wire.Role), blocks, wire.Model, wire.StopReason}, nil
}
