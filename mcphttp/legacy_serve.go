package mcphttp

import (
	"context"
	"errors"
	"net/http"

	"github.com/bowline-go/mcp"
)

// hasSessions reports whether the server has legacy sessions, and so serves GET and DELETE.
func hasSessions(session *mcp.Session) bool {
	_, status, _ := session.Identify(context.Background(), mcp.Headers{})
	return status != http.StatusMethodNotAllowed
}

// resumable reports a call whose stream can outlive its connection. A client that takes only JSON has none.
func (x *exchange) resumable() bool {
	return x.call.Legacy() && x.call.SessionKey() != "" && x.accept.events && x.logs != nil
}

// serveResumable serves a call whose stream outlives the connection if that is lost. That takes no goroutine where a
// connection can be given up in the middle of a call.
//
// 2025-11-25/basic/transports#sending-messages-to-the-server: a disconnect is no cancellation.
func (x *exchange) serveResumable(s *legacyStream) {
	if !s.primes || canHijack(x.w) {
		s.run()
		return
	}
	x.mu.Lock()
	x.ownGoroutine = true
	x.mu.Unlock()
	x.front.active.Add(1)
	go s.runAlone(x.front)
	x.carry(s)
	if s.isOver() && s.panicked != nil {
		panic(s.panicked) // here net/http sees to it
	}
}

// newStream is the stream of a call that outlives its connection. mu is held.
func (x *exchange) newStream() *legacyStream {
	s := x.spare
	if s == nil {
		s = &legacyStream{}
	}
	x.spare = nil
	s.logs, s.key, s.primes, s.call, s.to = x.logs, x.call.SessionKey(), x.call.Primes(), x.call, x
	s.log.call = x.call
	return s
}

// spareStream leaves the stream of the exchange to its next request, if nobody else can know of it: it was never opened, so
// that no client has an id to ask for, and its call ran on the request's goroutine. That is so for nearly all of them, and
// saves a twentieth of what a small call allocates, net/http's part included. mu is held.
func (x *exchange) spareStream() {
	if s := x.stream; s != nil && !s.opened && !s.standalone && !x.ownGoroutine {
		*s = legacyStream{}
		x.spare = s
	}
}

// run serves the call. The stream ends with it, even when a handler ends the goroutine.
func (s *legacyStream) run() {
	defer s.finish()
	s.call.Serve()
}

// runAlone is run on a goroutine that nobody else watches, so that a panic would end the process. It goes on when the
// connection is lost, and a drain waits for it all the same.
func (s *legacyStream) runAlone(f *front) {
	defer f.leave()
	defer s.finish()
	defer func() { s.panicked = recover() }()
	s.call.Serve()
}

// carry keeps the connection for a stream until one of them ends.
func (x *exchange) carry(s *legacyStream) {
	for x.wait() {
		if x.released.Load() {
			x.kept = s.standalone || !s.isOver() // a late wake-up, or a call that goes on, may still come here
			return
		}
		s.flush(x)
	}
	x.kept = true
	s.leave(x)
}

// release tells whoever holds the connection for a stream that it is not needed any more.
func (x *exchange) release() {
	x.released.Store(true)
	x.Wake()
}

func (s *legacyStream) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// flush sends what the standalone stream has to say, if x is still its connection.
func (s *legacyStream) flush(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to != x || !s.standalone {
		return // whoever took the place of x was woken, too
	}
	if err := s.call.Flush(s.send); errors.Is(err, mcp.ErrCallEnded) {
		s.finishLocked()
	}
}

// leave lets the connection of a client go that has disconnected.
func (s *legacyStream) leave(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == x {
		s.connect(nil)
		s.logs.await(s, s.over)
	}
}

// finish ends the stream, because its call is over.
func (s *legacyStream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishLocked()
}

func (s *legacyStream) finishLocked() {
	s.over, s.call = true, nil
	known := s.opened || s.to == nil // to the logs, whose lock all calls of a handler share
	if x := s.to; x != nil {
		x.conclude()
		s.connect(nil)
		x.release()
	}
	if known {
		s.logs.await(s, true)
	}
}

// serveGet opens the standalone stream of a legacy client, or resumes one of its streams.
//
// 2025-11-25/basic/transports#listening-for-messages-from-the-server.
func (h *Handler) serveGet(x *exchange) {
	if ids := x.r.Header["Last-Event-Id"]; len(ids) > 0 && ids[0] != "" {
		h.resume(x, ids[0])
		return
	}
	x.prepareHold()
	s := &legacyStream{logs: h.logs, standalone: true}
	s.connect(x)
	call := h.session.Stream(x.ctx, mcp.Headers(x.r.Header), s)
	s.call, s.key, s.primes = call, call.SessionKey(), call.Primes()
	s.log.call = call
	x.join(s)
	if !call.Serve() {
		s.finish()
		return
	}
	s.begin()
	x.stay()
	x.keepOpen(func() { x.carry(s) })
}

// begin opens the event stream of a standalone stream.
func (s *legacyStream) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open()
}

// join makes an exchange the connection of a stream, with the timer that keeps it alive.
func (x *exchange) join(s *legacyStream) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stream, x.phase = s, serving
	x.arm(x.front.options.KeepAlive)
}

// resume goes on with a stream behind the last event that the client has seen.
//
// 2025-11-25/basic/transports#resumability-and-redelivery: nothing of another stream is replayed.
func (h *Handler) resume(x *exchange, lastEvent string) {
	key, status, err := h.session.Identify(x.r.Context(), mcp.Headers(x.r.Header))
	if err != nil {
		x.refuseWith(status, err)
		return
	}
	x.prepareHold()
	s, number, found := h.logs.find(key, lastEvent)
	if !found || !s.attach(x, number) {
		x.refuse(refusal{http.StatusBadRequest, "the Last-Event-ID is unknown, or what follows it is not kept any more; send the request again"})
		return
	}
	x.stay()
	x.keepOpen(func() { x.carry(s) })
}

// attach makes x the connection of the stream, in place of an earlier one, and replays what follows an event. It reports
// false if that is not kept.
func (s *legacyStream) attach(x *exchange, number uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	stream, events, ok := s.logs.after(s, number)
	if !ok || !s.logs.returned(s) {
		return false
	}
	if s.to != nil {
		s.to.release()
	}
	s.connect(x)
	x.join(s)
	s.write(func(x *exchange) {
		x.openEvents(http.StatusOK)
		x.writeOut(append(x.out[:0], ":\n\n"...))
		for _, message := range events {
			number++
			_ = x.writeEvent(eventID(stream, number), message)
		}
	})
	if s.over {
		s.lose()
	} else {
		s.Wake()
	}
	return true
}

// serveDelete ends a session.
//
// 2025-11-25/basic/transports#session-management.
func (h *Handler) serveDelete(x *exchange) {
	headers := mcp.Headers(x.r.Header)
	key, status, err := h.session.Identify(x.r.Context(), headers)
	if err == nil {
		status, err = h.session.End(x.r.Context(), headers)
	}
	if err != nil {
		if status == http.StatusMethodNotAllowed {
			x.w.Header().Set("Allow", "GET, POST")
		}
		x.refuseWith(status, err)
		return
	}
	h.logs.endSession(key)
	x.w.WriteHeader(status)
}
