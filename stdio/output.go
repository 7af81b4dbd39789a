package stdio

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

const (
	// writeBytes is how much gathers before it is written though the reader would defer it.
	writeBytes = 32 << 10
	// maxPending is how much may gather while the client does not read; then whoever has more to send waits. As much
	// again may be on its way.
	maxPending = 8 << 20
)

// An output is the one way to the client. Messages are appended to pending; whoever finds nobody writing writes until
// nothing is pending, so that what comes in the meantime shares one system call. Order is that of put.
type output struct {
	dst     io.Writer
	headers atomic.Bool  // messages carry a header
	taken   atomic.Int64 // bytes that the client took, since somebody looked

	mu      sync.Mutex
	changed sync.Cond // held, pending or err has changed for the better; for those who wait
	waiters int
	pending []byte // whole messages
	large   int    // bytes of the replies that wait for the line
	spare   []byte // the buffer that was written last
	part    []byte // gathers a streamed message; belongs to who holds the line
	held    bool   // a goroutine writes: the line is its own
	err     error  // the first failure; for good
	broken  chan struct{}
}

func newOutput(w io.Writer) *output {
	o := &output{dst: w, broken: make(chan struct{})}
	o.changed.L = &o.mu
	return o
}

// put appends one message, with its framing. It waits while the client does not read and too much is pending.
func (o *output) put(msg []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > maxPending && o.err == nil {
		if o.held {
			o.wait()
		} else {
			o.drain()
		}
	}
	if o.err != nil {
		return o.err
	}
	o.pending = o.appendFramed(o.pending, msg)
	if len(o.pending) > writeBytes && !o.held {
		o.drain()
	}
	return o.err
}

// flush writes what is pending unless somebody does already. Its error is that of the output, not of a message.
func (o *output) flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.held {
		o.drain()
	}
	return o.err
}

// waiting reports whether a message is pending.
func (o *output) waiting() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending) > 0
}

// waitForRoom waits until a message may be put.
func (o *output) waitForRoom() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.held && len(o.pending)+o.large > maxPending && o.err == nil {
		o.wait()
	}
}

// settle waits until everything is written, or nothing will be.
func (o *output) settle() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.held {
		o.wait()
	}
	o.drain()
}

func (o *output) failed() bool { return o.failure() != nil }

func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// wait needs mu.
func (o *output) wait() {
	o.waiters++
	o.changed.Wait()
	o.waiters--
}

// acquire takes the line for the caller, who writes some size bytes to dst himself until release. Everything put before
// is written.
func (o *output) acquire(size int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.large += size
	defer func() { o.large -= size }()
	for o.held && o.err == nil {
		o.wait()
	}
	if o.err == nil {
		o.held = true
		o.writePending()
	}
	if o.err != nil {
		o.drain()
	}
	return o.err
}

// release gives the line back after acquire has succeeded; err is the failure of the caller's writing.
func (o *output) release(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.fail(err)
	}
	o.drain()
}

// drain writes until nothing is pending. It needs mu, which it gives up while it writes, and that nobody else writes.
func (o *output) drain() {
	o.held = true
	o.writePending()
	o.held = false
	if o.waiters > 0 {
		o.changed.Broadcast()
	}
}

// writePending needs mu and the line.
func (o *output) writePending() {
	for len(o.pending) > 0 && o.err == nil {
		buf := o.pending
		o.pending, o.spare = o.spare[:0], nil
		o.mu.Unlock()
		err := o.write(buf)
		o.mu.Lock()
		if err != nil {
			o.fail(err)
		}
		if cap(buf) <= keepBytes {
			o.spare = buf[:0]
		}
		if o.waiters > 0 {
			o.changed.Broadcast()
		}
	}
}

// write needs the line. It writes in parts, so that one can see whether the client takes them.
func (o *output) write(p []byte) error {
	for len(p) > 0 {
		part := p[:min(len(p), keepBytes)]
		n, err := o.dst.Write(part)
		if err == nil && n < len(part) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return err
		}
		o.taken.Add(int64(n))
		p = p[n:]
	}
	return nil
}

// fail needs mu.
func (o *output) fail(err error) {
	if o.err == nil {
		o.err = err
		o.pending = nil
		close(o.broken)
	}
}

// appendFramed appends msg as it goes over the line.
func (o *output) appendFramed(dst, msg []byte) []byte {
	if o.headers.Load() {
		return appendWithHeader(dst, msg)
	}
	n := len(dst)
	dst = append(dst, msg...)
	blankNewlines(dst[n:])
	return append(dst, '\n')
}

// basic/transports/stdio: messages MUST NOT contain embedded newlines. In JSON a raw one can only be white space,
// so a blank means the same.
func blankNewlines(msg []byte) {
	for {
		i := bytes.IndexByte(msg, '\n')
		if i < 0 {
			return
		}
		msg[i] = ' '
		msg = msg[i+1:]
	}
}
