package mcphttp

import (
	"bytes"
	"errors"
	"net/http"
	"time"

	"github.com/bowline-go/mcp"
)

// openEvents makes the response an event stream, if it is not one yet. mu is held.
//
// basic/transports/streamable-http#receiving-messages: proxies are told not to buffer.
func (x *exchange) openEvents(status int) {
	if x.written {
		return
	}
	x.written, x.events = true, true
	header := x.w.Header()
	header["Content-Type"] = eventsHeader
	header["Cache-Control"] = noCache
	header["X-Accel-Buffering"] = noBuffering
	if x.mayHold() {
		header["Connection"] = closing
	}
	x.w.WriteHeader(status)
}

// writeEvent writes one event and flushes it. mu is held.
func (x *exchange) writeEvent(id string, message []byte) error {
	x.out = appendEvent(x.out[:0], id, message)
	x.writeOut(x.out)
	x.out = keep(x.out)
	return x.failed
}

// appendEvent appends one event. An id is "" for streams that cannot be resumed.
func appendEvent(dst []byte, id string, message []byte) []byte {
	dst = appendEventHead(dst, id)
	from := len(dst)
	dst = append(dst, message...)
	joinLines(dst[from:])
	return append(dst, "\n\n"...)
}

func appendEventHead(dst []byte, id string) []byte {
	if id != "" {
		dst = append(append(append(dst, "id: "...), id...), '\n')
	}
	return append(dst, "data: "...)
}

// joinLines makes one line of JSON text, in which line breaks are white space. They would end the event.
func joinLines(text []byte) {
	for _, end := range []byte{'\n', '\r'} {
		rest := text
		for at := bytes.IndexByte(rest, end); at >= 0; at = bytes.IndexByte(rest, end) {
			rest[at] = ' '
			rest = rest[at+1:]
		}
	}
}

// replyEvent writes the answer as the last event. mu is held.
func (x *exchange) replyEvent(reply *mcp.Reply) {
	status := x.begin(reply)
	x.openEvents(status)
	x.replied = true
	x.out = appendEventHead(x.out[:0], "")
	if size := reply.Size(); 0 <= size && size <= pooledBytes {
		from := len(x.out)
		x.out, _ = reply.AppendTo(x.out)
		joinLines(x.out[from:])
		x.writeOut(append(x.out, "\n\n"...))
		return
	}
	x.writeOut(x.out)
	body := bodyWriter{x: x, oneLine: true}
	if _, err := reply.WriteTo(&body); reply.Unfinished(err) {
		x.fail(err) // other errors of a source are none of ours: the message says so itself
	}
	x.writeOut(append(x.out[:0], "\n\n"...))
}

// writeOut writes and flushes, within the time that a write may take. mu is held.
func (x *exchange) writeOut(text []byte) {
	if x.failed != nil {
		return
	}
	x.extend()
	_, err := x.w.Write(text)
	if err == nil {
		err = x.controller().Flush()
	}
	if !errors.Is(err, http.ErrNotSupported) { // middleware that cannot flush delays events, and that is all
		x.fail(err)
	}
}

// isBounded reports that the connection bounds the time of a write by itself, as one of our own server does unless a deadline
// was set on it; what waits for the window of an HTTP/2 stream is no write of a connection. mu is held.
func (x *exchange) isBounded() bool {
	return x.front.bounded && (x.held.Load() != nil || x.deadline.IsZero() && x.r.ProtoMajor < 2)
}

// extend moves the deadline of writes away, when it has come near enough to matter. net/http takes it off when the response
// has ended. mu is held.
func (x *exchange) extend() {
	now := time.Now()
	most := x.front.options.WriteTimeout
	if x.deadline.Sub(now) > most/2 {
		return
	}
	x.deadline = now.Add(most)
	_ = x.controller().SetWriteDeadline(x.deadline) // where there are none, the server has to see to it
}

// bodyWriter writes parts of a large message as they come, each within the time that a write may take. The exchange's mu is
// held as long as it is used.
type bodyWriter struct {
	x       *exchange
	oneLine bool
}

// Write writes one part.
func (b *bodyWriter) Write(part []byte) (int, error) {
	x := b.x
	if x.failed != nil {
		return 0, x.failed
	}
	if b.oneLine && (bytes.IndexByte(part, '\n') >= 0 || bytes.IndexByte(part, '\r') >= 0) {
		part = bytes.Clone(part)
		joinLines(part)
	}
	if !x.isBounded() {
		x.extend()
	}
	n, err := x.w.Write(part)
	x.fail(err)
	return n, err
}
