package mcp

import (
	"context"
	"sync"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// ConnectOptions describes a connection to [Server.Connect].
type ConnectOptions struct {
	// Transport is what [Request.Transport] reports, such as "stdio".
	Transport string
	// Wake is called when [Session.Flush] has something to send. It is called from any
	// goroutine, must not block and must not call back. Nil: nothing is pushed.
	Wake func()
}

// Session is one connection to a client. It serves messages of both eras; only a client
// that opens with an initialize handshake leaves anything in it. All methods are safe for
// concurrent use, but the order in which Admit is called is the order of arrival.
type Session struct {
	server    *Server
	transport string
	wake      func()

	mu      sync.Mutex
	closed  bool
	client  *handshake           // nil before initialize
	calls   map[jsonrpc.ID]*Call // in flight: admitted, not yet answered
	changes *hub.Subscription    // nil unless the handshake was made and lists may change
}

// Connect opens a session for one connection. The first session freezes the server's
// registry; mistakes in it are returned, by every call.
func (s *Server) Connect(o ConnectOptions) (*Session, error) {
	if err := s.freeze(); err != nil {
		return nil, err
	}
	return &Session{server: s, transport: o.Transport, wake: o.Wake, calls: make(map[jsonrpc.ID]*Call)}, nil
}

// MaxMessageBytes is the largest message that is accepted.
func (s *Session) MaxMessageBytes() int { return s.server.options.MaxMessageBytes }

// Handle admits and serves one message, for tests and for programs that need no concurrency.
// The error is that of a message to which no answer is possible.
func (s *Session) Handle(ctx context.Context, message []byte, sink Sink) *Error {
	call, err := s.Admit(ctx, message, sink, nil)
	if call != nil {
		call.Serve()
	}
	return err
}

// Refuse makes a call that answers with err and no id: for input that a transport could not
// read as a message, such as one that is too long.
func (s *Session) Refuse(err *Error, sink Sink) *Call {
	c := s.newCall(context.Background(), sink)
	c.fault = wireError(err, true)
	return c
}

// Close ends the session: its calls are cancelled, and its open subscriptions are answered.
// It is idempotent.
func (s *Session) Close() {
	s.mu.Lock()
	s.closed = true
	calls := make([]*Call, 0, len(s.calls))
	for _, c := range s.calls {
		calls = append(calls, c)
	}
	changes := s.changes
	s.mu.Unlock()
	if changes != nil {
		changes.Close()
	}
	for _, c := range calls {
		c.end()
	}
}

// enter puts a request into the in-flight table, unless its id is there already.
//
// basic/index#requests: an id is not used again before its response.
func (s *Session) enter(c *Call) *protocol.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return protocol.Busy("the session is closing", retryAfter)
	case s.calls[c.id] != nil:
		return protocol.DuplicateID()
	}
	c.Context, c.cancel = context.WithCancel(c.Context)
	s.calls[c.id] = c
	return nil
}

func (s *Session) leave(c *Call) {
	s.mu.Lock()
	if s.calls[c.id] == c {
		delete(s.calls, c.id)
	}
	s.mu.Unlock()
}

// cancel ends the request of that id. An id that is unknown, finished or mistyped is ignored.
//
// basic/patterns/cancellation#behavior-requirements.
func (s *Session) cancel(ctx context.Context, id jsonrpc.ID, reason string) {
	s.mu.Lock()
	c := s.calls[id]
	s.mu.Unlock()
	if c == nil || c.MustServeFirst() {
		return
	}
	if reason != "" {
		s.server.options.Logger.InfoContext(ctx, "request cancelled", "id", id.Text(), "reason", reason)
	}
	c.Cancel()
}
