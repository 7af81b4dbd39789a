package client

import (
	"context"
	"errors"
	"slices"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// reply answers a request of the server, unless it takes the question back before.
//
// 2025-11-25/basic/utilities/cancellation#behavior-requirements: a cancelled request is not answered.
func (c *Client) reply(ctx context.Context, question item) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	c.answering[question.id] = cancel
	c.mu.Unlock()
	result, err := c.answer(limited, question.method, question.params)
	c.mu.Lock()
	delete(c.answering, question.id)
	c.mu.Unlock()
	if limited.Err() != nil {
		return
	}
	text := append(jsonrpc.AppendRaw(jsonrpc.AppendResultPrefix(nil, question.id), result), '}')
	if err != nil {
		text = jsonrpc.AppendError(nil, question.id, errorObject(err))
	}
	// A server that cannot be reached any more does not get its answer, and its caller learns of it
	// from the call in whose middle the question was asked.
	_ = c.transport.Send(ctx, Outgoing{Text: text, ID: question.id, Revision: c.Revision()})
}

// errorObject is an error as a server sees it.
func errorObject(err error) *jsonrpc.ErrorObject {
	var e *Error
	if errors.As(err, &e) {
		return &jsonrpc.ErrorObject{Code: e.Code, Message: e.Message, Data: e.Data}
	}
	return &jsonrpc.ErrorObject{Code: protocol.CodeInternalError, Message: err.Error()}
}

// withdrawn stops the work on a question that the server takes back. mu is held.
func (c *Client) withdrawn(id jsonrpc.ID) {
	if cancel := c.answering[id]; cancel != nil {
		cancel()
	}
	at := slices.IndexFunc(c.inbox.items, func(i item) bool { return !id.IsZero() && i.id == id })
	if at >= 0 {
		c.inbox.bytes -= c.inbox.items[at].cost()
		c.inbox.items = slices.Delete(c.inbox.items, at, at+1)
		c.inbox.handed++ // it counts as dealt with
		c.tell()
	}
}
