package protocol

import "encoding/json"

// CreateMessageParams are the params of sampling/createMessage.
type CreateMessageParams struct {
	Meta             json.RawMessage   `json:"_meta,omitzero"`
	Messages         []SamplingMessage `json:"messages"`
	ModelPreferences *ModelPreferences `json:"modelPreferences,omitzero"`
	SystemPrompt     string            `json:"systemPrompt,omitzero"`
	// IncludeContext is "none", "thisServer" or "allServers"; "" counts as none.
	IncludeContext string   `json:"includeContext,omitzero"`
	Temperature    *float64 `json:"temperature,omitzero"`
	// MaxTokens is required.
	MaxTokens     int64    `json:"maxTokens"`
	StopSequences []string `json:"stopSequences,omitempty"`
	// Metadata is a raw object for the provider.
	Metadata   json.RawMessage `json:"metadata,omitzero"`
	Tools      []Tool          `json:"tools,omitempty"`
	ToolChoice *ToolChoice     `json:"toolChoice,omitzero"`
}

// ToolChoice says whether the model may, must or must not use the tools.
type ToolChoice struct {
	// Mode is "auto", "required" or "none"; "" counts as auto.
	Mode string `json:"mode,omitzero"`
}

// ModelPreferences help a client to choose a model. Priorities run from 0 to 1.
type ModelPreferences struct {
	Hints                []ModelHint `json:"hints,omitempty"`
	CostPriority         *float64    `json:"costPriority,omitzero"`
	SpeedPriority        *float64    `json:"speedPriority,omitzero"`
	IntelligencePriority *float64    `json:"intelligencePriority,omitzero"`
}

// ModelHint is a part of the name of a model.
type ModelHint struct {
	Name string `json:"name,omitzero"`
}

// SamplingMessage is one message of a conversation. Content is one raw block, or a raw list of blocks
// where the revision has that; see SamplingBlocks.
type SamplingMessage struct {
	// Role is "user" or "assistant".
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Meta    json.RawMessage `json:"_meta,omitzero"`
}

// CreateMessageResult is the result of sampling/createMessage.
type CreateMessageResult struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Model   string          `json:"model"`
	// StopReason is "endTurn", "stopSequence", "maxTokens", "toolUse" or a provider's own.
	StopReason string `json:"stopReason,omitzero"`
	Stamps
}

// Types of blocks that only sampling has.
const (
	BlockToolUse    = "tool_use"
	BlockToolResult = "tool_result"
)

// ToolUse is the block in which a model asks for a tool.
type ToolUse struct {
	// Type is BlockToolUse.
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Meta  json.RawMessage `json:"_meta,omitzero"`
}

// ToolOutcome is the block that answers a ToolUse. Content holds raw blocks.
type ToolOutcome struct {
	// Type is BlockToolResult.
	Type              string            `json:"type"`
	ToolUseID         string            `json:"toolUseId"`
	Content           []json.RawMessage `json:"content"`
	StructuredContent json.RawMessage   `json:"structuredContent,omitzero"`
	IsError           bool              `json:"isError,omitzero"`
	Meta              json.RawMessage   `json:"_meta,omitzero"`
}

// SamplingBlocks returns the raw blocks of a message's content, which is one block or a list of them.
func SamplingBlocks(raw json.RawMessage) ([]json.RawMessage, error) {
	if isObject(raw) {
		return []json.RawMessage{raw}, nil
	}
	var blocks []json.RawMessage
	if err := Decode(raw, &blocks); err != nil {
		return nil, err
	}
	return blocks, nil
}
