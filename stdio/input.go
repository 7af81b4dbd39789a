package stdio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// readBytes is the size of the read buffer: what one system call can bring.
const readBytes = 64 << 10

// A framing is how messages are told apart on a stream.
type framing int

const (
	unknown framing = iota
	lines
	headers
)

// An unframedError is input that is no message; the stream goes on behind it. Its text is meant for the client.
type unframedError struct{ text string }

func (e *unframedError) Error() string { return e.text }

// An input takes a client's stream apart. It keeps at most one message and readBytes in memory.
type input struct {
	r       *bufio.Reader
	most    int // bytes a message may have
	framing framing
	chosen  func(framing) // is told once

	skipLine bool  // the rest of a line that was too long comes first
	skipBody int64 // so many bytes of a message that was too long come first
	lost     bool  // a header was bad: the next one must be searched for
	over     bool  // the stream has ended inside a message
}

func newInput(r io.Reader, most int, chosen func(framing)) *input {
	return &input{r: bufio.NewReaderSize(r, readBytes), most: most, chosen: chosen}
}

// ready reports whether next will not have to wait for the client. It may err to the other side.
func (in *input) ready() bool {
	if in.skipLine || in.skipBody > 0 || in.lost || in.over {
		return false
	}
	buffered, _ := in.r.Peek(in.r.Buffered())
	switch in.framing {
	case lines:
		return bytes.IndexByte(buffered, '\n') >= 0
	case headers:
		return wholeMessage(buffered)
	}
	return false
}

// next appends the next message to dst. An empty one stands for a blank line. It returns an *unframedError for bytes
// that are no message, io.EOF at the end of the stream, and the stream's own error otherwise.
func (in *input) next(dst []byte) ([]byte, error) {
	if in.framing == unknown {
		in.framing = detect(in.r)
		in.chosen(in.framing)
	}
	if in.framing == headers {
		return in.nextFramed(dst)
	}
	return in.nextLine(dst)
}

// detect looks at the beginning of the first line that is not blank. No JSON begins with the letters in question, so
// it never waits for more than a client of lines has sent.
func detect(r *bufio.Reader) framing {
	for n := 1; ; n++ {
		head, err := r.Peek(n)
		if err != nil {
			return lines
		}
		last := head[n-1]
		switch {
		case last == '\n' && len(bytes.TrimLeft(head, "\r")) == 1:
			r.Discard(n)
			n = 0
		case last == '\r' && n < 64 && len(bytes.TrimLeft(head, "\r")) == 0:
			// A blank line, perhaps.
		case !isPrefixFold(fieldLength, head) && !isPrefixFold(fieldType, head):
			return lines
		case last == ':':
			return headers
		}
	}
}

// nextLine reads one line. Carriage returns before its end are not part of it.
func (in *input) nextLine(dst []byte) ([]byte, error) {
	if in.skipLine {
		if err := discardLine(in.r); err != nil {
			return dst, err
		}
		in.skipLine = false
	}
	begin := len(dst)
	for {
		part, err := in.r.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		dst = append(dst, part...)
		line := bytes.TrimRight(dst[begin:], "\r")
		if len(line) > in.most || len(dst)-begin > in.most+readBytes {
			in.skipLine = err == bufio.ErrBufferFull
			return dst[:begin], in.tooLong()
		}
		switch {
		case err == nil, err == io.EOF && len(line) > 0: // the last line needs no newline
			return dst[:begin+len(line)], nil
		case err != bufio.ErrBufferFull:
			return dst[:begin], err
		}
	}
}

func (in *input) tooLong() error {
	return &unframedError{fmt.Sprintf("message exceeds %d bytes", in.most)}
}

// discardLine reads up to and with the next newline.
func discardLine(r *bufio.Reader) error {
	for {
		if _, err := r.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}
