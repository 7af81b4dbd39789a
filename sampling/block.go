package sampling

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp/content"
)

// Block is one block of a message: content, or the use of a tool, or the result of one. One
// of the three is set.
//
// Source: client/sampling#tool-use.
type Block struct {
	// Content is a text, an image or audio.
	Content content.Block
	// ToolUse is what the model wants to use.
	ToolUse *ToolUse
	// ToolResult is what came of that. A message with tool results holds nothing else.
	ToolResult *ToolResult
}

// ToolUse is a model's wish to use a tool.
type ToolUse struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// ToolResult is the result of a tool that the model wanted to use.
type ToolResult struct {
	// ToolUseID is the ID of the ToolUse.
	ToolUseID string
	Content   []content.Block
	// Structured is a JSON value, nil for none.
	Structured json.RawMessage
	IsError    bool
}

type wireToolUse struct {
	Type string `json:"type"`
	ToolUse
}

type wireToolResult struct {
	Type       string            `json:"type"`
	ToolUseID  string            `json:"toolUseId"`
	Content    []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structuredContent,omitempty"`
	IsError    bool              `json:"isError,omitempty"`
}

// encodeBlocks writes one block as itself and several as a list, because older revisions know
// one only.
func encodeBlocks(blocks []Block) (json.RawMessage, error) {
	results := 0
	raws := make([]json.RawMessage, 0, len(blocks))
	for i := range blocks {
		raw, err := blocks[i].encode()
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		if blocks[i].ToolResult != nil {
			results++
		}
		raws = append(raws, raw)
	}
	switch {
	case len(blocks) == 0:
		return nil, errors.New("no content; give at least one block")
	case results > 0 && results < len(blocks):
		// client/sampling#tool-result-messages: tool results stand alone.
		return nil, errors.New("tool results and other content in one message; put them into two")
	case len(raws) == 1:
		return raws[0], nil
	}
	return json.Marshal(raws)
}

func (b *Block) encode() (json.RawMessage, error) {
	switch {
	case b.ToolUse != nil:
		return json.Marshal(wireToolUse{"tool_use", *b.ToolUse})
	case b.ToolResult != nil:
		wire := wireToolResult{
			Type: "tool_result", ToolUseID: b.ToolResult.ToolUseID, Content: []json.RawMessage{},
			Structured: b.ToolResult.Structured, IsError: b.ToolResult.IsError,
		}
		for _, block := range b.ToolResult.Content {
			raw, err := content.AppendBlock(nil, block, content.FullDialect())
			if err != nil {
				return nil, err
			}
			wire.Content = append(wire.Content, raw)
		}
		return json.Marshal(wire)
	case b.Content == nil:
		return nil, errors.New("it is empty; set Content, ToolUse or ToolResult")
	}
	return content.AppendBlock(nil, b.Content, content.FullDialect())
}

func decodeBlocks(raw json.RawMessage) ([]Block, error) {
	list := []json.RawMessage{raw}
	if len(raw) > 0 && raw[0] == '[' {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
	}
	blocks := make([]Block, 0, len(list))
	for _, item := range list {
		block, err := decodeBlock(item)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

func decodeBlock(raw json.RawMessage) (Block, error) {
	var use wireToolUse
	if err := json.Unmarshal(raw, &use); err == nil && use.Type == "tool_use" {
		return Block{ToolUse: &use.ToolUse}, nil
	}
	block, err := content.DecodeBlock(raw)
	return Block{Content: block}, err
}
