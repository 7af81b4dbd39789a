package stdio

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp"
)

// spoolBytes is how much of a streamed reply is read before it takes the line.
const spoolBytes = 256 << 10

// stream sends a large reply of size bytes, or of unknown length when size is negative. A message with a header may
// have at most most bytes then: it must be whole before its length is known.
//
// A source that fails leaves a complete message; an output that fails tells the connection itself: so there is no error.
func (o *output) stream(r *mcp.Reply, size, most int) {
	if o.headers.Load() {
		o.sendWhole(r, max(size, most))
		return
	}
	s := &spool{out: o, most: spoolBytes, size: max(size, spoolBytes)}
	if size >= 0 {
		s.most = 0 // the bytes are there: the line need not wait for them
	}
	defer s.end() // whatever a source does: the line is not ours alone
	r.WriteTo(s)
}

// A spool is the writer for one streamed reply. It gathers up to most bytes; if there are more, it takes the line and
// writes in parts, while the other replies gather in the output.
type spool struct {
	out  *output
	most int
	size int // bytes to expect
	buf  []byte
	line bool  // the line is ours
	err  error // of the output
}

func (s *spool) Write(p []byte) (int, error) {
	if s.err == nil && !s.line && len(s.buf)+len(p) > s.most {
		s.takeLine()
	}
	written := len(p)
	for s.err == nil && len(p) > 0 {
		if s.line && len(s.buf) == 0 && len(p) >= keepBytes && bytes.IndexByte(p, '\n') < 0 {
			s.err = s.out.write(p)
			break
		}
		part := p
		if s.line {
			part = p[:min(len(p), keepBytes-len(s.buf))]
		}
		n := len(s.buf)
		s.buf = append(s.buf, part...)
		blankNewlines(s.buf[n:])
		p = p[len(part):]
		if s.line && len(s.buf) == keepBytes {
			s.flush()
		}
	}
	if s.err != nil {
		return 0, s.err
	}
	return written, nil
}

func (s *spool) takeLine() {
	if s.err = s.out.acquire(s.size); s.err != nil {
		return
	}
	s.line = true
	s.flush()
	if s.out.part == nil {
		s.out.part = make([]byte, 0, keepBytes)
	}
	s.buf = s.out.part
}

func (s *spool) flush() {
	if s.err == nil && len(s.buf) > 0 {
		s.err = s.out.write(s.buf)
	}
	s.buf = s.buf[:0]
}

// end sends what is left.
func (s *spool) end() {
	switch {
	case s.line:
		s.buf = append(s.buf, '\n')
		s.flush()
		s.out.release(s.err)
	case s.err == nil && len(s.buf) > 0 && s.out.put(s.buf) == nil:
		s.out.flush()
	}
}

// sendWhole sends a reply whose length must be known before its first byte.
func (o *output) sendWhole(r *mcp.Reply, most int) {
	b := &bounded{most: most}
	if _, err := r.WriteTo(b); errors.Is(err, errTooLong) {
		b.buf = tooLongReply(b.buf, most)
	}
	if len(b.buf) > 0 && o.put(b.buf) == nil {
		o.flush()
	}
}

var errTooLong = errors.New("message too long")

// A bounded keeps up to most bytes.
type bounded struct {
	buf  []byte
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.buf)+len(p) > b.most {
		return 0, errTooLong
	}
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// tooLongReply turns the beginning of an encoded result into an error with its id. The id stands before the result, and
// the text of no id can hold that name with its quotes.
func tooLongReply(begin []byte, most int) []byte {
	i := bytes.Index(begin, []byte(`,"result":`))
	if i < 0 {
		return nil
	}
	return fmt.Appendf(begin[:i], `,"error":{"code":%d,"message":"the result is longer than %d bytes, the most that is buffered to find its Content-Length"}}`,
		mcp.CodeInternalError, most)
}
