package mcp

import (
	"fmt"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/content"
)

// encodeTool writes the result of a tool in the dialect of the call's revision.
//
// server/tools#structured-content: structured content comes with the same value as text.
func (c *Call) encodeTool(b *content.Body, r *ToolResult) error {
	value, shaped, err := c.structuredValue(r)
	if err != nil {
		content.Discard(r.Content...)
		return err
	}
	mode := OutputBoth
	if c.tool != nil {
		mode = c.tool.def.Output
	}
	sendsValue := value != nil && mode != OutputText && c.revision.StructuredContent
	c.begin(b)
	b.AppendString(`"content":`)
	switch {
	case r.Content != nil:
		if err := b.AppendBlocks(r.Content, c.revision.Dialect()); err != nil {
			return err
		}
	case value == nil, sendsValue && mode == OutputStructured:
		b.AppendString("[]")
	default:
		b.AppendString(`[{"type":"text","text":`)
		b.QuotedBytes(value)
		b.AppendString("}]")
	}
	if sendsValue {
		c.appendStructured(b, value, shaped)
	}
	b.AppendString(`,"isError":`)
	b.Append(strconv.AppendBool(b.AvailableBuffer(), r.IsError))
	if err := c.finishWith(b, r.Meta, nil); err != nil {
		return err
	}
	return c.prime(b, (*Call).toolFailureEnd)
}

// structuredValue is the JSON of the structured result, nil when there is none. shaped says
// that the tool's output schema describes it.
//
// server/tools#output-schema: servers must provide structured results that conform to it.
func (c *Call) structuredValue(r *ToolResult) (value []byte, shaped bool, err error) {
	shaped = c.tool != nil && c.tool.output != nil && !r.IsError
	if r.Structured == nil && !shaped {
		return nil, false, nil
	}
	if value, err = marshalValue(r.Structured); err != nil {
		return nil, false, fmt.Errorf("encoding the result: %w", err)
	}
	if shaped && !(r.typed && c.tool.trusted) {
		if err := c.tool.output.Validate(value); err != nil {
			return nil, false, fmt.Errorf("the tool's result does not match its output schema: %w", err)
		}
	}
	return value, shaped, nil
}

// appendStructured writes structuredContent. Revisions that want an object there get a value
// of another shape inside one. Where there is a schema it decides, not the value, so that a
// tool's results are all of one form.
func (c *Call) appendStructured(b *content.Body, value []byte, shaped bool) {
	wraps := !c.revision.StructuredAnyRoot
	if shaped {
		wraps = wraps && !c.tool.output.PlainObject()
	} else {
		wraps = wraps && value[0] != '{'
	}
	b.AppendString(`,"structuredContent":`)
	if wraps {
		b.AppendString(`{"result":`)
	}
	b.Shared(value)
	if wraps {
		b.AppendString("}")
	}
}

// encodeToolFailure writes an error as a result that a model can read and correct itself from.
//
// server/tools#error-handling: tool execution errors are results with isError set.
func (c *Call) encodeToolFailure(b *content.Body, err error) {
	text, hidden := c.publicText(err)
	if hidden {
		text = "Tool execution failed " + text
	}
	c.begin(b)
	b.AppendString(`"content":[{"type":"text","text":`)
	b.QuotedString(text)
	b.AppendString(`}],"isError":true`)
	c.finish(b, nil, nil)
}

// marshalValue encodes a value compactly and always the same way. Integers, the most common
// scalars, skip the encoder: 0.3 µs and an allocation.
func marshalValue(v any) ([]byte, error) {
	switch n := v.(type) {
	case int:
		return strconv.AppendInt(nil, int64(n), 10), nil
	case int64:
		return strconv.AppendInt(nil, n, 10), nil
	}
	return jsonv2.Marshal(v, jsonv2.Deterministic(true))
}
