package stdio

import (
	"context"
	"io"
	"time"

	"github.com/bowline-go/mcp"
)

const (
	defaultMaxConcurrent = 128
	defaultQueueBytes    = 4 << 20
	defaultGrace         = 2 * time.Second
)

// Options tune one connection. The zero value, and nil, are right for nearly everybody.
type Options struct {
	// MaxConcurrent is how many calls run at a time; calls that come while all are taken wait in a queue.
	// Open subscriptions do not count. Zero or less: 128.
	MaxConcurrent int
	// QueueBytes bounds the messages that wait for a free slot, in bytes. A call that does not fit is answered
	// with -32603 and data.retryAfterMs. Zero or less: 4 MiB.
	QueueBytes int
	// Grace is how long running calls may go on after the input has ended or the context is done, before they
	// are cancelled. Zero: 2 s; negative: not at all.
	Grace time.Duration
}

// withDefaults returns a copy of o in which every field is set; o may be nil.
func (o *Options) withDefaults() Options {
	var r Options
	if o != nil {
		r = *o
	}
	if r.MaxConcurrent <= 0 {
		r.MaxConcurrent = defaultMaxConcurrent
	}
	if r.QueueBytes <= 0 {
		r.QueueBytes = defaultQueueBytes
	}
	if r.Grace == 0 {
		r.Grace = defaultGrace
	}
	return r
}

// Serve serves the process's standard input and output until the input ends or ctx is done.
//
// Standard output carries protocol messages only: for the time of Serve whatever else the process writes there (a
// stray fmt.Println, a child process) goes to standard error. On Unix that holds for file descriptor 1 itself,
// elsewhere for os.Stdout. A client that goes away is an error of Serve and not the end of the process: SIGPIPE is
// held off while Serve runs, so a handler that logs to a closed standard error sees an error, too.
//
// The errors are those of [ServeStream]. A read of standard input that waits when ctx ends cannot be interrupted; its
// goroutine stays until the process exits or input comes, which it discards.
func Serve(ctx context.Context, server *mcp.Server, o *Options) error {
	in, out, restore, err := takeStandardStreams()
	if err != nil {
		return err
	}
	defer restore()
	return ServeStream(ctx, server, in, out, o)
}

// ServeConn serves one connection, for example of a Unix socket, and closes it at the end. An error of closing is not
// reported. Otherwise it is [ServeStream].
func ServeConn(ctx context.Context, server *mcp.Server, conn io.ReadWriteCloser, o *Options) error {
	defer conn.Close()
	return ServeStream(ctx, server, conn, conn, o)
}

// ServeStream serves messages from r and answers on w until r ends, ctx is done or w fails. It serves one client; any
// number of connections may be served at a time with one server.
//
// Messages are lines, unless the first line that is not blank begins with "Content-Length:" or "Content-Type:", in any
// case: then both directions carry a header before each message.
//
// At the end of r, or when ctx is done, the running calls go on for Options.Grace and their replies are written; then
// they are cancelled. A client that has ended its input but still reads gets all that is left, however long that takes;
// one that takes nothing for half a second, or a ctx that is done, ends that. The result is nil, unless
//   - the server's registrations are wrong (the error of Server.Connect; nothing was read),
//   - reading failed, or ended inside a message with a header ([io.ErrUnexpectedEOF]),
//   - writing failed: the calls are cancelled at once,
//   - calls did not end or replies were not taken in time: their goroutines are left behind.
//
// ServeStream does not close r or w. A read that waits when ctx ends or writing fails is left behind; what it then gets
// is discarded.
func ServeStream(ctx context.Context, server *mcp.Server, r io.Reader, w io.Writer, o *Options) error {
	c, err := newConn(ctx, server, r, w, o.withDefaults())
	if err != nil {
		return err
	}
	go func() {
		growStack(0)
		c.read()
	}()
	select {
	case err = <-c.inputEnd:
		return c.finish(err, ctx.Done())
	case <-ctx.Done():
	case <-c.out.broken:
	}
	return c.finish(nil, nil)
}
