package sampling

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Block is one block of a message: content, or the use of a tool, or the result of one. One
// of the three is set.
//
// Source: client/sampling#sampling-with-tools.
type Block struct {
	// Content is a text, an image or audio. Its Meta and the LastModified of its annotations,
	// which not every revision knows, are not sent.
	Content content.Block
	// ToolUse is what the model wants to use.
	ToolUse *ToolUse
	// ToolResult is what came of that. A message with tool results holds nothing else.
	ToolResult *ToolResult
}

// ToolUse is a model's wish to use a tool.
type ToolUse struct {
	ID   string
	Name string
	// Input is the JSON object of the arguments. The model chose them: check them.
	Input json.RawMessage
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

// encodeBlocks writes one block as itself and several as a list, because older revisions know
// one only.
func encodeBlocks(blocks []Block) (json.RawMessage, error) {
	if len(blocks) == 0 {
		return nil, errors.New("no content; give at least one block")
	}
	list := make([]json.RawMessage, 0, len(blocks))
	for i := range blocks {
		raw, err := blocks[i].encode()
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		list = append(list, raw)
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return protocol.Append(nil, list)
}

func (b *Block) encode() (json.RawMessage, error) {
	set := 0
	for _, is := range []bool{b.Content != nil, b.ToolUse != nil, b.ToolResult != nil} {
		if is {
			set++
		}
	}
	switch {
	case set != 1:
		return nil, fmt.Errorf("%d of Content, ToolUse and ToolResult are set; set one", set)
	case b.ToolUse != nil:
		return protocol.Append(nil, protocol.ToolUse{Type: protocol.BlockToolUse, ID: b.ToolUse.ID, Name: b.ToolUse.Name, Input: b.ToolUse.Input})
	case b.ToolResult != nil:
		return b.ToolResult.encode()
	}
	return content.AppendBlock(nil, b.Content, content.Dialect{Audio: true})
}

func (r *ToolResult) encode() (json.RawMessage, error) {
	wire := protocol.ToolOutcome{
		Type: protocol.BlockToolResult, ToolUseID: r.ToolUseID, Content: []json.RawMessage{},
		StructuredContent: r.Structured, IsError: r.IsError,
	}
	for i, block := range r.Content {
		raw, err := content.AppendBlock(nil, block, content.FullDialect())
		if err != nil {
			return nil, fmt.Errorf("content %d: %w", i, err)
		}
		wire.Content = append(wire.Content, raw)
	}
	return protocol.Append(nil, wire)
}

func decodeBlocks(raw json.RawMessage) ([]Block, error) {
	list, err := protocol.SamplingBlocks(raw)
	if err != nil {
		return nil, err
	}
	blocks := make([]Block, 0, len(list))
	for i, item := range list {
		block, err := decodeBlock(item)
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

func decodeBlock(raw json.RawMessage) (Block, error) {
	var use protocol.ToolUse
	if err := protocol.Decode(raw, &use); err == nil && use.Type == protocol.BlockToolUse {
		return Block{ToolUse: &ToolUse{use.ID, use.Name, use.Input}}, nil
	}
	block, err := content.DecodeBlock(raw)
	return Block{Content: block}, err
}
