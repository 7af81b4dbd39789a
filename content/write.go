package content

import (
	"errors"
	"io"
	"slices"
)

// Size is the length of the encoded message in bytes, or -1 while a reader that
// has not been read to its end is in it.
func (b *Body) Size() int {
	switch {
	case b.spent:
		return -1
	case b.hold():
		return b.held.size
	}
	total := len(b.text)
	for i := range b.sources {
		size := b.sources[i].encodedSize()
		if size < 0 {
			return -1
		}
		total += size
	}
	return total
}

// Streams reports whether a reader is in the body.
func (b *Body) Streams() bool {
	for i := range b.sources {
		if b.sources[i].reader != nil {
			return true
		}
	}
	return false
}

// Prime reads the first 12 KiB of the readers. Its error, a [*SourceError], comes
// before anything is written, so that the owner can answer with something else.
func (b *Body) Prime() error { return b.ReadAhead(readSize) }

// ReadAhead reads the readers in their order until all have ended or most bytes
// are held in memory. When all have ended, Size is known. Its error, a
// [*SourceError], comes before anything is written; a body that is written
// all the same ends with the failure end.
func (b *Body) ReadAhead(most int) error {
	for i := range b.sources {
		s := &b.sources[i]
		if s.err != nil {
			return s.err
		}
		if s.reader == nil {
			continue
		}
		moved, err := s.readAhead(most, b.readBuffer(), &b.guard)
		if err != nil {
			return err
		}
		most -= moved
	}
	return nil
}

func (b *Body) readBuffer() []byte {
	if b.raw == nil {
		b.raw = make([]byte, readSize)
	}
	return b.raw
}

// AppendTo appends the whole message to dst and closes the readers. When a reader
// fails, the error is a [*SourceError], and what was appended is the message with
// its failure end; without one, nothing is appended.
func (b *Body) AppendTo(dst []byte) ([]byte, error) {
	if b.spent {
		return dst, errSpent
	}
	if len(b.sources) == 0 {
		return append(dst, b.text...), nil
	}
	if b.holds() {
		dst = slices.Grow(dst, b.held.size)
		for _, part := range b.held.parts {
			dst = append(dst, part...)
		}
		return dst, nil
	}
	least := len(b.text)
	for i := range b.sources {
		least += b.sources[i].leastSize()
	}
	dst = slices.Grow(dst, least)
	out := output{buf: dst, start: len(dst)}
	if err := b.produce(&out); err != nil {
		if b.failureEnd == nil {
			return dst, err
		}
		return out.buf, err
	}
	return out.buf, nil
}

// WriteTo writes the whole message in parts of at most 32 KiB, or 256 KiB where
// that needs no copy, and closes the readers. It stops at the first error of w and returns it. A [*SourceError] says
// that a reader failed: the message that was written is then complete if there
// is a failure end, and broken off if there is none.
func (b *Body) WriteTo(w io.Writer) (int64, error) {
	if b.spent {
		return 0, errSpent
	}
	out := output{w: w}
	if len(b.sources) == 0 {
		for part := range slices.Chunk(b.text, chunkSize) {
			out.buf = part
			out.flush()
		}
		return out.sent, out.err
	}
	if b.holds() {
		for _, part := range b.held.parts {
			out.buf = part
			out.flush()
		}
		return out.sent, out.err
	}
	chunk := takeChunk()
	defer giveChunk(chunk)
	out.buf = chunk
	err := b.produce(&out)
	out.flush()
	if out.err != nil {
		return out.sent, out.err
	}
	return out.sent, err
}

// errEnded stands for a reader that has ended its goroutine.
var errEnded = errors.New("the reader ended without an error")

// produce encodes the message; its error is that of a source. When a reader ends the goroutine,
// with runtime.Goexit, the message is still ended well.
func (b *Body) produce(out *output) error {
	defer b.Close()
	var inHand *source // the one that is read
	defer func() {
		if inHand != nil {
			b.breakOff(out, inHand, &SourceError{Err: errEnded})
			out.flush()
		}
	}()
	from := 0
	for i := range b.sources {
		s := &b.sources[i]
		out.literal(b.text[from:s.at])
		from = s.at
		if s.reader != nil {
			b.spent = true
			b.readBuffer()
		}
		inHand = s
		err := s.stream(out, b.raw, &b.guard)
		inHand = nil
		if err != nil {
			b.breakOff(out, s, err)
		}
		if err != nil || out.err != nil {
			return err
		}
	}
	out.literal(b.text[from:])
	return nil
}

// breakOff ends a message whose source has failed.
func (b *Body) breakOff(out *output, s *source, err error) {
	if b.failureEnd != nil {
		out.literal(b.text[s.at:s.tail])
		out.literal(b.failureEnd(nil, err))
	}
}
