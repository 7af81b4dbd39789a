package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/bowline-go/mcp"
)

// maxDeferred is how many calls the reader serves on end before it writes their replies, though more input is there.
const maxDeferred = 64

// codeParse is JSON-RPC's code for input that is no message.
const codeParse = -32700

// A conn is one client: its streams, its session and its calls.
type conn struct {
	options Options
	session *mcp.Session
	ctx     context.Context // of all calls: ends when they are cancelled, not when the caller's does
	cancel  context.CancelFunc

	in       *input
	out      *output
	baton    baton         // who reads
	first    chan struct{} // closed once the call is served that must be before the next message; nil: there is none. The reader's
	slots    slots         // what runs and what waits
	pushes   pushes
	tasks    sync.Pool
	inputEnd chan error // takes the reader's last word: nil for the end of the input

	busy     atomic.Int64  // calls from admission to their end, and pushes under way
	stopping atomic.Bool   // nothing is admitted any more
	idle     chan struct{} // capacity 1: busy became zero while stopping
}

func newConn(ctx context.Context, server *mcp.Server, r io.Reader, w io.Writer, o Options) (*conn, error) {
	c := &conn{options: o, inputEnd: make(chan error, 1), idle: make(chan struct{}, 1)}
	var err error
	c.session, err = server.Connect(mcp.ConnectOptions{Transport: "stdio", Wake: c.wakeSession})
	if err != nil {
		return nil, err
	}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.out = newOutput(w)
	c.in = newInput(r, c.session.MaxMessageBytes(), func(f framing) { c.out.headers.Store(f == headers) })
	c.slots = slots{most: o.MaxConcurrent, room: o.QueueBytes}
	c.baton.init(c.takeOver)
	return c, nil
}

// growStack grows the goroutine's stack to what a call takes while next to nothing is on it. Growing on the way down to the
// first handler, which moves every frame, takes some 60 µs more of a start. at keeps the compiler from leaving room out.
//
//go:noinline
func growStack(at int) byte {
	var room [10 << 10]byte
	return room[at]
}

// takeOver makes the calling goroutine the reader, because the one before is busy for long: its call holds a slot from
// now on. A call that must be served first gets the grace period for that: it may be stuck for good.
func (c *conn) takeOver() {
	c.slots.occupy()
	if c.first != nil {
		event(c.first).within(max(c.options.Grace, moment))
		c.first = nil
	}
	c.read()
}

// read is the reader: it takes messages in order, and serves a call itself as long as that is quick. It returns when
// the input has ended or when another goroutine has become the reader.
func (c *conn) read() {
	t := c.newTask()
	deferred := maxDeferred // the reader before may have left replies unwritten
	for !c.stopping.Load() {
		if deferred > 0 && (deferred >= maxDeferred || !c.in.ready()) {
			deferred = 0
			if !c.write() {
				return
			}
		}
		c.out.waitForRoom()
		var err error
		if t.msg, err = c.in.next(t.msg[:0]); err != nil && !errors.As(err, new(*unframedError)) {
			c.inputEnd <- endOfInput(err)
			return
		}
		if err == nil && len(t.msg) == 0 && c.in.framing == lines {
			continue // a blank line
		}
		if !c.begin() {
			return
		}
		if t.call = c.admit(t, err); t.call == nil {
			t.clear()
			c.end()
			continue
		}
		deferred++
		if t.call.MustServeFirst() {
			c.first = make(chan struct{})
			t.first = c.first
		} else if state := c.slots.enqueue(t); state == slotQueued {
			t = c.newTask()
			continue
		} else if state == slotRefused {
			t.refusal = c.busyError()
		}
		if t = c.serveAsReader(t); t == nil {
			return
		}
		c.first = nil
	}
}

// admit returns the call that t's message makes, or nil. unframed is the input's complaint about bytes that are no
// message.
func (c *conn) admit(t *task, unframed error) *mcp.Call {
	if unframed != nil {
		return c.session.Refuse(&mcp.Error{Code: codeParse, Message: unframed.Error()}, t)
	}
	// What cannot be answered is dropped: JSON-RPC knows no reply to a malformed notification.
	call, _ := c.session.Admit(c.ctx, t.msg, t, nil)
	return call
}

func (c *conn) busyError() *mcp.Error {
	return c.session.Busy(fmt.Sprintf("%d calls run and the queue is full", c.options.MaxConcurrent), retryAfter)
}

// serveAsReader serves t on the reader's goroutine. It returns a task for the next message, or nil when the call took
// so long that another goroutine reads on.
func (c *conn) serveAsReader(t *task) *task {
	t.turn = c.baton.lend()
	turn := t.turn
	t = c.serve(t)
	if c.baton.takeBack(turn) {
		return t
	}
	c.tasks.Put(t)
	c.serveQueue()
	return nil
}

// write writes the deferred replies. It reports false when that took so long that another goroutine reads on.
func (c *conn) write() bool {
	if !c.out.waiting() {
		return true
	}
	turn := c.baton.lend()
	c.out.flush()
	if c.baton.takeBack(turn) {
		return true
	}
	c.serveQueue()
	return false
}

// serveQueue serves what waits until nothing does, and gives back the slot of the calling goroutine.
func (c *conn) serveQueue() {
	for t := c.slots.next(); t != nil; t = c.slots.next() {
		c.tasks.Put(c.serve(t))
	}
}

// serve runs t's call to its answer, or refuses it, and returns a task that may be used again, most often t.
func (c *conn) serve(t *task) *task {
	returned, first := false, t.first
	defer func() {
		if first != nil {
			close(first)
		}
		if !returned {
			c.replace(t)
		}
		c.end()
	}()
	open := false
	if t.refusal != nil {
		t.call.Refuse(t.refusal)
	} else {
		open = t.call.Serve()
	}
	returned = true
	if open {
		c.stayOpen(t)
		return c.newTask()
	}
	t.clear()
	return t
}

// replace has another goroutine do what this one would have done after t: a handler has ended it with runtime.Goexit.
func (c *conn) replace(t *task) {
	reads := t.turn != 0 && c.baton.takeBack(t.turn)
	go func() {
		if reads {
			c.read()
		} else {
			c.serveQueue()
		}
	}()
}

// begin counts one more call, unless the connection is ending.
func (c *conn) begin() bool {
	c.busy.Add(1)
	if !c.stopping.Load() {
		return true
	}
	c.end()
	return false
}

func (c *conn) end() {
	if c.busy.Add(-1) == 0 && c.stopping.Load() {
		select {
		case c.idle <- struct{}{}:
		default:
		}
	}
}
