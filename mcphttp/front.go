package mcphttp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/bowline-go/mcp"
)

// front is what the handlers of this package have in common: the gates, the exchanges, and how they end.
type front struct {
	options  Options
	guard    guard
	session  *mcp.Session // of all clients of Streamable HTTP; an SSE handler only refuses through it
	maxBytes int
	bounded  bool         // the connections bound the time of a write by themselves
	held     *heldStreams // nil: streams stay with net/http

	exchanges sync.Pool
	requests  atomic.Int64 // that count against MaxRequests
	active    atomic.Int64 // exchanges, open streams included, and calls on goroutines of their own
	draining  atomic.Bool
	idle      chan struct{} // capacity 1: active became zero while draining
}

func newFront(server *mcp.Server, o *Options) (*front, error) {
	if server == nil {
		return nil, errors.New("mcphttp: the server is nil; make one with mcp.NewServer")
	}
	f := &front{options: o.withDefaults(), idle: make(chan struct{}, 1)}
	var err error
	if f.guard, err = newGuard(&f.options); err != nil {
		return nil, err
	}
	if f.session, err = server.Connect(mcp.ConnectOptions{Transport: "http", Shared: true}); err != nil {
		return nil, err
	}
	f.maxBytes = f.session.MaxMessageBytes()
	return f, nil
}

// begin takes an exchange for a request.
func (f *front) begin(w http.ResponseWriter, r *http.Request) *exchange {
	f.active.Add(1)
	x, ok := f.exchanges.Get().(*exchange)
	if !ok {
		x = newExchange(f)
	}
	x.w, x.r, x.ctx = w, r, r.Context()
	return x
}

// end gives an exchange back. Nothing of the request is touched after it. One whose stream is held ends later.
func (f *front) end(x *exchange) {
	if x.rest != nil {
		go x.runHeld()
		return
	}
	x.endContext()
	f.uncount(x)
	if x.reset() {
		f.exchanges.Put(x)
	}
	f.leave()
}

// leave ends what active counts.
func (f *front) leave() {
	if f.active.Add(-1) == 0 && f.draining.Load() {
		signal(f.idle)
	}
}

// uncount takes x out of the requests that count against MaxRequests.
func (f *front) uncount(x *exchange) {
	if x.counted {
		x.counted = false
		f.requests.Add(-1)
	}
}

// wait returns when no exchange is active, or with the error of ctx.
func (f *front) wait(ctx context.Context) error {
	for {
		active := f.active.Load()
		if active == 0 {
			signal(f.idle) // for whoever else waits
			return nil
		}
		select {
		case <-f.idle:
		case <-ctx.Done():
			return fmt.Errorf("mcphttp: %d requests were still running: %w", active, ctx.Err())
		}
	}
}

func (f *front) tooLarge() refusal {
	return refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes, the most that is taken", f.maxBytes)}
}
