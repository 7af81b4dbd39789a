package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// begin opens the message and its result object.
func (c *Call) begin(b *content.Body) {
	b.Append(append(jsonrpc.AppendResultPrefix(b.AvailableBuffer(), c.id), '{'))
}

// finish ends a result that has members with the stamps of its revision, and closes the
// message. hint is nil for results that no client keeps.
func (c *Call) finish(b *content.Body, meta []byte, hint *protocol.CacheHint) {
	b.Append(c.stampsBehind(b.AvailableBuffer(), protocol.Stamp{Cache: hint, Meta: meta}))
	b.AppendString("}}")
}

// finishWith is finish for a result whose handler gave it a _meta.
func (c *Call) finishWith(b *content.Body, meta json.RawMessage, hint *protocol.CacheHint) error {
	if meta == nil {
		c.finish(b, nil, hint)
		return nil
	}
	compact, err := marshalValue(meta)
	if err == nil && compact[0] != '{' {
		err = errors.New("expected a JSON object")
	}
	if err != nil {
		return fmt.Errorf("the _meta of the result: %w", err)
	}
	c.finish(b, compact, hint)
	return nil
}

// encodeEmpty writes a result without members of its own.
func (c *Call) encodeEmpty(b *content.Body, meta []byte) {
	b.Append(jsonrpc.AppendResultPrefix(b.AvailableBuffer(), c.id))
	b.Append(c.stamps(b.AvailableBuffer(), protocol.Stamp{Meta: meta}))
	b.AppendString("}}")
}

// stamps appends what every result gets last, as an object that is still open.
func (c *Call) stamps(dst []byte, s protocol.Stamp) []byte {
	s.ServerInfo = c.session.server.brief
	return protocol.AppendStamps(append(dst, '{'), c.revision, s)
}

// stampsBehind appends the same behind the members of a result: with a comma in front, unless
// the revision has no stamps.
func (c *Call) stampsBehind(dst []byte, s protocol.Stamp) []byte {
	start := len(dst)
	dst = c.stamps(dst, s)
	if len(dst) == start+1 {
		return dst[:start]
	}
	dst[start] = ','
	return dst
}

// encodeRead writes the result of resources/read.
func (c *Call) encodeRead(b *content.Body, r *ReadResult) error {
	c.begin(b)
	b.AppendString(`"contents":[`)
	for i, part := range r.Contents {
		if i > 0 {
			b.AppendString(",")
		}
		if part.URI == "" {
			part.URI = c.name
		}
		if err := b.AppendContents(part, c.revision.Dialect()); err != nil {
			for _, rest := range r.Contents[i+1:] {
				content.Discard(content.Embed(rest))
			}
			return err
		}
	}
	b.AppendString("]")
	if err := c.finishWith(b, r.Meta, c.session.server.cacheHint(c.cacheOf(r))); err != nil {
		return err
	}
	if c.breaksOff() {
		return c.prime(b, nil)
	}
	return c.prime(b, (*Call).readFailureEnd)
}

// breaksOff reports a read whose failure in the middle is told by the end of its connection:
// it has one of its own, and no log from which the rest could be asked for.
func (c *Call) breaksOff() bool { return c.headers != nil && c.revision.Modern }

// cacheOf is the caching hint of a read.
//
// server/utilities/caching#cache-key: what depends on answers must not be cached.
func (c *Call) cacheOf(r *ReadResult) Cache {
	if a := c.knownAsking(); a != nil && a.retry {
		return Cache{}
	}
	return r.cache
}

// encodePrompt writes the result of prompts/get.
func (c *Call) encodePrompt(b *content.Body, r *PromptResult) error {
	c.begin(b)
	if r.Description != "" {
		b.AppendString(`"description":`)
		b.QuotedString(r.Description)
		b.AppendString(",")
	}
	b.AppendString(`"messages":[`)
	for i, m := range r.Messages {
		if i > 0 {
			b.AppendString(",")
		}
		b.AppendString(`{"role":`)
		b.QuotedString(string(m.Role))
		b.AppendString(`,"content":`)
		if err := b.AppendBlock(m.Content, c.revision.Dialect()); err != nil {
			for _, rest := range r.Messages[i+1:] {
				content.Discard(rest.Content)
			}
			return err
		}
		b.AppendString("}")
	}
	b.AppendString("]")
	if err := c.finishWith(b, r.Meta, nil); err != nil {
		return err
	}
	return c.prime(b, (*Call).promptFailureEnd)
}

// encodeCompletion writes the result of completion/complete.
//
// server/utilities/completion#completion-results: total counts what did not fit, too.
func (c *Call) encodeCompletion(b *content.Body, r *completionResult) {
	c.begin(b)
	text := append(b.AvailableBuffer(), `"completion":{"values":[`...)
	for i, value := range r.values {
		if i > 0 {
			text = append(text, ',')
		}
		text = jsonrpc.AppendString(text, value)
	}
	text = append(text, `],"total":`...)
	text = strconv.AppendInt(text, int64(r.total), 10)
	text = append(text, `,"hasMore":`...)
	text = strconv.AppendBool(text, r.total > len(r.values))
	b.Append(append(text, '}'))
	c.finish(b, nil, nil)
}
