package mcp

import (
	"errors"
	"io"
	"time"

	"github.com/bowline-go/mcp/content"
)

// Sink is where the messages of one call go. A transport implements it.
//
// For one call, Notify and Reply never run at the same time, and nothing follows Reply.
// Reply may never come: a cancelled call is void. Calls of one session use their sinks
// concurrently.
//
// A sink may have two more methods. CanAsk() bool reports whether the stream can carry a
// request to a legacy client; without it, it can. Reconnect(after time.Duration) closes a
// stream that can be resumed, for [Reconnect].
type Sink interface {
	// Notify sends one complete message that belongs to the call, before its reply. It has
	// no newline in it and is valid until Notify returns. An error means that the client
	// cannot be reached.
	Notify(message []byte) error
	// Reply sends the answer, which is valid until Reply returns.
	Reply(reply *Reply)
	// Wake says that [Call.Flush] has something to send: only for calls that stayed open.
	// It is called from any goroutine, must not block and must not call back.
	Wake()
}

// Reply is one answer. It is a value with more than its bytes, because a transport has a
// status to choose and a length to announce.
type Reply struct {
	// Err is the error that the answer carries, nil for a result.
	Err *Error
	// Refused reports that the library answered by itself, before a handler ran.
	Refused bool
	// SessionToken is what a legacy client of a shared session must send from now on; it
	// comes with the answer to its initialize.
	SessionToken string
	// RetryAfter is when the client may come again, above 0 if there was no room for it.
	RetryAfter time.Duration
	// Status is the status code that HTTP has for this answer.
	Status int

	// The message is the body, or head and shared, where shared is the rest that was
	// encoded once for many requests and is never written to.
	head, shared []byte
	body         content.Body
	breaksOff    bool // a source that fails leaves the message unfinished
}

// Size is the length of the whole message in bytes, or -1 when it is known only once it has
// been written.
func (r *Reply) Size() int {
	if r.shared != nil {
		return len(r.head) + len(r.shared)
	}
	return r.body.Size()
}

// AppendTo appends the whole message to dst, reading what is streamed to its end. After an
// error of a source the message is still complete JSON, and says so.
func (r *Reply) AppendTo(dst []byte) ([]byte, error) {
	if r.shared != nil {
		return append(append(dst, r.head...), r.shared...), nil
	}
	return r.body.AppendTo(dst)
}

// Unfinished reports that err, from WriteTo, left the client with a part of the message: that
// a source failed, and the connection is to be broken off, which is how HTTP says so.
func (r *Reply) Unfinished(err error) bool {
	_, source := errors.AsType[*content.SourceError](err)
	return source && r.breaksOff
}

// WriteTo writes the whole message, in parts when it is large or streamed, so that memory
// stays flat. An error is that of the writer or of a source. After an error of a source the
// message is still complete JSON and says so, unless it is Unfinished.
func (r *Reply) WriteTo(w io.Writer) (int64, error) {
	if r.shared == nil {
		return r.body.WriteTo(w)
	}
	var written int64
	for _, part := range [][]byte{r.head, r.shared} {
		n, err := w.Write(part)
		if written += int64(n); err != nil {
			return written, err
		}
	}
	return written, nil
}

// clear empties a reply that has not been sent, for another message.
func (r *Reply) clear() {
	r.body.Reset()
	r.head, r.shared, r.breaksOff = r.head[:0], nil, false
}
