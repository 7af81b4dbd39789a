package content

import (
	"encoding/base64"
	"io"
	"math"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

const (
	// chunkSize is the largest part that WriteTo hands to a writer.
	chunkSize = 32 << 10
	// leastRoom is the free space below which a chunk is handed on.
	leastRoom = 512
)

// output takes encoded bytes, either all in one slice or chunk by chunk through a writer.
type output struct {
	buf   []byte
	start int       // buf[:start] was there before
	w     io.Writer // nil: everything gathers in buf
	sent  int64     // bytes that w took
	err   error     // the first error of w; nothing is written after it
}

// room returns how many bytes fit, after handing on a chunk that is nearly full.
func (o *output) room() int {
	if o.w == nil {
		return math.MaxInt
	}
	if cap(o.buf)-len(o.buf) < leastRoom {
		o.flush()
	}
	return cap(o.buf) - len(o.buf)
}

func (o *output) flush() {
	if o.w == nil || len(o.buf) == 0 || o.err != nil {
		return
	}
	n, err := o.w.Write(o.buf)
	if err == nil && n < len(o.buf) {
		err = io.ErrShortWrite
	}
	o.sent += int64(n)
	o.err = err
	o.buf = o.buf[:0]
}

// total is how many bytes the message has so far.
func (o *output) total() int64 {
	return o.sent + int64(len(o.buf)-o.start)
}

func (o *output) literal(text []byte) {
	for len(text) > 0 && o.err == nil {
		n := min(len(text), o.room())
		o.buf = append(o.buf, text[:n]...)
		text = text[n:]
	}
}

// base64 encodes data and returns how much of it was used: all of it when it is
// the last, else whole groups of three.
func (o *output) base64(data []byte, last bool) (used int) {
	used = len(data)
	if !last {
		used -= used % 3
	}
	for rest := data[:used]; len(rest) > 0 && o.err == nil; {
		n := min(len(rest), o.room()/4*3)
		o.buf = base64.StdEncoding.AppendEncode(o.buf, rest[:n])
		rest = rest[n:]
	}
	return used
}

// escaped encodes text that ends with a whole rune.
func (o *output) escaped(text string) {
	for len(text) > 0 && o.err == nil {
		n := cutRunes(text, o.room()/jsonstring.LongestEscape)
		o.buf = jsonstring.AppendEscaped(o.buf, text[:n])
		text = text[n:]
	}
}

// escapedBytes is escaped for bytes.
func (o *output) escapedBytes(text []byte) {
	for len(text) > 0 && o.err == nil {
		n := cutRunes(text, o.room()/jsonstring.LongestEscape)
		o.buf = jsonstring.AppendEscapedBytes(o.buf, text[:n])
		text = text[n:]
	}
}
