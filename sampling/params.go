package sampling

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Params is what the model is asked. Messages and MaxTokens are required.
//
// Source: client/sampling#creating-messages.
type Params struct {
	Messages []Message
	// MaxTokens is the most that the model may write, above 0.
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

// UserText is a message of the user.
func UserText(text string) Message {
	return Message{content.RoleUser, []Block{{Content: content.NewText(text)}}}
}

// AssistantText is a message of the model.
func AssistantText(text string) Message {
	return Message{content.RoleAssistant, []Block{{Content: content.NewText(text)}}}
}

// Preferences are priorities from 0 to 1, and hints for names of models, the best first.
type Preferences struct {
	Hints                     []string
	Cost, Speed, Intelligence *float64
}

// Tool is a tool that the model may use. It need not be one of the server's tools.
type Tool struct {
	Name        string
	Description string
	// InputSchema is the JSON Schema of its arguments, an object.
	InputSchema json.RawMessage
}

func (p *Params) wire() (*protocol.CreateMessageParams, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	wire := &protocol.CreateMessageParams{
		SystemPrompt: p.SystemPrompt, IncludeContext: p.IncludeContext, Temperature: p.Temperature,
		MaxTokens: int64(p.MaxTokens), StopSequences: p.StopSequences, Metadata: p.Metadata,
	}
	for i, m := range p.Messages {
		raw, err := encodeBlocks(m.Content)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		wire.Messages = append(wire.Messages, protocol.SamplingMessage{Role: string(m.Role), Content: raw})
	}
	for _, tool := range p.Tools {
		wire.Tools = append(wire.Tools, protocol.Tool{Name: tool.Name, Description: tool.Description, InputSchema: tool.InputSchema})
	}
	if p.ToolChoice != "" {
		wire.ToolChoice = &protocol.ToolChoice{Mode: p.ToolChoice}
	}
	if f := p.Preferences; f != nil {
		wire.ModelPreferences = &protocol.ModelPreferences{CostPriority: f.Cost, SpeedPriority: f.Speed, IntelligencePriority: f.Intelligence}
		for _, hint := range f.Hints {
			wire.ModelPreferences.Hints = append(wire.ModelPreferences.Hints, protocol.ModelHint{Name: hint})
		}
	}
	return wire, nil
}

// check checks what does not depend on the client.
func (p *Params) check() error {
	switch {
	case len(p.Messages) == 0:
		return errors.New("no messages; give at least one")
	case p.MaxTokens <= 0:
		return errors.New("MaxTokens is required; give a limit above 0")
	case !slices.Contains([]string{"", "none", "thisServer", "allServers"}, p.IncludeContext):
		return fmt.Errorf("IncludeContext is %.40q; use none, thisServer or allServers", p.IncludeContext)
	case !slices.Contains([]string{"", "auto", "required", "none"}, p.ToolChoice):
		return fmt.Errorf("ToolChoice is %.40q; use auto, required or none", p.ToolChoice)
	case p.Metadata != nil && !isObject(p.Metadata):
		return errors.New("the Metadata is no JSON object")
	}
	for _, tool := range p.Tools {
		if tool.Name == "" || !isObject(tool.InputSchema) {
			return fmt.Errorf("the tool %.60q needs a name and an InputSchema that is a JSON object", tool.Name)
		}
	}
	if f := p.Preferences; f != nil {
		for _, priority := range []*float64{f.Cost, f.Speed, f.Intelligence} {
			// client/sampling#capability-priorities: normalized, 0 to 1.
			if priority != nil && !(*priority >= 0 && *priority <= 1) {
				return fmt.Errorf("a priority is %v; priorities run from 0 to 1", *priority)
			}
		}
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}
