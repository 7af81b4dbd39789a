package mcptest

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// wire is a session of a server, joined to whoever takes its lines. Lines of one call come in their order.
type wire struct {
	session *mcp.Session
	serving sync.WaitGroup
	report  *report

	mu       sync.Mutex
	changed  *sync.Cond
	lines    func(line []byte) // takes every line that comes out, under mu; line is its own
	running  []*call           // in their handlers
	open     []*call           // subscriptions
	flushing bool
}

// newWire connects to a server. What the server has to say to its operator goes to the log of the test.
func newWire(t testing.TB, server *mcp.Server, lines func(line []byte)) (*wire, error) {
	w := &wire{lines: lines, report: &report{t: t}}
	w.changed = sync.NewCond(&w.mu)
	// Nobody needs to be woken, because every use of the wire flushes; but without a waker nothing is pushed.
	session, err := server.Connect(mcp.ConnectOptions{Transport: "memory", Wake: func() {}, Logger: slog.New(w.report)})
	w.session = session
	return w, err
}

// call is the sink of one message.
type call struct {
	*mcp.Call
	wire *wire

	id      jsonrpc.ID   // zero: a batch, or what is no request
	asked   []jsonrpc.ID // its own questions, unanswered; guarded by wire.mu
	opening bool         // an acknowledged subscription, while it is running; guarded by wire.mu
}

// Notify passes on a message that belongs to the call.
func (c *call) Notify(message []byte) error {
	c.wire.out(c, slices.Clone(message))
	return nil
}

// Reply passes on the answer. One that breaks off is complete, and says so itself.
func (c *call) Reply(r *mcp.Reply) {
	text, _ := r.AppendTo(nil)
	c.wire.out(c, text)
}

// Wake is of no use: flush looks at every open subscription.
func (c *call) Wake() {}

// out takes a line of the server; c is nil for one that belongs to no call.
func (w *wire) out(c *call, line []byte) {
	kind, id := kindOf(line)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch kind {
	case jsonrpc.Request:
		if c != nil {
			c.asked = append(c.asked, id)
		}
	case jsonrpc.Notification:
		if withdrawn := cancelledBy(line); !withdrawn.IsZero() {
			w.settled(withdrawn)
		}
		if c != nil && acknowledges(line) {
			c.opening = true
		}
	}
	w.lines(line)
	w.changed.Broadcast()
}

// settled notes that a question needs no answer any more. mu is held.
func (w *wire) settled(question jsonrpc.ID) {
	for _, c := range w.running {
		c.asked = slices.DeleteFunc(c.asked, func(id jsonrpc.ID) bool { return id == question })
	}
}

// in gives a line to the server and returns before it is served. The error is that of a line to which the
// server gives no answer.
func (w *wire) in(ctx context.Context, line []byte) error {
	kind, id := kindOf(line)
	w.mu.Lock()
	switch kind {
	case jsonrpc.Response:
		w.settled(id)
	case jsonrpc.Notification:
		if cancelled := cancelledBy(line); !cancelled.IsZero() {
			for _, c := range w.running {
				if c.id == cancelled {
					c.asked = nil // it ends now, whatever it waits for
				}
			}
		}
	}
	w.mu.Unlock()
	sink := &call{wire: w}
	if kind == jsonrpc.Request {
		sink.id = id
	}
	// The end of ctx is told by the protocol, as over any other transport.
	admitted, refused := w.session.Admit(context.WithoutCancel(ctx), line, sink, nil)
	if admitted == nil {
		if refused != nil {
			return refused
		}
		return nil
	}
	sink.Call = admitted
	w.mu.Lock()
	w.running = append(w.running, sink)
	w.mu.Unlock()
	w.serving.Go(func() { w.serve(sink) })
	return nil
}

func (w *wire) serve(c *call) {
	open := false
	defer func() { // a handler may end its goroutine
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running = slices.DeleteFunc(w.running, func(other *call) bool { return other == c })
		if open {
			w.open = append(w.open, c)
		}
		w.changed.Broadcast()
	}()
	open = c.Serve()
}

// settle waits until every call has been answered or waits for an answer itself, and flushes.
func (w *wire) settle() {
	w.mu.Lock()
	for slices.ContainsFunc(w.running, func(c *call) bool { return len(c.asked) == 0 }) {
		w.changed.Wait()
	}
	w.mu.Unlock()
	w.flush()
}

// flush lets the server say what it has to say by itself. A subscription that its client knows of is among what is
// looked at: the acknowledgement goes out a moment before the call is open.
func (w *wire) flush() {
	w.mu.Lock()
	for w.flushing || slices.ContainsFunc(w.running, func(c *call) bool { return c.opening }) {
		w.changed.Wait()
	}
	w.flushing = true
	open := slices.Clone(w.open)
	w.mu.Unlock()
	emit := func(message []byte) error {
		w.out(nil, slices.Clone(message))
		return nil
	}
	_ = w.session.Flush(emit) // emit does not fail
	for _, c := range open {
		_ = c.Flush(emit)
	}
	w.mu.Lock()
	w.flushing = false
	w.changed.Broadcast()
	w.mu.Unlock()
}

// close ends the session and waits for its handlers; false: some do not end.
func (w *wire) close(patience time.Duration) bool {
	defer w.report.end()
	w.session.Close()
	w.flush()
	ended := make(chan struct{})
	go func() {
		w.serving.Wait()
		close(ended)
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-ended:
		return true
	case <-late.C:
		return false
	}
}

// kindOf looks at a line; the zero kind is no message.
func kindOf(line []byte) (jsonrpc.Kind, jsonrpc.ID) {
	var m jsonrpc.Message
	if m.Decode(line, nil, limits()) != nil {
		return 0, jsonrpc.ID{}
	}
	return m.Kind, m.ID
}

// cancelledBy is the request that a notification cancels; zero when it cancels none.
func cancelledBy(line []byte) jsonrpc.ID {
	var m jsonrpc.Message
	var p protocol.CancelledParams
	if m.Decode(line, nil, limits()) != nil || protocol.MethodNamed(m.Method) != protocol.MethodOf(protocol.Cancelled) {
		return jsonrpc.ID{}
	}
	if protocol.Decode(m.Params, &p) != nil {
		return jsonrpc.ID{}
	}
	return jsonrpc.IDFromText(string(p.RequestID))
}

// acknowledges reports whether a line is the acknowledgement of a subscription.
func acknowledges(line []byte) bool {
	var m jsonrpc.Message
	return m.Decode(line, nil, limits()) == nil && protocol.MethodNamed(m.Method) == protocol.MethodOf(protocol.SubscriptionsAcknowledged)
}

func limits() jsonrpc.Limits { return jsonrpc.Limits{Depth: 1000, Bytes: 1 << 30} }
