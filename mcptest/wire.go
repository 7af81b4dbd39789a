package mcptest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// wire is a session of a server, joined to whoever takes its lines. Lines of one call come in their order.
type wire struct {
	session *mcp.Session
	serving sync.WaitGroup

	mu        sync.Mutex
	changed   *sync.Cond
	lines     func(line []byte) // takes every line that comes out, under mu; line is its own
	running   int               // calls in their handlers
	questions []jsonrpc.ID      // of the server, unanswered
	open      []*call           // subscriptions
	flushing  bool
}

// newWire connects to a server.
func newWire(server *mcp.Server, lines func(line []byte)) (*wire, error) {
	w := &wire{lines: lines}
	w.changed = sync.NewCond(&w.mu)
	// Nobody needs to be woken, because every use of the wire flushes; but without a waker nothing is pushed.
	session, err := server.Connect(mcp.ConnectOptions{Transport: "memory", Wake: func() {}})
	w.session = session
	return w, err
}

// call is the sink of one message.
type call struct {
	*mcp.Call
	wire *wire
}

// Notify passes on a message that belongs to the call.
func (c *call) Notify(message []byte) error {
	c.wire.out(slices.Clone(message))
	return nil
}

// Reply passes on the answer. One that breaks off is complete, and says so itself.
func (c *call) Reply(r *mcp.Reply) {
	text, _ := r.AppendTo(nil)
	c.wire.out(text)
}

// Wake is of no use: flush looks at every open subscription.
func (c *call) Wake() {}

// out takes a line of the server.
func (w *wire) out(line []byte) {
	kind, id := kindOf(line)
	w.mu.Lock()
	defer w.mu.Unlock()
	if kind == jsonrpc.Request {
		w.questions = append(w.questions, id)
	}
	w.lines(line)
	w.changed.Broadcast()
}

// in gives a line to the server and returns before it is served. The error is that of a line to which the
// server gives no answer.
func (w *wire) in(ctx context.Context, line []byte) error {
	if kind, id := kindOf(line); kind == jsonrpc.Response {
		w.mu.Lock()
		w.questions = slices.DeleteFunc(w.questions, func(q jsonrpc.ID) bool { return q == id })
		w.mu.Unlock()
	}
	sink := &call{wire: w}
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
	w.running++
	w.mu.Unlock()
	w.serving.Go(func() { w.serve(sink) })
	return nil
}

func (w *wire) serve(c *call) {
	open := false
	defer func() { // a handler may end its goroutine
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running--
		if open {
			w.open = append(w.open, c)
		}
		w.changed.Broadcast()
	}()
	open = c.Serve()
}

// settle waits until every call has been answered, or one of them waits for an answer itself, and flushes.
func (w *wire) settle() {
	w.mu.Lock()
	for w.running > 0 && len(w.questions) == 0 {
		w.changed.Wait()
	}
	w.mu.Unlock()
	w.flush()
}

// flush lets the server say what it has to say by itself.
func (w *wire) flush() {
	w.mu.Lock()
	for w.flushing {
		w.changed.Wait()
	}
	w.flushing = true
	open := slices.Clone(w.open)
	w.mu.Unlock()
	emit := func(message []byte) error {
		w.out(slices.Clone(message))
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
	if m.Decode(line, nil, jsonrpc.Limits{Depth: 1000, Bytes: 1 << 30}) != nil {
		return 0, jsonrpc.ID{}
	}
	return m.Kind, m.ID
}
