package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// ConnectOptions describes a connection to [Server.Connect].
type ConnectOptions struct {
	// Transport is what [Request.Transport] reports, such as "stdio".
	Transport string
	// Shared says that the messages of many clients arrive, each with its headers, as over
	// HTTP. Legacy clients are then told apart by a sealed token in Mcp-Session-Id, and only
	// those that set something leave anything in the session. Otherwise there is one client.
	Shared bool
	// Wake is called when [Session.Flush] has something to send. It is called from any
	// goroutine, must not block and must not call back. Nil: nothing is pushed.
	Wake func()
	// Logger gets what this connection has for [Options].Logger when that is nil, as a test wants
	// it. Nil: nothing is logged.
	Logger *slog.Logger
}

// Session is one channel to a client, or to many. It serves messages of both eras; only a
// client that opens with an initialize handshake leaves anything in it. All methods are safe
// for concurrent use, but the order in which Admit is called is the order of arrival.
type Session struct {
	server    *Server
	transport string
	shared    bool
	wake      func()
	logger    *slog.Logger
	nonce     func() string // tells connections of one client each apart

	mu      sync.Mutex
	closing bool               // no more requests are admitted
	client  *client            // not shared: the one client, nil before initialize
	table   clientTable        // shared: those that left something
	calls   map[callID]*Call   // in flight: admitted, not yet answered
	loose   map[*Call]struct{} // in flight, legacy, of clients that have no session
	open    map[*Call]struct{} // open subscriptions and streams
}

// callID tells requests in flight apart. The client is "" where there is only one.
type callID struct {
	client string
	id     jsonrpc.ID
}

// Connect opens a session. The first session freezes the server's registry; mistakes in it
// are returned, by every call.
func (s *Server) Connect(o ConnectOptions) (*Session, error) {
	if err := s.freeze(); err != nil {
		return nil, err
	}
	nonce := func() string { return "" }
	if !o.Shared { // an answer to a shared session may come through another one
		nonce = sync.OnceValue(rand.Text) // made for the first question, which few sessions see
	}
	return &Session{
		server: s, transport: o.Transport, shared: o.Shared, wake: o.Wake, nonce: nonce,
		logger: cmp.Or(s.options.Logger, o.Logger, s.silent),
		table:  newClientTable(&s.ended),
		calls:  make(map[callID]*Call),
		loose:  make(map[*Call]struct{}),
		open:   make(map[*Call]struct{}),
	}, nil
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

// Busy is the error with which a transport refuses a message because it has no room: what names
// the bound that was reached, and the client may come again after a while.
func (s *Session) Busy(what string, after time.Duration) *Error {
	return publicError(protocol.Busy(what, after))
}

// Drain refuses new requests and ends open subscriptions with their result. What is running
// goes on. It is idempotent.
func (s *Session) Drain() {
	s.mu.Lock()
	s.closing = true
	open := make([]*Call, 0, len(s.open))
	for c := range s.open {
		open = append(open, c)
	}
	s.mu.Unlock()
	for _, c := range open {
		c.end()
	}
}

// Close drains the session and ends the contexts of the handlers that are still running; those
// of modern clients of a shared session end with the context that they were admitted with. What
// handlers return is sent all the same. It is idempotent.
func (s *Session) Close() {
	s.Drain()
	s.mu.Lock()
	calls := make([]*Call, 0, len(s.calls)+len(s.loose))
	for _, c := range s.calls {
		calls = append(calls, c)
	}
	for c := range s.loose {
		calls = append(calls, c)
	}
	if s.client != nil {
		s.client.silence()
	}
	for _, client := range s.table.left {
		client.silence()
	}
	s.mu.Unlock()
	for _, c := range calls {
		c.expire()
	}
}

// enter puts a request into the in-flight table, so that it can be cancelled, unless its id
// is there already. A request of a shared session that belongs to no legacy client is not
// found by its id: those of different clients collide. A modern one ends with its connection.
//
// basic/index#requests: an id is not used again before its response.
// basic/patterns/cancellation#transport-specific-cancellation.
func (s *Session) enter(c *Call) *protocol.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return protocol.Busy("the server is shutting down", retryAfter)
	}
	if s.shared && c.revision.Modern {
		return nil
	}
	loose := s.isLoose(c)
	if !loose && s.calls[c.callID()] != nil {
		return protocol.DuplicateID()
	}
	c.own, c.entered = true, true
	if s.shared {
		c.parent = context.WithoutCancel(c.parent)
	}
	if loose {
		s.loose[c] = struct{}{}
	} else {
		s.calls[c.callID()] = c
	}
	return nil
}

// isLoose reports a call that is not found by its id.
func (s *Session) isLoose(c *Call) bool { return s.shared && c.client == nil }

func (s *Session) leave(c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.entered && !s.isLoose(c) {
		delete(s.calls, c.callID())
	}
	delete(s.loose, c)
	delete(s.open, c)
	if c.standalone && c.client != nil && c.client.stream == c {
		c.client.stream = nil
		s.table.settle(c.client)
	}
}

// stayOpen enters a call that stays open behind Serve.
func (s *Session) stayOpen(c *Call) {
	s.mu.Lock()
	c.mu.Lock()
	if c.stayed { // not cancelled in the meantime, which would have taken it out before it is in
		s.open[c] = struct{}{}
	}
	c.mu.Unlock()
	closing := s.closing
	s.mu.Unlock()
	if closing {
		c.end()
	}
}

// cancelRequest ends the request of that id. An id that is unknown, finished or mistyped is
// ignored.
//
// basic/patterns/cancellation#behavior-requirements.
func (s *Session) cancelRequest(from *Call, id jsonrpc.ID, reason string) {
	s.mu.Lock()
	c := s.calls[callID{from.clientKey(), id}]
	s.mu.Unlock()
	if c == nil || c.MustServeFirst() {
		return
	}
	if reason != "" {
		s.logger.InfoContext(from, "request cancelled", "id", id.Text(), "reason", reason)
	}
	c.Cancel()
}
