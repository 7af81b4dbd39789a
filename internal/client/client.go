package client

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Client is one connection to a server. Its methods are safe for concurrent use, except that Connect
// comes before every other call.
type Client struct {
	transport Transport
	options   Options

	mu        sync.Mutex
	revision  *protocol.Revision
	lastID    int64
	exchanges map[jsonrpc.ID]*exchange          // requests without an answer
	answering map[jsonrpc.ID]context.CancelFunc // questions that a function of the user works on
	inbox     inbox
	news      chan struct{} // closed, and made anew, when something has changed
	closed    error         // not nil: why there is nothing to expect any more
}

// exchange is one request and what came back for it.
type exchange struct {
	id       jsonrpc.ID
	answered bool
	result   json.RawMessage
	err      error
	// before is how many messages had come in when the answer came: they are handled before it counts.
	before int64
	// honoured is the filter that a server acknowledged; nil before.
	honoured *protocol.SubscriptionFilter
}

// New makes a client that is not connected yet.
func New(transport Transport, o Options) *Client {
	if o.Revision == nil {
		o.Revision = protocol.Modern()
	}
	return &Client{
		transport: transport, options: o, revision: o.Revision,
		exchanges: make(map[jsonrpc.ID]*exchange),
		answering: make(map[jsonrpc.ID]context.CancelFunc),
		news:      make(chan struct{}),
	}
}

// Revision is what the client speaks: after a handshake, what was negotiated.
func (c *Client) Revision() *protocol.Revision {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revision
}

// Close ends every call with reason, or with [ErrClosed] when it is nil. The transport is its owner's
// to close. It is idempotent; the first reason counts.
func (c *Client) Close(reason error) {
	if reason == nil {
		reason = ErrClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return
	}
	c.closed = reason
	for _, cancel := range c.answering {
		cancel()
	}
	c.tell()
}

// tell wakes everybody who waits. mu is held.
func (c *Client) tell() {
	close(c.news)
	c.news = make(chan struct{})
}

// open makes an exchange under a new id.
//
// basic/index#requests: the id must not be that of an earlier request.
func (c *Client) open() (*exchange, *protocol.Revision, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return nil, nil, c.closed
	}
	c.lastID++
	x := &exchange{id: jsonrpc.IDFromNumber(c.lastID)}
	c.exchanges[x.id] = x
	return x, c.revision, nil
}

// forget ends an exchange; what still comes for it is ignored.
func (c *Client) forget(x *exchange) {
	c.mu.Lock()
	delete(c.exchanges, x.id)
	c.mu.Unlock()
}
