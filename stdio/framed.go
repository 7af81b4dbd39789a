package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// nextFramed reads one message with a header.
func (in *input) nextFramed(dst []byte) ([]byte, error) {
	if err := in.resume(); err != nil {
		return dst, err
	}
	begin := len(dst)
	n, err := readHeader(in.r)
	switch {
	case err == nil && n > int64(in.most):
		in.skipBody = n
		return dst, in.tooLong()
	case err == nil:
		dst, err = readBody(in.r, dst, int(n))
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		in.over = true
		return dst[:begin], &unframedError{"the input ended inside a message: its Content-Length is longer than what came"}
	case errors.Is(err, ErrHeader):
		in.lost = true
		return dst[:begin], &unframedError{err.Error()}
	}
	return dst, err
}

// resume brings the stream to the next header.
func (in *input) resume() error {
	if in.over {
		return io.ErrUnexpectedEOF
	}
	for in.skipBody > 0 {
		n, err := in.r.Discard(int(min(in.skipBody, readBytes)))
		in.skipBody -= int64(n)
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
	}
	if in.lost {
		if err := findLength(in.r); err != nil {
			return err
		}
		in.lost = false
	}
	return nil
}

// findLength discards what comes before the next Content-Length that begins a line or follows the end of a JSON value.
// r's buffer must hold more than the name.
func findLength(r *bufio.Reader) error {
	before := byte('\n') // the byte before the window
	for {
		if _, err := r.Peek(len(fieldLength)); err != nil {
			r.Discard(r.Buffered())
			return err
		}
		window, _ := r.Peek(r.Buffered())
		last := len(window) - len(fieldLength)
		for i := 0; i <= last; i++ {
			if bytes.IndexByte([]byte("\n}]"), before) >= 0 && isPrefixFold(fieldLength, window[i:i+len(fieldLength)]) {
				r.Discard(i)
				return nil
			}
			before = window[i]
		}
		r.Discard(last + 1)
	}
}

// wholeMessage reports whether data begins with a message, or with what will turn out to be none.
func wholeMessage(data []byte) bool {
	var h header
	for h.read <= maxHeader {
		line, rest, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return false
		}
		done, err := h.add(bytes.TrimRight(line, "\r"))
		if done || err != nil {
			return err != nil || int64(len(rest)) >= h.length
		}
		data = rest
	}
	return true
}
