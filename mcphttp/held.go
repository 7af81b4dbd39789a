package mcphttp

import (
	"context"
	"runtime/debug"
	"sync/atomic"
)

// A stream that stays open is held: taken from net/http, which would keep two goroutines with grown stacks, two buffers, the
// request and its header for it, in all 28 KiB of resident memory where 7,000 are open. What is left is one goroutine with the
// smallest of stacks, which waits both for the client and for what there is to send: 7.5 KiB. Only a server of ours does that,
// which knows what stands between handler and connection: nothing, and HTTP/1.1. Elsewhere the request's goroutine waits.

// holding is what an exchange has for its stream to be held.
type holding struct {
	cancel   context.CancelCauseFunc // of the exchange's context; not nil: its stream may be held
	unfollow func() bool             // separates that context from the request's
	rest     func()                  // what is left to do once the stream is held
	held     atomic.Pointer[heldConn]
}

func (h *holding) clear() {
	if h.cancel == nil {
		return
	}
	h.cancel, h.unfollow, h.rest = nil, nil, nil
	h.held.Store(nil)
}

// mayHold reports a response whose connection is closed behind it, because its stream may be held.
func (h *holding) mayHold() bool { return h.cancel != nil }

// prepareHold gives the exchange a context that does not end with net/http's goroutine, if its stream may be held. Until it
// is, the context ends with the request's.
func (x *exchange) prepareHold() {
	if x.front.held == nil || x.r.ProtoMajor != 1 || x.r.ProtoMinor < 1 {
		return
	}
	request := x.ctx
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(request))
	x.ctx, x.cancel = ctx, cancel
	x.unfollow = context.AfterFunc(request, func() { cancel(context.Cause(request)) })
}

// endContext ends the context that prepareHold made.
func (x *exchange) endContext() {
	if x.cancel == nil {
		return
	}
	x.cancel(nil)
	if x.unfollow != nil {
		x.unfollow()
	}
}

// keepOpen lets rest run, which waits for the end of the stream: on a goroutine of its own, once that of net/http has
// left, if the stream can be held, else here and now.
func (x *exchange) keepOpen(rest func()) {
	if !x.takeOver() {
		rest()
		return
	}
	x.rest = rest
}

// takeOver takes the connection from net/http.
func (x *exchange) takeOver() bool {
	if !x.mayHold() {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.events || x.failed != nil {
		return false
	}
	conn, _, err := x.controller().Hijack() // what the client may have sent behind its request is not looked at
	if err != nil {
		return false
	}
	x.unfollow() // the end of the request is not the client's any more, which wait notices
	held := &heldConn{conn: conn}
	x.w, x.r, x.control, x.unfollow = held, nil, nil, nil
	x.held.Store(held)
	x.front.held.enter(held)
	return true
}

// runHeld is the goroutine of a stream that is held. Nobody else watches it, so that a panic would end the process.
func (x *exchange) runHeld() {
	rest := x.rest
	x.rest = nil
	defer x.front.end(x)
	defer x.closeHeld()
	defer x.recoverHeld()
	rest()
}

// recoverHeld breaks a stream off that has panicked, as net/http does. What it was in the middle of may hold on to the exchange.
func (x *exchange) recoverHeld() {
	p := recover()
	if p == nil {
		return
	}
	x.held.Load().gone, x.kept = true, true
	if x.stream != nil {
		x.stream.leave(x)
	}
	if logger := x.front.options.Logger; logger != nil {
		logger.Error("panic on an event stream", "panic", p, "stack", string(debug.Stack()))
	}
}

// closeHeld ends the response, if there is still somebody to read it, and closes its connection.
func (x *exchange) closeHeld() {
	x.cancel(nil) // whoever waits for the end need not wait until a client takes the last bytes
	x.mu.Lock()
	held := x.held.Load()
	whole := x.failed == nil && !held.gone
	x.phase = over // the timer writes nothing any more
	x.mu.Unlock()
	if whole {
		held.end()
	}
	x.front.held.leave(held)
	held.conn.Close()
}

// wait returns when something has woken the exchange, or with false when its client is gone or a write has failed.
func (x *exchange) wait() (open bool) {
	if x.pause() {
		return false
	}
	if held := x.held.Load(); held != nil {
		return held.wait(x.woken)
	}
	select {
	case <-x.woken:
		return true
	case <-x.ctx.Done():
		return false
	}
}

// pause lets go of the buffer, which a stream that waits does not need, and reports that a write has failed.
func (x *exchange) pause() (failed bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.out = nil
	return x.failed != nil
}

// Wake says that there is something to see to: an open call has something to flush, or its connection is to be let go.
func (x *exchange) Wake() {
	if !signal(x.woken) {
		return // whoever has signalled is waking it
	}
	if held := x.held.Load(); held != nil {
		held.wake()
	}
}
