package stdio

import (
	"github.com/bowline-go/mcp"
)

// keepBytes is the capacity above which a buffer is left to the garbage collector.
const keepBytes = 64 << 10

// A task is one message on its way through the connection, and the sink of its call.
type task struct {
	c     *conn
	call  *mcp.Call
	msg   []byte // the message; must not change until Serve has returned
	reply []byte // scratch

	turn    uint64        // the reader's turn in which it is served; 0 when it never was
	first   chan struct{} // is closed when it has been served; nil: nobody waits for that
	refusal *mcp.Error    // what it is answered instead of being served

	// Of a subscription, guarded by pushes.mu.
	open  bool // its Serve has returned
	woken bool // it has something to push
}

func (c *conn) newTask() *task {
	if t, _ := c.tasks.Get().(*task); t != nil {
		return t
	}
	return &task{c: c}
}

// size is what t costs while it waits, in bytes.
func (t *task) size() int { return cap(t.msg) + 512 }

// clear prepares t for another message.
func (t *task) clear() {
	t.call, t.turn, t.first, t.refusal = nil, 0, nil, nil
	if cap(t.msg) > keepBytes {
		t.msg = nil
	}
	if cap(t.reply) > keepBytes {
		t.reply = nil
	}
}

// Notify implements mcp.Sink.
func (t *task) Notify(msg []byte) error {
	if err := t.c.out.put(msg); err != nil {
		return err
	}
	return t.sent()
}

// Reply implements mcp.Sink.
func (t *task) Reply(r *mcp.Reply) {
	if n := r.Size(); n < 0 || n > keepBytes {
		t.c.out.stream(r, n, t.c.in.most)
		return
	}
	t.reply, _ = r.AppendTo(t.reply[:0]) // complete even when a source has failed
	if t.c.out.put(t.reply) == nil {
		t.sent()
	}
}

// Wake implements mcp.Sink.
func (t *task) Wake() { t.c.wake(t) }

// sent writes what was put, unless the reader serves this call and will do so in a moment. Should it take longer, then
// the next reader does. It looks after the message was put, the next reader writes after it took over: one of the two
// sees the message.
func (t *task) sent() error {
	if t.c.baton.lent(t.turn) {
		return nil
	}
	return t.c.out.flush()
}
