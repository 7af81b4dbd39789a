package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// ErrHeader is wrapped by the errors of [ReadMessage] that say what is wrong with a message's header.
var ErrHeader = errors.New("bad message header")

const (
	fieldLength = "content-length:"
	fieldType   = "content-type:"

	// maxHeader bounds the header before one message, in bytes.
	maxHeader = 8 << 10
)

// ReadMessage reads one message with a header, as the Language Server Protocol frames them: lines of "Name: value"
// with a Content-Length, an empty line, and that many bytes. Names are read in any case, lines may end in LF or CRLF,
// fields other than Content-Length are ignored, and so are blank lines before the header.
//
// It returns io.EOF at the end of r; io.ErrUnexpectedEOF when r ends inside the message; an error that wraps
// [ErrHeader] when the header has no valid Content-Length, is longer than 8 KiB, or announces more than max bytes; and
// r's own errors. After any error r is at no known place.
func ReadMessage(r *bufio.Reader, max int) ([]byte, error) {
	n, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if n > int64(max) {
		return nil, fmt.Errorf("%w: Content-Length is %d, at most %d bytes are taken", ErrHeader, n, max)
	}
	msg, err := readBody(r, nil, int(n))
	if err != nil {
		return nil, err
	}
	return msg, nil
}

// WriteMessage writes msg with a Content-Length header, with one Write.
func WriteMessage(w io.Writer, msg []byte) error {
	framed := appendWithHeader(make([]byte, 0, len(msg)+40), msg)
	n, err := w.Write(framed)
	if err == nil && n < len(framed) {
		err = io.ErrShortWrite
	}
	return err
}

func appendWithHeader(dst, msg []byte) []byte {
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(msg)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, msg...)
}

// readBody appends n bytes to dst. Memory grows with what has come, not with what was announced.
func readBody(r *bufio.Reader, dst []byte, n int) ([]byte, error) {
	for n > 0 {
		if _, err := r.Peek(1); err == io.EOF {
			return dst, io.ErrUnexpectedEOF
		} else if err != nil {
			return dst, err
		}
		part, _ := r.Peek(min(n, r.Buffered()))
		dst = append(dst, part...)
		r.Discard(len(part))
		n -= len(part)
	}
	return dst, nil
}

// readHeader reads up to and with the empty line, and returns the Content-Length.
func readHeader(r *bufio.Reader) (length int64, err error) {
	var h header
	for {
		line, err := readHeaderLine(r, maxHeader-h.read)
		switch {
		case err == io.EOF && (h.read > 0 || len(line) > 0):
			return 0, fmt.Errorf("%w: %w", ErrHeader, io.ErrUnexpectedEOF)
		case err != nil:
			return 0, err
		}
		if done, err := h.add(line); done || err != nil {
			return h.length, err
		}
	}
}

// readHeaderLine returns a line without its end, of at most most bytes.
func readHeaderLine(r *bufio.Reader, most int) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err == bufio.ErrBufferFull { // r's buffer may be smaller than a header may be
		whole := bytes.Clone(line)
		for err == bufio.ErrBufferFull && len(whole) <= most {
			line, err = r.ReadSlice('\n')
			whole = append(whole, line...)
		}
		line = whole
	}
	if len(line) > most {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrHeader, maxHeader)
	}
	if err != nil {
		return line, err
	}
	return bytes.TrimRight(line[:len(line)-1], "\r"), nil
}

// A header is what counts of the lines before a message.
type header struct {
	read   int // bytes
	length int64
	found  bool // a Content-Length was there
}

// add takes the next line and reports whether it was the last one.
func (h *header) add(line []byte) (done bool, err error) {
	if len(line) == 0 {
		if h.read > 0 && !h.found {
			return false, fmt.Errorf("%w: no Content-Length", ErrHeader)
		}
		return h.read > 0, nil
	}
	h.read += len(line) + 1
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || !isFieldName(name) {
		return false, fmt.Errorf("%w: expected \"Content-Length: <bytes>\", got %.40q", ErrHeader, line)
	}
	if len(name) != len(fieldLength)-1 || !isPrefixFold(fieldLength, name) {
		return false, nil
	}
	n, err := parseLength(bytes.Trim(value, " \t"))
	switch {
	case err != nil:
		return false, err
	case h.found && h.length != n:
		return false, fmt.Errorf("%w: Content-Length is given as %d and as %d", ErrHeader, h.length, n)
	}
	h.length, h.found = n, true
	return false, nil
}

// maxLength is what a Content-Length may say at most: far above any message, far below an overflow.
const maxLength = 1 << 50

func parseLength(digits []byte) (n int64, err error) {
	if len(digits) == 0 {
		return 0, fmt.Errorf("%w: Content-Length is empty", ErrHeader)
	}
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, fmt.Errorf("%w: Content-Length must be a number of bytes, got %.40q", ErrHeader, digits)
		}
		if n = n*10 + int64(d-'0'); n > maxLength {
			return 0, fmt.Errorf("%w: Content-Length %.40q is out of range", ErrHeader, digits)
		}
	}
	return n, nil
}

// isFieldName reports whether name is a token as RFC 9110 has it for header fields.
func isFieldName(name []byte) bool {
	for _, c := range name {
		alnum := c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !alnum && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(name) > 0
}

// isPrefixFold reports whether field, which is ASCII in lower case, begins with head in any case.
func isPrefixFold(field string, head []byte) bool {
	if len(head) > len(field) {
		return false
	}
	for i, c := range head {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != field[i] {
			return false
		}
	}
	return true
}
