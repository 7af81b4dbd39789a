package mcp

import (
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// prime prepares a message for what is streamed in it: it reads the beginning while an error
// can still be an answer of its own, stops when the call ends, and says how the message ends
// when a source fails later.
func (c *Call) prime(b *content.Body, end func(c *Call, dst []byte, err error) []byte) error {
	if !b.Streams() {
		return nil
	}
	b.StopWhen(c.Err)
	if whole, within := c.sink.(*batch); within {
		b.SetLimit(whole.room())
	}
	if end != nil {
		b.SetFailureEnd(func(dst []byte, err error) []byte { return end(c, dst, err) })
	}
	return b.Prime()
}

// toolFailureEnd ends the message of a tool whose content could not be read to its end.
func (c *Call) toolFailureEnd(dst []byte, err error) []byte {
	dst = append(dst, `,{"type":"text","text":`...)
	dst = append(jsonrpc.AppendString(dst, c.incomplete(err)), `}],"isError":true`...)
	return c.endOf(dst)
}

// readFailureEnd ends the message of a resource that could not be read to its end.
func (c *Call) readFailureEnd(dst []byte, err error) []byte {
	dst = jsonrpc.AppendString(append(dst, `,{"uri":`...), c.name)
	dst = jsonrpc.AppendString(append(dst, `,"mimeType":"text/plain","text":`...), c.incomplete(err))
	return c.endOf(append(dst, `}]`...))
}

// promptFailureEnd ends the message of a prompt whose content could not be read to its end.
func (c *Call) promptFailureEnd(dst []byte, err error) []byte {
	dst = append(dst, `},{"role":"user","content":{"type":"text","text":`...)
	return c.endOf(append(jsonrpc.AppendString(dst, c.incomplete(err)), `}}]`...))
}

func (c *Call) incomplete(err error) string {
	text, _ := c.publicText(err)
	return "the content above is incomplete: " + text
}

// endOf closes the result and the message.
func (c *Call) endOf(dst []byte) []byte {
	return append(c.stampsBehind(dst, protocol.Stamp{}), "}}"...)
}
