package mcphttp

import (
	"net/http"
	"strconv"
	"time"

	"github.com/bowline-go/mcp"
)

// Values of headers. Nothing writes to them.
var (
	jsonHeader   = []string{typeJSON}
	eventsHeader = []string{typeEvents}
	noCache      = []string{"no-cache"}
	noBuffering  = []string{"no"}
	closing      = []string{"close"}
)

// ownLength is the size from which a reply announces its length; of smaller ones net/http does.
const ownLength = 2 << 10

// Notify sends a message that belongs to the call as an event, and so makes the response an event stream. A client that takes
// only JSON does not hear of it.
func (x *exchange) Notify(message []byte) error {
	if x.stream != nil {
		return x.stream.Notify(message)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case !x.accept.events || x.replied:
		return nil
	case x.gone():
		return x.ctx.Err()
	}
	x.openEvents(http.StatusOK)
	return x.writeEvent("", message)
}

// Reply sends the answer: as an event if the stream is open or the client takes nothing else, else as a JSON object.
func (x *exchange) Reply(reply *mcp.Reply) {
	if x.stream != nil {
		x.stream.Reply(reply)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answer(reply)
}

// answer is Reply for an exchange of its own. mu is held.
func (x *exchange) answer(reply *mcp.Reply) {
	switch {
	case x.gone() || x.failed != nil:
	case x.events || !x.accept.json:
		x.replyEvent(reply)
	default:
		x.replyJSON(reply)
	}
}

// begin sets the headers and the status of a response that carries the reply. mu is held.
func (x *exchange) begin(reply *mcp.Reply) (status int) {
	header := x.w.Header()
	if reply.SessionToken != "" {
		header["Mcp-Session-Id"] = []string{reply.SessionToken}
	}
	if reply.RetryAfter > 0 {
		seconds := (reply.RetryAfter + time.Second - 1) / time.Second
		header["Retry-After"] = []string{strconv.Itoa(int(seconds))}
	}
	if x.status != 0 {
		return x.status
	}
	return reply.Status
}

// replyJSON writes the whole reply as the body. mu is held.
//
// What net/http would not buffer is written from where it stands: the copy of a list of 100 tools would be a twentieth of
// the CPU time of its request.
func (x *exchange) replyJSON(reply *mcp.Reply) {
	status := x.begin(reply)
	x.written, x.replied = true, true
	header := x.w.Header()
	header["Content-Type"] = jsonHeader
	size := reply.Size()
	if size >= ownLength {
		header["Content-Length"] = []string{strconv.Itoa(size)}
	}
	x.w.WriteHeader(status)
	if size < 0 || size >= ownLength {
		// Other errors of a source are none of ours: the message says so itself.
		if _, err := reply.WriteTo(&bodyWriter{x: x}); reply.Unfinished(err) {
			x.fail(err)
		}
		return
	}
	var err error
	if x.out, err = reply.AppendTo(x.out[:0]); err == nil {
		_, err = x.w.Write(x.out)
	}
	x.fail(err)
}

// fail notes the first write that failed; nothing is written after it, and a stream that is open ends. mu is held.
func (x *exchange) fail(err error) {
	if x.failed == nil && err != nil {
		x.failed = err
		x.Wake()
	}
}
