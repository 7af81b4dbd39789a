package content

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

const (
	// readSize is how much is read at a time: whole groups of three bytes.
	readSize = 12 << 10
	// mostIdleReads is how often a reader may return nothing before it counts as stuck.
	mostIdleReads = 100
)

// ErrTooLarge is the cause of a [SourceError] when a reader would carry a body
// past the limit that [Body.SetLimit] set.
var ErrTooLarge = errors.New("content is larger than the limit of the message")

// errPanicked stands for a panic, whose text is not for the peer.
var errPanicked = errors.New("the reader panicked")

// SourceError says that a reader in a body failed. An error of the writer is
// never a SourceError.
type SourceError struct {
	// Err is what the reader returned, or why it was given up.
	Err error
	// Panic is the value of a panic in the reader, for a log; nil: it did not panic.
	Panic any
}

// Error returns the text of the cause.
func (e *SourceError) Error() string { return "reading content: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *SourceError) Unwrap() error { return e.Err }

// form is how a source is written.
type form uint8

const (
	escapedText form = iota
	base64Data
	plainJSON // as it is
)

// source is a string of the message that is encoded while the body is written, or JSON text that stands elsewhere.
type source struct {
	at   int // it stands after text[:at]
	tail int // text[at:tail] closes its string and its block; no other source is in there

	form   form
	text   string    // plain text, by value
	data   []byte    // by value, or what was read ahead
	reader io.Reader // nil when there is none, or when it has ended
	err    error     // why the reader failed when it was read ahead
	size   int       // encoded size of text or data; 0: not computed
	valid  bool      // text and data are known to be UTF-8; set with size
}

// encodedSize is the number of bytes between the quotes, or -1 when it is not known.
func (s *source) encodedSize() int {
	switch {
	case s.reader != nil || s.err != nil:
		return -1
	case s.form == base64Data:
		return base64.StdEncoding.EncodedLen(len(s.data))
	case s.form == plainJSON:
		return len(s.data)
	case s.size == 0 && s.text != "":
		s.size, s.valid = jsonstring.EscapedLen(s.text)
	case s.size == 0:
		s.size, s.valid = jsonstring.EscapedLen(s.data)
	}
	return s.size
}

// leastSize is a lower bound of the encoded size, without a look at the text.
func (s *source) leastSize() int {
	if s.form == base64Data {
		return base64.StdEncoding.EncodedLen(len(s.data))
	}
	return len(s.text) + len(s.data)
}

// put encodes data and returns how much of it was used; the rest, at most three
// bytes, waits for its fellows unless it is the last.
func (s *source) put(o *output, data []byte, last bool) (used int) {
	switch used = len(data); {
	case s.form == base64Data:
		return o.base64(data, last)
	case s.form == plainJSON:
		o.shared(data)
		return used
	case !last:
		used = wholeRunes(data)
	}
	escape(o, data[:used], s.valid)
	return used
}

// stream encodes the whole source, reading through raw. The error is the source's own.
func (s *source) stream(o *output, raw []byte, guard *guard) error {
	if s.text != "" {
		escape(o, s.text, s.valid)
		return nil
	}
	used := s.put(o, s.data, s.reader == nil)
	kept := 0
	if s.reader != nil {
		kept = copy(raw, s.data[used:])
	}
	for s.reader != nil && o.err == nil {
		n, err := s.fill(raw[kept:], guard)
		if guard.limit > 0 && o.total()+int64(n) > int64(guard.limit) {
			s.close()
			return &SourceError{Err: ErrTooLarge}
		}
		used = s.put(o, raw[:kept+n], err != nil)
		kept = copy(raw, raw[used:kept+n])
		if err != nil && err != io.EOF {
			return err
		}
	}
	return s.err
}

// readAhead moves at most most bytes from the reader into data and returns how many.
func (s *source) readAhead(most int, raw []byte, guard *guard) (moved int, err error) {
	for s.reader != nil && moved < most {
		n, err := s.fill(raw[:min(len(raw), most-moved)], guard)
		s.data = append(s.data, raw[:n]...)
		moved += n
		if err != nil && err != io.EOF {
			s.err = err
			return moved, err
		}
	}
	return moved, nil
}

// fill reads until p is full or the reader ends, and closes a reader that has
// ended. The error is nil, io.EOF or a *SourceError.
func (s *source) fill(p []byte, guard *guard) (n int, err error) {
	for idle := 0; n < len(p) && err == nil; {
		if err = guard.check(); err != nil {
			break
		}
		var got int
		got, err = readOnce(s.reader, p[n:])
		n += got
		if idle++; got > 0 {
			idle = 0
		}
		if idle == mostIdleReads && err == nil {
			err = &SourceError{Err: io.ErrNoProgress}
		}
	}
	if err != nil {
		s.close()
	}
	return n, err
}

// close closes the reader, once.
func (s *source) close() {
	reader := s.reader
	s.reader = nil
	closeReader(reader)
}

// guard is what a body's owner allows its readers.
type guard struct {
	limit int          // bytes of the whole message; 0: any
	stop  func() error // asked before each read; nil: never stop
}

func (g *guard) check() error {
	if g.stop == nil {
		return nil
	}
	if err := g.stop(); err != nil {
		return &SourceError{Err: err}
	}
	return nil
}

// readOnce keeps a reader that misbehaves from taking the process with it.
func readOnce(r io.Reader, p []byte) (n int, err error) {
	defer func() {
		if value := recover(); value != nil {
			n, err = 0, &SourceError{Err: errPanicked, Panic: value}
		}
	}()
	n, err = r.Read(p)
	if n < 0 || n > len(p) {
		return 0, &SourceError{Err: fmt.Errorf("the reader returned %d bytes for room of %d", n, len(p))}
	}
	if err != nil && err != io.EOF {
		_ = err.Error() // a nil pointer as an error panics here, and not where nobody expects it
		err = &SourceError{Err: err}
	}
	return n, err
}

// closeReader closes r when it can be closed. What was read has been read, so a
// failure to close, even a panic, changes nothing.
func closeReader(r io.Reader) {
	if closer, ok := r.(io.Closer); ok {
		defer func() { _ = recover() }()
		_ = closer.Close()
	}
}
