package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// A conn is a minimal HTTP/1.1 client connection.
type conn struct {
	net.Conn
	out        []byte
	buf        []byte // received and not yet taken: buf[start:end]
	start, end int
	body       []byte
	answer     answer
}

// An answer is valid until the next one on its connection.
type answer struct {
	status  int
	events  bool // an event stream
	close   bool // the connection ends with it
	session string
	body    []byte
}

func dial(addr string) (*conn, error) {
	c, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		return nil, err
	}
	return newConn(c), nil
}

func newConn(c net.Conn) *conn { return &conn{Conn: c, buf: make([]byte, 4<<10)} }

func (c *conn) exchange(header, body []byte) (*answer, error) {
	if err := c.post(header, body); err != nil {
		return nil, err
	}
	return c.read()
}

func (c *conn) post(header, body []byte) error {
	c.out = append(c.out[:0], header...)
	c.out = strconv.AppendInt(c.out, int64(len(body)), 10)
	c.out = append(c.out, "\r\n\r\n"...)
	c.out = append(c.out, body...)
	_, err := c.Write(c.out)
	return err
}

// read reads one whole answer.
func (c *conn) read() (*answer, error) {
	length, chunked, err := c.readHead()
	if err != nil {
		return nil, err
	}
	switch {
	case chunked:
		for n := 1; n > 0; {
			if n, err = c.chunk(); err != nil {
				return nil, err
			}
		}
	case length >= 0:
		if err := c.take(length); err != nil {
			return nil, err
		}
	default:
		return nil, errors.New("answer without a length")
	}
	c.answer.body = c.body
	return &c.answer, nil
}

// readHead reads the status line and the header fields. length is -1 when none is announced.
func (c *conn) readHead() (length int, chunked bool, err error) {
	c.answer = answer{}
	c.body = c.body[:0]
	line, err := c.line()
	if err != nil {
		return 0, false, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, false, fmt.Errorf("bad status line %q", line)
	}
	if c.answer.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, false, err
	}
	length = -1
	for {
		if line, err = c.line(); err != nil {
			return 0, false, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, false, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		default:
			c.answer.field(name, value)
		}
	}
	if bodiless := c.answer.status == 202 || c.answer.status == 204; bodiless && !chunked && length < 0 {
		length = 0
	}
	return length, chunked, nil
}

// field notes a header field that does not frame the body.
func (a *answer) field(name, value []byte) {
	switch {
	case bytes.EqualFold(name, []byte("Content-Type")):
		a.events = bytes.HasPrefix(value, []byte("text/event-stream"))
	case bytes.EqualFold(name, []byte("Connection")):
		a.close = bytes.EqualFold(value, []byte("close"))
	case bytes.EqualFold(name, []byte("Mcp-Session-Id")):
		a.session = string(value)
	}
}

// chunk appends the next chunk to the body and returns its size, 0 for the last.
func (c *conn) chunk() (int, error) {
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	size, _, _ := strings.Cut(string(line), ";")
	n, err := strconv.ParseUint(size, 16, 31)
	if err != nil {
		return 0, fmt.Errorf("bad chunk size %q", line)
	}
	if err := c.take(int(n)); err != nil {
		return 0, err
	}
	_, err = c.line() // the line break behind the data, or the end of the trailer
	return int(n), err
}

// line returns the next line without its line break.
func (c *conn) line() ([]byte, error) {
	for offset := 0; ; {
		if i := bytes.IndexByte(c.buf[c.start+offset:c.end], '\n'); i >= 0 {
			line := c.buf[c.start : c.start+offset+i]
			c.start += offset + i + 1
			return bytes.TrimSuffix(line, []byte("\r")), nil
		}
		offset = c.end - c.start
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
}

// take appends the next n bytes of input to the body.
func (c *conn) take(n int) error {
	for n > 0 {
		if k := min(n, c.end-c.start); k > 0 {
			c.body = append(c.body, c.buf[c.start:c.start+k]...)
			c.start += k
			n -= k
			continue
		}
		if n >= len(c.buf) { // a large rest is read straight into the body
			c.body = append(c.body, make([]byte, n)...)
			_, err := io.ReadFull(c.Conn, c.body[len(c.body)-n:])
			return err
		}
		if err := c.fill(); err != nil {
			return err
		}
	}
	return nil
}

// fill reads more input, making room first.
func (c *conn) fill() error {
	if c.start == c.end {
		c.start, c.end = 0, 0
	} else if c.start > 0 {
		copy(c.buf, c.buf[c.start:c.end])
		c.end -= c.start
		c.start = 0
	}
	if c.end == len(c.buf) {
		c.buf = append(c.buf, make([]byte, len(c.buf))...)
	}
	n, err := c.Read(c.buf[c.end:])
	c.end += n
	if n > 0 {
		return nil
	}
	return err
}
