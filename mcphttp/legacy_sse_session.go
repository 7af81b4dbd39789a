package mcphttp

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/bowline-go/mcp"
)

// sseSession is one open stream of HTTP+SSE with its client.
type sseSession struct {
	x       *exchange // the stream
	ctx     context.Context
	session *mcp.Session
	caller  mcp.Caller    // who opened the stream
	woken   chan struct{} // capacity 1: the session has something to flush
	most    int           // bytes of a message

	mu      sync.Mutex // admission in order of arrival
	running int
	idle    chan struct{} // not nil: closed when nothing runs
}

// maxSSECalls is how many calls of one stream run at a time.
const maxSSECalls = 64

// start sends the first event.
//
// 2024-11-05/basic/transports#http-with-sse: a URI for messages, when a client connects.
func (s *sseSession) start(endpoint string) {
	x := s.x
	x.mu.Lock()
	defer x.mu.Unlock()
	x.openEvents(http.StatusOK)
	text := append(x.out[:0], "event: endpoint\ndata: "...)
	x.writeOut(append(append(text, endpoint...), "\n\n"...))
	x.phase = serving
	x.arm(x.front.options.KeepAlive)
}

// hold sends what the session has to say until either side ends the stream.
func (s *sseSession) hold() {
	for {
		select {
		case <-s.woken:
			if err := s.session.Flush(s.send); err != nil {
				return
			}
		case <-s.x.woken: // a write has failed, or the end was asked for
			return
		case <-s.ctx.Done():
			return
		}
	}
}

var errStreamOver = errors.New("mcphttp: the stream of the session is closed")

// send sends one message as an event.
//
// 2024-11-05/basic/transports#http-with-sse: messages are message events.
func (s *sseSession) send(message []byte) error {
	x := s.x
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.phase != serving {
		return errStreamOver
	}
	text := append(x.out[:0], "event: message\ndata: "...)
	from := len(text)
	text = append(text, message...)
	joinLines(text[from:])
	x.out = append(text, "\n\n"...)
	x.writeOut(x.out)
	x.out = keep(x.out)
	return x.failed
}

// accept admits a message and lets its call run. The error is that of a message that cannot be answered.
func (s *sseSession) accept(posted context.Context, message []byte) *mcp.Error {
	sink := &sseSink{session: s, woken: make(chan struct{}, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	call, err := s.session.Admit(joined{s.ctx, posted}, message, sink, nil)
	switch {
	case call == nil:
		return err
	case call.MustServeFirst():
		call.Serve()
	case s.running >= maxSSECalls:
		call.Refuse(s.session.Busy("too many calls are running", comeAgain))
	default:
		s.running++
		go sink.run(call)
	}
	return nil
}

func (s *sseSession) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if s.running == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// drain refuses new calls and waits for those that run.
func (s *sseSession) drain(ctx context.Context) {
	s.session.Drain()
	s.mu.Lock()
	if s.running == 0 {
		s.mu.Unlock()
		return
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
	}
	idle := s.idle
	s.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// joined ends with the stream and has the values of the request that brought the message, such as who sent it.
type joined struct {
	context.Context
	values context.Context
}

// Value is that of the posted request.
func (j joined) Value(key any) any { return j.values.Value(key) }

// sseSink is where the messages of one call go.
type sseSink struct {
	session *sseSession
	woken   chan struct{}
}

// run serves the call, and holds it if it stays open.
func (k *sseSink) run(call *mcp.Call) {
	defer k.session.done()
	if !call.Serve() {
		return
	}
	defer call.Cancel()
	for {
		select {
		case <-k.woken:
			if err := call.Flush(k.session.send); err != nil {
				return
			}
		case <-k.session.ctx.Done():
			return
		}
	}
}

// Notify sends a message of the call.
func (k *sseSink) Notify(message []byte) error { return k.session.send(message) }

// Reply sends the answer. One that is streamed is gathered first, as far as a message may be large.
func (k *sseSink) Reply(reply *mcp.Reply) {
	text := bounded{most: k.session.most}
	if reply.Size() > text.most {
		text.most = reply.Size() // it is in memory as it is
	}
	if _, err := reply.WriteTo(&text); errors.Is(err, errTooLarge) {
		k.session.x.Wake() // half a message cannot be sent, and the client would wait for the rest
		return
	}
	_ = k.session.send(text.Bytes()) // a client that has left needs no word
}

// Wake says that the open call has something to flush.
func (k *sseSink) Wake() { signal(k.woken) }

// bounded is a buffer that refuses to grow beyond a size.
type bounded struct {
	bytes.Buffer
	most int
}

// Write appends p, if it fits.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, errTooLarge
	}
	return b.Buffer.Write(p)
}
