package mcp

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Call is one admitted message on its way to its answer, and the context of its handler: it
// ends when the client cancels the request, when the transport's context ends, or when the
// session closes. After that nothing more is sent for it.
type Call struct {
	context.Context
	cancel  context.CancelFunc // nil: the transport's context is the only thing that ends it
	session *Session
	sink    Sink
	msg     *jsonrpc.Message // nil once the call has been served

	id         jsonrpc.ID
	method     *protocol.Method
	revision   *protocol.Revision
	meta       protocol.Meta
	view       *view
	headers    protocol.Headers // nil: the transport has none
	client     *client          // the legacy client, nil for a modern one
	token      string           // what initialize minted for a client of a shared session
	standalone bool             // no request: the stream of a legacy client

	// What resolve finds of the request's target.
	name       string // the tool, prompt or URI
	arguments  []byte
	tool       *tool
	prompt     *prompt
	reader     reader
	completer  Completer
	completion protocol.CompleteParams
	page       int
	level      protocol.Level
	filter     protocol.SubscriptionFilter

	fault   *protocol.Fault // not nil: refused at admission
	entered bool            // stands in the session's in-flight table
	batch   *batch          // not nil: this call is an array of others
	inBatch bool            // one of those others
	request Request

	state atomic.Uint32 // a callState, which only leaves running, and only once

	mu           sync.Mutex // also held while a notification is being sent
	lastProgress float64
	notified     bool              // something was sent before the answer
	asks         *asking           // nil until the call has to do with questions
	stayed       bool              // stays open behind Serve
	changes      *hub.Subscription // what an open subscription of its own hears of
	ending       bool              // the open call is to end
}

type callState = uint32

const (
	running callState = iota
	answered
	void // cancelled: nothing is sent any more
)

// retryAfter is what a client is told that finds no room.
const retryAfter = 100 * time.Millisecond

type callKey struct{}

func (s *Session) newCall(ctx context.Context, sink Sink) *Call {
	c := &Call{Context: ctx, session: s, sink: sink, msg: s.server.message(), lastProgress: math.Inf(-1)}
	c.request.call = c
	return c
}

// Value makes the call known to [RequestFrom] and its like; the rest is the transport's.
func (c *Call) Value(key any) any {
	if _, ours := key.(callKey); ours {
		return c
	}
	return c.Context.Value(key)
}

// callFrom is the call that ctx belongs to, or nil.
func callFrom(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// MustServeFirst reports a call that is to be served before the next message is admitted:
// an initialize, whose answer comes before those of the requests behind it.
func (c *Call) MustServeFirst() bool { return c.method != nil && c.method.ID == protocol.Initialize }

// Serve runs the call to its answer, on the caller's goroutine, and sends it to the sink. It
// is called once, unless Refuse is. When the client cancels, Serve returns without an answer.
// open reports a subscription, which stays open behind Serve: its sink is woken, and
// [Call.Cancel] ends it.
func (c *Call) Serve() (open bool) {
	settled := false
	defer func() {
		if !settled { // a handler ended its goroutine; the client gets an answer all the same
			c.refuseWith(protocol.Internal("the handler ended without a result"))
		}
		if !open {
			c.release()
		}
	}()
	open = c.serve()
	settled = true
	return open
}

func (c *Call) serve() (open bool) {
	if c.batch != nil {
		c.batch.serve()
		return false
	}
	if c.isVoid() {
		return false
	}
	if c.standalone && c.fault == nil {
		return c.openStream()
	}
	if c.fault == nil {
		c.fault = services[c.method.ID].resolve(c)
	}
	if c.fault != nil {
		c.refuseWith(c.fault)
		return false
	}
	if c.method.ID == protocol.SubscriptionsListen {
		return c.listen()
	}
	server := c.session.server
	defer server.inFlight.Add(-1)
	if server.inFlight.Add(1) > int64(server.options.MaxInFlight) {
		c.refuseWith(protocol.Busy("too many requests in flight", retryAfter))
		return false
	}
	c.run()
	return false
}

// isVoid reports a call that was cancelled before it was served: its handler does not run.
func (c *Call) isVoid() bool { return c.state.Load() == void }

// Refuse answers with err instead of serving, because a transport has no room.
func (c *Call) Refuse(err *Error) {
	defer c.release()
	if c.batch != nil {
		defer c.batch.release()
	}
	if c.fault == nil {
		c.fault = wireError(err, true)
	}
	c.refuseWith(c.fault)
}

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
	if c.cancel != nil {
		c.cancel()
	}
	if c.batch != nil {
		c.batch.cancel()
	}
	if !c.standalone && (c.method == nil || c.method.ID != protocol.SubscriptionsListen) {
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

// hasNotified reports whether something was sent before the answer.
func (c *Call) hasNotified() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.notified
}

// run passes the call through the middleware to its handler and answers it. A legacy client
// is asked here what a handler asks for in the explicit form, and the handler runs again.
func (c *Call) run() {
	server := c.session.server
	if fault := c.spend(); fault != nil {
		c.refuseWith(fault)
		return
	}
	for {
		result, err := server.protect(c, &c.request, pass)
		if err != errAgain {
			c.answer(result, err)
			return
		}
	}
}

// errAgain says that the handler is to run again for the same request.
var errAgain = errors.New("mcp: another pass")

// pass runs the handler once and sees to what it asks for in the explicit form. All that looks
// into its error stands in here, where a panic is recovered: errors have methods of the
// program's own.
func pass(ctx context.Context, req *Request) (Result, error) {
	c := req.call
	result, err := c.session.server.serve(ctx, req)
	explicit := explicitOf(err)
	if explicit == nil {
		return result, err
	}
	if c.revision.InputRequired {
		return nil, c.recordExplicit(explicit)
	}
	if err := c.bridgeExplicit(c, explicit); err != nil {
		return nil, err
	}
	return nil, errAgain
}

// release gives back what a served call does not need any more.
func (c *Call) release() {
	if c.entered || c.standalone {
		c.session.leave(c)
	}
	if c.cancel != nil {
		c.cancel()
	}
	c.state.CompareAndSwap(running, void)
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

// notify sends a notification that belongs to the call, while it is unanswered. encode
// appends the message to dst, or nothing when there is none to send.
func (c *Call) notify(encode func(dst []byte) []byte) (sent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// The end of the context is that of the session or the connection: a handler that does not
	// heed it must not keep them busy.
	if c.state.Load() != running || c.Context.Err() != nil {
		return false
	}
	reply := c.session.server.borrow()
	defer c.session.server.give(reply)
	if reply.head = encode(reply.head); len(reply.head) == 0 {
		return false
	}
	c.notified = true
	if err := c.sink.Notify(reply.head); err != nil {
		c.state.CompareAndSwap(running, void)
		if c.cancel != nil {
			c.cancel()
		}
		return false
	}
	return true
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
