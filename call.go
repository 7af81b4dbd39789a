package mcp

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Call is one admitted message on its way to its answer, and the context of its handler: it
// ends when the client cancels the request, when the transport's context ends, or when the
// session closes. After that nothing more is sent for it.
//
// Small fields stand together, so that a call takes 448 bytes and not 512, a fiftieth of what an
// HTTP request allocates.
type Call struct {
	// How it ends: with the transport's context, or by itself.
	lifetime
	state   atomic.Uint32 // a callState, which only leaves running, and only once
	entered bool          // stands in one of the session's tables of calls in flight

	// What came: a request, an array of them, or a legacy client that opens its stream.
	standalone bool             // the stream: there is no request
	inBatch    bool             // one of the calls of an array
	level      protocol.Level   // that logging/setLevel sets
	batch      *batch           // not nil: an array of other calls
	msg        *jsonrpc.Message // nil once the call has been served
	id         jsonrpc.ID

	// Where it comes from, and where its answer goes.
	session *Session
	sink    Sink
	client  *client          // the legacy client, nil for a modern one
	headers protocol.Headers // nil: the transport has none
	request Request          // what its handler sees of it

	// What admission settled.
	revision *protocol.Revision
	method   *protocol.Method
	meta     protocol.Meta
	view     *view
	token    string          // what initialize minted for a client of a shared session
	fault    *protocol.Fault // not nil: refused

	// What the request names, as the resolve of its method found it.
	name       string // the tool, prompt or URI
	arguments  []byte
	tool       *tool
	prompt     *prompt
	reader     reader
	completing *completing
	filter     protocol.SubscriptionFilter // of subscriptions/listen
	page       int32                       // of a list

	mu           sync.Mutex // guards what follows, and is held while a notification is being sent
	notified     bool       // something was sent before the answer
	stayed       bool       // it is open behind Serve
	ending       bool       // and is to end
	lastProgress float64
	asks         *asking           // nil until the call has to do with questions
	changes      *hub.Subscription // what an open subscription hears of; a stream hears what its client does
}

type callState = uint32

const (
	running callState = iota
	answered
	void // cancelled: nothing is sent any more
)

type callKey struct{}

func (s *Session) newCall(ctx context.Context, sink Sink) *Call {
	c := &Call{lifetime: lifetime{parent: ctx}, session: s, sink: sink, msg: s.server.message(), lastProgress: math.Inf(-1)}
	c.request.call = c
	return c
}

// Value makes the call known to [RequestFrom] and its like; the rest is the transport's.
func (c *Call) Value(key any) any {
	if _, ours := key.(callKey); ours {
		return c
	}
	return c.value(key)
}

// callFrom is the call that ctx belongs to, or nil.
func callFrom(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// MustServeFirst reports a call that is to be served before the next message is admitted:
// an initialize, whose answer comes before those of the requests behind it.
func (c *Call) MustServeFirst() bool { return c.method != nil && c.method.ID == protocol.Initialize }

// isVoid reports a call that was cancelled before it was served: its handler does not run.
func (c *Call) isVoid() bool { return c.state.Load() == void }

// end asks for the end of an open call, which Flush brings about.
func (c *Call) end() {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	c.sink.Wake()
}

// Cancel voids the call because the client does not want its answer, or is gone: the
// handler's context ends, and nothing more is sent. It is idempotent.
func (c *Call) Cancel() {
	c.state.CompareAndSwap(running, void)
	c.expire()
	if c.batch != nil {
		c.batch.cancel()
	}
	if !c.canStay() {
		return // without the lock, which a notification to a client that does not read may hold
	}
	c.mu.Lock()
	stayed := c.stayed
	listening := c.changes
	c.stayed, c.changes = false, nil
	c.mu.Unlock()
	if listening != nil {
		listening.Close()
	}
	if stayed {
		c.release()
		c.sink.Wake()
	}
}

// canStay tells a call that may stay open behind Serve.
func (c *Call) canStay() bool {
	return c.standalone || c.method != nil && c.method.ID == protocol.SubscriptionsListen
}

// release gives back what a served call does not need any more.
func (c *Call) release() {
	if c.entered || c.canStay() {
		c.session.leave(c)
	}
	c.expire()
	c.state.CompareAndSwap(running, void)
	c.forget()
}

// shed lets go of what only the opening of an open call needs. It would keep in memory the whole
// message, the header, and the registry of that moment.
func (c *Call) shed() {
	if c.headers != nil {
		c.headers = protocol.Headers{} // there is a header layer, which is all that is asked any more
	}
	c.view, c.filter = nil, protocol.SubscriptionFilter{}
	c.mu.Lock()
	c.meta.ClientInfo, c.meta.Capabilities = nil, nil // read under mu, and not once the message is gone
	c.mu.Unlock()
	c.forget()
}

// forget gives the message back, whose bytes belong to the transport again.
func (c *Call) forget() {
	c.mu.Lock()
	m := c.msg
	c.msg = nil
	c.mu.Unlock()
	c.session.server.recycle(m)
}

func (c *Call) clientKey() string {
	if c.client == nil {
		return ""
	}
	return c.client.key
}

func (c *Call) callID() callID { return callID{c.clientKey(), c.id} }

// Legacy reports a call of a client from before 2026-07-28: that its connection is lost does
// not cancel it, and its event stream can be resumed.
func (c *Call) Legacy() bool { return c.revision != nil && !c.revision.Modern }

// Primes reports that the event stream of the call begins with an event that has an id, no
// data and a retry time.
func (c *Call) Primes() bool { return c.revision != nil && c.revision.PrimingEvent }

// SessionKey tells the legacy clients of a shared session apart; "" for a modern one.
func (c *Call) SessionKey() string { return c.clientKey() }
