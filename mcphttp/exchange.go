package mcphttp

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bowline-go/mcp"
)

// errDraining is the cause of the context of requests that a server of ours cancels because its time is over. The client
// is still there and gets the answer.
var errDraining = errors.New("mcphttp: the server is shutting down")

// pooledBytes is the largest buffer that an exchange keeps for the next request.
const pooledBytes = 64 << 10

// exchange is one HTTP request and its response, and the sink of its call. The handler's goroutine owns it, except for what
// mu guards: a timer, and for legacy calls the call's own goroutine, write to the response too.
type exchange struct {
	front *front
	logs  *legacyLogs
	w     http.ResponseWriter
	r     *http.Request   // nil once the response is held
	ctx   context.Context // ends with the request, or with the stream that is held

	// What the gates find out.
	local   bool // the connection arrived on a loopback address
	host    authority
	named   string // the Host that host was read from; both stay for the next request
	accept  accepted
	counted bool // against MaxRequests

	status   int // of a refusal of ours; 0: the reply's own
	call     *mcp.Call
	message  []byte
	kept     bool          // a call or its stream may hold on to this exchange, so that it is not used again
	woken    chan struct{} // capacity 1: there is something to see to, see wait
	released atomic.Bool   // a legacy stream writes here no more
	holding                // of a stream that stays open

	mu           sync.Mutex
	ownGoroutine bool          // the call runs on another goroutine than the request
	stream       *legacyStream // not nil: what the call sends goes through it
	spare        *legacyStream // for the next request that needs one, or nil
	response
	phase  phase
	timer  *time.Timer
	armed  bool
	ticked bool // the timer was set again after it had run out, so that tick may be on its way
}

// response is what has become of an exchange's response.
type response struct {
	written  bool   // it has begun
	events   bool   // it is an event stream
	replied  bool   // nothing may follow
	failed   error  // of the first write that failed
	out      []byte // an event or a small reply, on its way to one write
	control  *http.ResponseController
	deadline time.Time // of writes, as last set
}

func newExchange(f *front) *exchange {
	return &exchange{front: f, woken: make(chan struct{}, 1)}
}

// reset forgets the request. It reports whether the exchange can be used again: nothing holds on to it, and its timer is
// not about to run.
func (x *exchange) reset() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.phase = over
	stopped := !x.armed || x.timer.Stop()
	x.w, x.r, x.ctx, x.control = nil, nil, nil, nil
	if !stopped || x.ticked || x.kept {
		return false
	}
	select {
	case <-x.woken:
	default:
	}
	x.released.Store(false)
	x.holding.clear()
	x.armed = false
	x.spareStream()
	x.logs, x.call, x.stream, x.ownGoroutine = nil, nil, nil, false
	x.accept, x.status = accepted{}, 0
	x.message, x.response = keep(x.message), response{out: keep(x.out)}
	return true
}

// stay is for an exchange that stays open for long: it is no request that counts any more, and holds none of the buffers that
// earlier ones have grown.
func (x *exchange) stay() {
	x.front.uncount(x)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.message, x.out = nil, nil
}

// keep empties a buffer for reuse, unless it is large.
func keep(buffer []byte) []byte {
	if cap(buffer) > pooledBytes {
		return nil
	}
	return buffer[:0]
}

// gone reports that the client of the current revision has disconnected, so that nothing more may be written.
//
// basic/transports/streamable-http#cancellation: no further messages for a cancelled request.
func (x *exchange) gone() bool {
	return x.ctx.Err() != nil && x.call != nil && !x.call.Legacy() && !errors.Is(context.Cause(x.ctx), errDraining)
}

// try writes to the response, and reports that a write has failed. What is written comes from outside and may end the
// goroutine: mu is free again even then.
func (x *exchange) try(write func(*exchange)) (failed bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	write(x)
	return x.failed != nil
}

// CanAsk reports whether the response can carry requests to the client.
func (x *exchange) CanAsk() bool { return x.accept.events }

// signal leaves a token in a channel of capacity 1. It reports false if there was one.
func signal(c chan struct{}) bool {
	select {
	case c <- struct{}{}:
		return true
	default:
		return false
	}
}

func (x *exchange) controller() *http.ResponseController {
	if x.control == nil {
		x.control = http.NewResponseController(x.w)
	}
	return x.control
}
