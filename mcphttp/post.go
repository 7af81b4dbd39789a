package mcphttp

import (
	"net/http"

	"github.com/bowline-go/mcp"
)

// servePost serves one message: read, admit, serve.
func servePost(x *exchange) {
	if refused := x.read(); refused.status != 0 {
		x.refuse(refused)
		return
	}
	headers := mcp.Headers(x.r.Header)
	if headers.MayStayOpen() {
		x.prepareHold()
	}
	call, err := x.front.session.Admit(x.ctx, x.message, x, headers)
	switch {
	case err != nil:
		x.refuseWith(http.StatusBadRequest, err)
	case call == nil:
		// basic/transports/streamable-http#sending-messages: an accepted notification is 202 without a body.
		x.w.WriteHeader(http.StatusAccepted)
	default:
		x.serve(call)
	}
}

// serve runs a call to its answer.
func (x *exchange) serve(call *mcp.Call) {
	x.startServing(call)
	switch {
	case x.stream != nil:
		x.serveResumable(x.stream)
	case call.Serve():
		x.listen()
	default:
		x.finish()
	}
}

// finish ends a response whose call is over. It panics, as net/http has it for that, where returning would end a response
// that is not whole as if it were.
func (x *exchange) finish() {
	if x.conclude() {
		panic(http.ErrAbortHandler)
	}
}

// conclude writes what a response without an answer consists of. It reports that the client is gone.
func (x *exchange) conclude() (gone bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.gone() || x.failed != nil:
		return true
	case x.written:
	case x.accept.events:
		// A call that was cancelled has no answer: an event stream with nothing in it.
		x.openEvents(http.StatusOK)
	default:
		x.w.WriteHeader(http.StatusAccepted)
		x.written = true
	}
	return false
}

// listen holds the stream of an open subscription until either side ends it.
func (x *exchange) listen() {
	x.kept = true
	x.stay()
	if !x.accept.events {
		x.call.Cancel()
		x.refuse(refusal{http.StatusNotAcceptable, "a subscription is an event stream; the Accept header must name text/event-stream"})
		return
	}
	x.keepOpen(x.follow)
}

// follow sends what a subscription hears of.
//
// basic/patterns/subscriptions#cancellation: the client cancels by closing the stream.
func (x *exchange) follow() {
	defer x.call.Cancel()
	send := x.Notify
	for x.wait() {
		// The error is a write that failed, or the end, whose result has been sent.
		if err := x.call.Flush(send); err != nil {
			return
		}
	}
}
