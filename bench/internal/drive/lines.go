package drive

import (
	"bytes"
	"io"
)

// A lineReader splits a stream into lines of any length without copying.
type lineReader struct {
	r          io.Reader
	buf        []byte
	start, end int // what was read and not taken: buf[start:end]
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: r, buf: make([]byte, 256<<10)}
}

// next returns the next line without its newline; it is valid until the following call.
func (l *lineReader) next() ([]byte, error) {
	scanned := l.start
	for {
		if i := bytes.IndexByte(l.buf[scanned:l.end], '\n'); i >= 0 {
			line := l.buf[l.start : scanned+i]
			l.start = scanned + i + 1
			return line, nil
		}
		if l.start > 0 {
			copy(l.buf, l.buf[l.start:l.end])
			l.end -= l.start
			l.start = 0
		}
		scanned = l.end
		if l.end == len(l.buf) {
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if n == 0 && err != nil {
			return nil, err
		}
	}
}
