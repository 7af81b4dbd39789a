package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

const (
	// maxMessage is the longest message that is read, in bytes. Servers bound what they take; a client
	// that asked for something wants it even when it is large.
	maxMessage = 64 << 20
	// maxInbox is how many bytes may wait to be handled.
	maxInbox = 64 << 20
	// itemCost is what a waiting message costs beside its bytes.
	itemCost = 128
	maxDepth = 1000
)

// item is a message that waits to be handled: a notification, or a question of the server.
type item struct {
	id     jsonrpc.ID // zero: a notification
	method string
	params json.RawMessage
}

func (i *item) cost() int { return itemCost + len(i.method) + len(i.params) }

// inbox is a queue in order of arrival.
type inbox struct {
	items  []item
	bytes  int
	handed int64 // how many were taken out in all
}

func (b *inbox) arrived() int64 { return b.handed + int64(len(b.items)) }

func (b *inbox) take() (item, bool) {
	if len(b.items) == 0 {
		return item{}, false
	}
	first := b.items[0]
	b.items[0] = item{}
	b.items = b.items[1:] // the room in front goes when the next append moves the rest
	b.bytes -= first.cost()
	b.handed++
	return first, true
}

// Receive takes a message that came from the server: the transport calls it in order of arrival. It does
// not block and runs no function of the user. message may be reused when it returns. An error says what
// is wrong with the message, or that nobody handles what came before; the message is then lost.
func (c *Client) Receive(message []byte) error {
	if !jsonrpc.IsBatch(message) {
		return c.receive(slices.Clone(message))
	}
	elements, fault := jsonrpc.Split(slices.Clone(message), limits(), maxMessage)
	if fault != nil {
		return fmt.Errorf("a batch of the server: %s", fault.Text)
	}
	for _, element := range elements {
		if err := c.receive(element); err != nil {
			return err
		}
	}
	return nil
}

func limits() jsonrpc.Limits { return jsonrpc.Limits{Depth: maxDepth, Bytes: maxMessage} }

// receive keeps what it is given.
func (c *Client) receive(message []byte) error {
	var m jsonrpc.Message
	if fault := m.Decode(message, nil, limits()); fault != nil {
		return fmt.Errorf("a message of the server: %s", fault.Text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed != nil:
		return c.closed
	case m.Kind == jsonrpc.Response:
		return c.answered(&m)
	}
	// A method that the table does not have may be an extension's; one that it has is held to it.
	if method := protocol.MethodNamed(m.Method); method != nil && !method.SentBy(c.revision) {
		return fmt.Errorf("the server sent %s, which servers of %s do not send", method.Name, c.revision.Name)
	}
	if m.Kind == jsonrpc.Notification && c.settled(&m) {
		return nil
	}
	next := item{m.ID, string(m.Method), m.Params}
	if c.inbox.bytes+next.cost() > maxInbox {
		return fmt.Errorf("%d bytes of messages wait to be handled, the limit; make a call or flush", c.inbox.bytes)
	}
	c.inbox.items = append(c.inbox.items, next)
	c.inbox.bytes += next.cost()
	c.tell()
	return nil
}

// answered gives an answer to the request that waits for it. mu is held.
//
// basic/patterns/cancellation#behavior-requirements: an answer that nobody waits for is ignored.
func (c *Client) answered(m *jsonrpc.Message) error {
	if m.ID.IsZero() && m.Error != nil {
		return fmt.Errorf("the server could not read a message: %s (%d)", m.Error.Message, m.Error.Code)
	}
	x := c.exchanges[m.ID]
	if x == nil || x.answered {
		return nil
	}
	x.answered, x.result, x.before = true, m.Result, c.inbox.arrived()
	if m.Error != nil {
		x.err = &Error{m.Error.Code, m.Error.Message, m.Error.Data}
	}
	c.tell()
	return nil
}

// settled deals with the notifications that are the client's own business. mu is held.
func (c *Client) settled(m *jsonrpc.Message) bool {
	method := protocol.MethodNamed(m.Method)
	switch {
	case method == nil:
		return false
	case method.ID == protocol.SubscriptionsAcknowledged:
		c.acknowledged(m)
		return true
	case method.ID == protocol.Cancelled:
		var p protocol.CancelledParams
		if protocol.Decode(m.Params, &p) == nil {
			c.withdrawn(jsonrpc.IDFromText(string(p.RequestID)))
		}
		return true
	}
	return false
}

// Flush handles everything that has come in so far, on the caller's goroutine.
func (c *Client) Flush(ctx context.Context) {
	c.mu.Lock()
	until := c.inbox.arrived()
	c.mu.Unlock()
	for {
		c.mu.Lock()
		var next item
		found := false
		if c.inbox.handed < until {
			next, found = c.inbox.take()
		}
		c.mu.Unlock()
		if !found {
			return
		}
		c.handle(ctx, next)
	}
}

func (c *Client) handle(ctx context.Context, next item) {
	switch {
	case !next.id.IsZero():
		c.reply(ctx, next)
	case c.options.Notified != nil:
		c.options.Notified(ctx, next.method, next.params)
	}
}
