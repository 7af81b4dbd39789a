// Package sampling asks the client's model for a completion. The feature is deprecated as of
// the modern revision, which keeps it for at least twelve months; new servers call a model
// provider themselves.
//
// This package does not choose a model, run tools that the model wants to use, or keep a
// conversation.
package sampling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

const method = "sampling/createMessage"

// Params is what the model is asked. Messages and MaxTokens are required.
//
// Source: client/sampling#creating-messages.
type Params struct {
	Messages []Message
	// MaxTokens is the most that the model may write.
	MaxTokens int
	// SystemPrompt may be changed or left out by the client.
	SystemPrompt string
	// Preferences help the client to choose a model.
	Preferences *Preferences
	// Temperature is left to the client when it is nil.
	Temperature *float64
	// StopSequences end the completion.
	StopSequences []string
	// IncludeContext is "none", "thisServer" or "allServers"; empty is none. Others need the
	// capability mcp.CapabilitySamplingContext.
	IncludeContext string
	// Metadata is a JSON object for the model's provider.
	Metadata json.RawMessage
	// Tools are what the model may use; they need the capability mcp.CapabilitySamplingTools.
	// The answer then may hold ToolUse blocks.
	Tools []Tool
	// ToolChoice is "auto", "required" or "none"; empty is auto.
	ToolChoice string
}

// Message is one message of the conversation: one block, or several where the client's
// revision has that (since 2025-11-25).
type Message struct {
	Role    content.Role
	Content []Block
}

// Preferences are priorities from 0 to 1, and hints for names of models, the best first.
type Preferences struct {
	Hints                     []string
	Cost, Speed, Intelligence *float64
}

// Tool is a tool that the model may use.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// Result is the model's answer.
type Result struct {
	Role    content.Role
	Content []Block
	// Model is the name of the model that answered.
	Model string
	// StopReason is "endTurn", "stopSequence", "maxTokens", "toolUse" or a provider's own.
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

// UserText is a message of the user.
func UserText(text string) Message {
	return Message{content.RoleUser, []Block{{Content: content.Text{Text: text}}}}
}

// Create asks the model. key names the question within the request; how the handler runs,
// and the errors, are those of [mcp.Ask]. The client needs the capability
// [mcp.CapabilitySampling].
func Create(ctx context.Context, key string, params Params) (*Result, error) {
	wire, err := params.wire()
	if err != nil {
		return nil, err
	}
	raw, err := mcp.AskRaw(ctx, key, method, wire)
	if err != nil {
		return nil, err
	}
	return Decode(raw)
}

// Request is the question in the explicit form of [mcp.InputRequired]. A mistake in params is
// an error of that.
func Request(key string, params Params) (mcp.InputRequest, error) {
	wire, err := params.wire()
	return mcp.InputRequest{Key: key, Method: method, Params: wire}, err
}

// Decode reads an answer of the explicit form.
func Decode(answer json.RawMessage) (*Result, error) {
	var wire struct {
		wireMessage
		Model      string `json:"model"`
		StopReason string `json:"stopReason"`
	}
	if err := json.Unmarshal(answer, &wire); err != nil {
		return nil, fmt.Errorf("sampling: decoding the client's answer: %w", err)
	}
	blocks, err := decodeBlocks(wire.Content)
	if err != nil {
		return nil, fmt.Errorf("sampling: decoding the client's answer: %w", err)
	}
	return &Result{wire.Role, blocks, wire.Model, wire.StopReason}, nil
}

type wireMessage struct {
	Role    content.Role    `json:"role"`
	Content json.RawMessage `json:"content"`
}

type wireParams struct {
	Messages       []wireMessage    `json:"messages"`
	Preferences    *wirePreferences `json:"modelPreferences,omitempty"`
	SystemPrompt   string           `json:"systemPrompt,omitempty"`
	IncludeContext string           `json:"includeContext,omitempty"`
	Temperature    *float64         `json:"temperature,omitempty"`
	MaxTokens      int              `json:"maxTokens"`
	StopSequences  []string         `json:"stopSequences,omitempty"`
	Metadata       json.RawMessage  `json:"metadata,omitempty"`
	Tools          []Tool           `json:"tools,omitempty"`
	ToolChoice     *wireToolChoice  `json:"toolChoice,omitempty"`
}

type wireToolChoice struct {
	Mode string `json:"mode"`
}

type wirePreferences struct {
	Hints        []wireHint `json:"hints,omitempty"`
	Cost         *float64   `json:"costPriority,omitempty"`
	Speed        *float64   `json:"speedPriority,omitempty"`
	Intelligence *float64   `json:"intelligencePriority,omitempty"`
}

type wireHint struct {
	Name string `json:"name"`
}

func (p *Params) wire() (*wireParams, error) {
	if len(p.Messages) == 0 || p.MaxTokens <= 0 {
		return nil, errors.New("sampling: Messages and MaxTokens are required; give at least one message and a limit above 0")
	}
	wire := &wireParams{
		SystemPrompt: p.SystemPrompt, IncludeContext: p.IncludeContext, Temperature: p.Temperature,
		MaxTokens: p.MaxTokens, StopSequences: p.StopSequences, Metadata: p.Metadata, Tools: p.Tools,
	}
	for i, m := range p.Messages {
		raw, err := encodeBlocks(m.Content)
		if err != nil {
			return nil, fmt.Errorf("sampling: message %d: %w", i, err)
		}
		wire.Messages = append(wire.Messages, wireMessage{m.Role, raw})
	}
	if p.ToolChoice != "" {
		wire.ToolChoice = &wireToolChoice{p.ToolChoice}
	}
	if f := p.Preferences; f != nil {
		wire.Preferences = &wirePreferences{Cost: f.Cost, Speed: f.Speed, Intelligence: f.Intelligence}
		for _, hint := range f.Hints {
			wire.Preferences.Hints = append(wire.Preferences.Hints, wireHint{hint})
		}
	}
	return wire, nil
}
