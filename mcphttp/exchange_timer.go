package mcphttp

import (
	"net/http"
	"time"

	"github.com/bowline-go/mcp"
)

// phase is what an exchange waits for, and so what its timer means.
type phase uint8

const (
	over    phase = iota
	reading       // the body
	lagging       // the body, for longer than a call may be quiet
	serving       // the answer
	leaving       // the end of a legacy call whose client has left
)

// startReading sets the timer for the body and, if that comes in time, for a quiet call as well: one timer that is moved
// once for a request saves a hundredth of a small call.
func (x *exchange) startReading() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.phase = reading
	x.arm(min(x.front.options.BodyTimeout, x.front.options.KeepAlive))
}

// startServing goes on to the answer of a call. One that outlives its connection has its stream from here on: a tick in
// between would open an event stream that knows nothing of it, and what the call sends would be lost.
func (x *exchange) startServing(call *mcp.Call) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if o := &x.front.options; x.phase != reading || o.BodyTimeout < o.KeepAlive {
		x.arm(o.KeepAlive)
	}
	x.call, x.phase = call, serving
	if x.resumable() {
		x.stream = x.newStream()
	}
}

// arm sets the timer. mu is held.
func (x *exchange) arm(after time.Duration) {
	if x.timer == nil {
		x.timer = time.AfterFunc(after, x.tick)
	} else if !x.timer.Reset(after) && x.armed {
		x.ticked = true
	}
	x.armed = true
}

// tick runs when a phase has taken its time: a body that does not come is given up, and a quiet call gets its event stream
// and what keeps that alive.
func (x *exchange) tick() {
	x.mu.Lock()
	stream := x.stream
	if stream == nil {
		x.tickAlone()
	}
	x.mu.Unlock()
	if stream != nil {
		stream.tick(x)
	}
}

// tickAlone is tick for an exchange without a legacy stream. mu is held.
func (x *exchange) tickAlone() {
	switch x.phase {
	case reading:
		if rest := x.front.options.BodyTimeout - x.front.options.KeepAlive; rest > 0 {
			x.phase = lagging
			x.arm(rest)
			return
		}
		x.giveUpReading()
	case lagging:
		x.giveUpReading()
	case serving:
		if x.call != nil && x.call.Legacy() && !x.replied {
			if x.ctx.Err() != nil {
				x.phase = leaving
				x.arm(x.front.options.ResumeWindow)
				return
			}
			x.arm(x.front.options.KeepAlive) // to look again, also where nothing can be written
		}
		x.keepAlive()
	case leaving:
		x.call.Cancel()
	}
}

// giveUpReading fails the read of a body; without deadlines the server has to see to it. mu is held.
func (x *exchange) giveUpReading() {
	_ = x.controller().SetReadDeadline(time.Unix(1, 0))
}

// keepAlive writes a comment, if the client takes an event stream and no answer is under way. mu is held.
//
// basic/transports/streamable-http#receiving-messages: comment lines keep quiet streams alive.
func (x *exchange) keepAlive() {
	if x.phase != serving || x.replied || !x.accept.events || x.failed != nil || x.gone() {
		return
	}
	x.openEvents(http.StatusOK)
	x.writeOut(append(x.out[:0], ":\n\n"...))
	x.arm(x.front.options.KeepAlive)
}
