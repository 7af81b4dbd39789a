package protocol

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp/content"
)

// samplingNeeds checks the parameters of a sampling request for a client of revision r and returns
// what it needs beyond sampling itself.
//
// client/sampling#capabilities: tools and context are declared apart.
func samplingNeeds(r *Revision, raw []byte) (CapabilitySet, error) {
	var params struct {
		Messages       []SamplingMessage `json:"messages"`
		MaxTokens      *int64            `json:"maxTokens"`
		IncludeContext string            `json:"includeContext"`
	}
	if err := Decode(raw, &params); err != nil {
		return 0, fmt.Errorf("the sampling request is malformed: %w", err)
	}
	if len(params.Messages) == 0 {
		return 0, errors.New("a sampling request needs at least one message")
	}
	if params.MaxTokens == nil || *params.MaxTokens <= 0 {
		// client/sampling#sampling-parameters: maxTokens is required.
		return 0, errors.New("a sampling request needs maxTokens, an integer above 0")
	}
	needs := CanSample
	if !absent(memberOf(raw, "tools")) || !absent(memberOf(raw, "toolChoice")) {
		needs |= CanSampleTools
	}
	if params.IncludeContext != "" && params.IncludeContext != "none" {
		needs |= CanSampleContext
	}
	talk := conversation{revision: r}
	for i, message := range params.Messages {
		if err := talk.add(message); err != nil {
			return 0, fmt.Errorf("message %d: %w", i, err)
		}
	}
	if talk.usesTools {
		needs |= CanSampleTools
	}
	return needs, talk.end()
}

// conversation checks the messages of a sampling request in their order.
type conversation struct {
	revision  *Revision
	usesTools bool
	open      []string // ids of the tool uses of the last message
}

// add checks one more message.
//
// client/sampling#tool-result-messages: tool results stand alone.
// client/sampling#tool-use-and-result-balance: each tool use is answered in the next message.
func (c *conversation) add(m SamplingMessage) error {
	if m.Role != string(content.RoleUser) && m.Role != string(content.RoleAssistant) {
		return fmt.Errorf("the role is %.20q; use user or assistant", m.Role)
	}
	blocks, err := samplingBlocks(c.revision, m.Content)
	if err != nil {
		return err
	}
	var uses, results []string
	for i, raw := range blocks {
		block, err := c.block(raw)
		if err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		uses = append(uses, block.uses...)
		results = append(results, block.answers...)
	}
	switch {
	case len(results) > 0 && len(results) < len(blocks):
		return errors.New("tool results and other content in one message; put them into two")
	case len(results) > 0 && m.Role != string(content.RoleUser):
		return errors.New("tool results are the user's; give the message that role")
	case len(uses) > 0 && m.Role != string(content.RoleAssistant):
		return errors.New("tool uses are the assistant's; give the message that role")
	}
	if err := c.settle(results); err != nil {
		return err
	}
	c.open = uses
	return nil
}

// settle holds the results of a message against the uses of the one before.
func (c *conversation) settle(results []string) error {
	waiting := make(map[string]bool, len(c.open))
	for _, id := range c.open {
		waiting[id] = true
	}
	for _, id := range results {
		if !waiting[id] {
			return fmt.Errorf("the tool result %.60q answers no tool use of the message before it", id)
		}
		delete(waiting, id)
	}
	for _, id := range c.open {
		if waiting[id] {
			return fmt.Errorf("the tool use %.60q of the message before has no tool result here; give one for each", id)
		}
	}
	return nil
}

// end checks that nothing is left open.
func (c *conversation) end() error {
	if len(c.open) > 0 {
		return fmt.Errorf("the tool use %.60q has no tool result; add a message of the user with one for each", c.open[0])
	}
	return nil
}

// toolBlock is what a block has to do with tools.
type toolBlock struct{ uses, answers []string }

// block checks one block of a message that is sent.
func (c *conversation) block(raw json.RawMessage) (tools toolBlock, err error) {
	switch kind := memberOf(raw, "type"); {
	case stringIs(kind, "audio") && !c.revision.Audio:
		return tools, fmt.Errorf("audio cannot be sent to a client of %s; send text", c.revision.Name)
	case stringIs(kind, BlockToolUse):
		c.usesTools = true
		var use ToolUse
		err = Decode(raw, &use)
		if err == nil && (!hasStrings(raw, "id", "name") || !isObject(memberOf(raw, "input"))) {
			err = errors.New("a tool use needs an id, a name and an input, an object")
		}
		tools.uses = []string{use.ID}
		return tools, err
	case stringIs(kind, BlockToolResult):
		c.usesTools = true
		var outcome ToolOutcome
		if err = Decode(raw, &outcome); err == nil && !hasStrings(raw, "toolUseId") {
			err = errors.New("a tool result needs a toolUseId")
		}
		tools.answers = []string{outcome.ToolUseID}
		return tools, err
	}
	return tools, checkPlainBlock(raw)
}

// checkPlainBlock checks a text, an image or audio.
//
// client/sampling#messages: there is no other content.
func checkPlainBlock(raw json.RawMessage) error {
	block, err := content.DecodeBlock(raw)
	if err != nil {
		return err
	}
	switch block.(type) {
	case content.Text, content.Image, content.Audio:
		return nil
	}
	return errors.New("a message holds text, images, audio, tool uses and tool results only")
}

// samplingBlocks takes the content of a message apart.
//
// 2025-06-18/schema#samplingmessage: one block; schema#samplingmessage: one, or a list.
func samplingBlocks(r *Revision, raw json.RawMessage) ([]json.RawMessage, error) {
	list := len(raw) > 0 && raw[0] == '['
	switch {
	case list && !r.SamplingArrayContent:
		return nil, fmt.Errorf("a list of blocks in one message, which %s does not have; use a message for each block", r.Name)
	case !list && !isObject(raw):
		return nil, errors.New("the content is neither a block nor a list of blocks")
	}
	blocks, err := SamplingBlocks(raw)
	if err == nil && len(blocks) == 0 {
		err = errors.New("the content is an empty list; expected at least one block")
	}
	return blocks, err
}

// checkSampled checks an answer to sampling/createMessage from a client of revision r.
//
// client/sampling#result-fields.
func checkSampled(r *Revision, answer []byte) error {
	if !isObject(answer) || !hasStrings(answer, "role", "model") {
		return errors.New("expected an object with the strings role and model, and content")
	}
	if reason := memberOf(answer, "stopReason"); !absent(reason) && !isString(reason) {
		return errors.New("the stopReason is no string")
	}
	blocks, err := samplingBlocks(r, memberOf(answer, "content"))
	if err != nil {
		return err
	}
	for i, raw := range blocks {
		if r.SamplingTools && stringIs(memberOf(raw, "type"), BlockToolUse) {
			if !hasStrings(raw, "id", "name") || !isObject(memberOf(raw, "input")) {
				return fmt.Errorf("block %d: a tool use has an id, a name and an input, an object", i)
			}
			continue
		}
		if err := checkPlainBlock(raw); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	return nil
}
