package mcphttp

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/bowline-go/mcp"
)

// legacyStream is the event stream of a call of a legacy client, or its standalone stream. It outlives its connection: what
// is sent goes to the log, and to the one connection that is attached, if any. It is the sink of its call.
//
// 2025-11-25/basic/transports#resumability-and-redelivery: ids are cursors within one stream, and a message is never sent on
// another one.
type legacyStream struct {
	logs       *legacyLogs
	key        string // of the session
	standalone bool
	primes     bool
	call       *mcp.Call // nil once it is over
	panicked   any       // of a call on a goroutine of its own; read when the stream is over

	log eventLog // guarded by logs.mu

	waits  atomic.Pointer[exchange] // what Wake wakes: to, if the stream is standalone
	mu     sync.Mutex               // taken before an exchange's and the logs' mu
	to     *exchange                // the attached connection, or nil
	opened bool                     // an event stream has begun, on this connection or an earlier one
	over   bool                     // nothing more is sent
}

// retryMillis is how soon a client whose connection ended may come again, unless the handler says otherwise.
const retryMillis = 1000

// Notify sends a message on the stream. It never fails for want of a connection: the client may come back for it.
func (s *legacyStream) Notify(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.send(message)
}

// send is Notify with mu held.
func (s *legacyStream) send(message []byte) error {
	if s.over || !s.open() {
		return nil
	}
	id := s.logs.add(s, append([]byte{}, message...))
	s.write(func(x *exchange) { _ = x.writeEvent(id, message) })
	return nil
}

// open begins the event stream on the connection. It reports false while there is neither: no client has an id to ask for
// what would be kept. mu is held.
//
// 2025-11-25/basic/transports#sending-messages-to-the-server: an event with an id and empty data comes first.
func (s *legacyStream) open() bool {
	if s.opened {
		return true
	}
	if s.to == nil || s.to.written { // by an answer that was a JSON object
		return false
	}
	s.opened = true
	s.logs.keep(s)
	id := ""
	if s.primes {
		id = s.logs.add(s, []byte{})
	}
	s.write(func(x *exchange) {
		x.openEvents(http.StatusOK)
		switch {
		case id != "":
			x.writeOut(appendPriming(x.out[:0], id))
		case s.standalone:
			x.writeOut(append(x.out[:0], ":\n\n"...)) // the client sees that the stream is open
		}
	})
	return true
}

func appendPriming(dst []byte, id string) []byte {
	dst = append(append(dst, "id: "...), id...)
	dst = strconv.AppendInt(append(dst, "\nretry: "...), retryMillis, 10)
	return append(dst, "\ndata: \n\n"...)
}

// write runs do on the attached connection and lets it go if it has failed. mu is held.
func (s *legacyStream) write(do func(*exchange)) {
	x := s.to
	if x == nil {
		return
	}
	if x.try(do) {
		s.lose()
	}
}

// lose lets the connection go. mu is held.
func (s *legacyStream) lose() {
	if s.to != nil {
		s.to.release()
		s.connect(nil)
		s.logs.await(s, s.over)
	}
}

// connect attaches a connection, or none. mu is held.
func (s *legacyStream) connect(x *exchange) {
	s.to = x
	if s.standalone {
		s.waits.Store(x)
	}
}

// Reply sends the answer: as a JSON object if nothing else was sent and the client takes it, else on the stream. It is lost if
// there is neither stream nor connection.
func (s *legacyStream) Reply(reply *mcp.Reply) {
	if !s.replyAlone(reply) {
		s.gather(reply)
	}
}

// replyAlone is Reply where there is no event stream to carry it.
func (s *legacyStream) replyAlone(reply *mcp.Reply) (done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.opened && s.to != nil && (s.to.accept.json || reply.Status != http.StatusOK) {
		s.write(func(x *exchange) { x.answer(reply) })
		return true
	}
	return !s.open()
}

// Wake says that the standalone stream has something to flush. Without a connection it waits for the next one.
func (s *legacyStream) Wake() {
	if x := s.waits.Load(); x != nil {
		x.Wake()
	}
}

// tick is the timer of the attached connection: a quiet stream is kept alive, and that its client has left is noticed.
func (s *legacyStream) tick(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.to != x || s.over || !x.accept.events:
		return
	case x.ctx.Err() != nil:
		s.lose()
		return
	}
	s.open()
	s.write(func(x *exchange) { x.keepAlive() })
}
