package content

import (
	"errors"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

const (
	// chunkSize is the largest part that WriteTo hands to a writer.
	chunkSize = 32 << 10
	// leastRoom is the free space below which a chunk is handed on.
	leastRoom = 512
	// largestPart is the largest part of text that is handed to a writer as it is, without a chunk.
	largestPart = 256 << 10
)

// errUnheld says that a message turned out to be too large to be held.
var errUnheld = errors.New("the message is too large to be held")

// chunks keeps the buffers that messages are encoded into, to be written or held.
var chunks sync.Pool // of *[chunkSize]byte

// takeChunk returns an empty chunk.
func takeChunk() []byte {
	chunk, ok := chunks.Get().(*[chunkSize]byte)
	if !ok {
		chunk = new([chunkSize]byte)
	}
	return chunk[:0]
}

// giveChunk gives a chunk back, of which nothing is needed any more.
func giveChunk(chunk []byte) { chunks.Put((*[chunkSize]byte)(chunk[:chunkSize])) }

// output takes encoded bytes: all in one slice, or chunk by chunk, through a writer or to be held.
type output struct {
	buf   []byte
	start int       // buf[:start] was there before
	w     io.Writer // takes the chunks
	held  *held     // keeps the chunks; without it and w everything gathers in buf
	sent  int64     // bytes that w took
	err   error     // the first error of w, or errUnheld; nothing is written after it
}

// room returns how many bytes fit, after handing on a chunk that is nearly full.
func (o *output) room() int {
	if o.w == nil && o.held == nil {
		return math.MaxInt
	}
	if cap(o.buf)-len(o.buf) < leastRoom {
		o.flush()
	}
	return cap(o.buf) - len(o.buf)
}

// flush hands a chunk on, so that there is an empty one.
func (o *output) flush() {
	switch {
	case o.held != nil:
		o.keep()
	case o.w != nil && len(o.buf) > 0 && o.err == nil:
		o.write(o.buf)
		o.buf = o.buf[:0]
	}
}

// keep has the chunk held.
func (o *output) keep() {
	if len(o.buf) > 0 {
		o.held.add(o.buf)
	}
	if o.buf = o.held.room(); o.buf == nil {
		o.err = errUnheld
	}
}

func (o *output) write(part []byte) {
	n, err := o.w.Write(part)
	if err == nil && n < len(part) {
		err = io.ErrShortWrite
	}
	o.sent += int64(n)
	o.err = err
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
		o.buf = appendBase64(o.buf, rest[:n])
		rest = rest[n:]
	}
	return used
}

// shared hands on text that need not be copied.
func (o *output) shared(text []byte) {
	if o.w == nil {
		o.literal(text)
		return
	}
	o.flush()
	for part := range slices.Chunk(text, largestPart) {
		if o.err != nil {
			return
		}
		o.write(part)
	}
}

// escape encodes text that ends with a whole rune. valid says that it is known to be UTF-8.
func escape[T string | []byte](o *output, text T, valid bool) {
	valid = valid || jsonstring.Valid(text)
	for len(text) > 0 && o.err == nil {
		used := 0
		if !valid {
			used = cutRunes(text, o.room()/jsonstring.LongestEscape)
			o.buf = jsonstring.AppendEscaped(o.buf, text[:used])
		} else {
			if o.room() == math.MaxInt {
				o.buf = slices.Grow(o.buf, len(text)+jsonstring.LeastRoom)
			}
			o.buf, used = jsonstring.AppendSome(o.buf, text)
		}
		text = text[used:]
	}
}
