package stdio

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// slowLines is what an input makes of a stream of lines: messages, and "!" for one that is too long.
func slowLines(s string, most int) (all []string) {
	for line := range strings.Lines(s) {
		line = strings.TrimRight(strings.TrimSuffix(line, "\n"), "\r")
		switch {
		case len(line) > most:
			all = append(all, "!")
		case line != "":
			all = append(all, line)
		}
	}
	return all
}

// chunked gives data in pieces of n bytes.
type chunked struct {
	data []byte
	n    int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.n)], c.data)
	c.data = c.data[n:]
	return n, nil
}

// A counted counts the reads of a stream.
type counted struct {
	r     io.Reader
	reads int
}

func (c *counted) Read(p []byte) (int, error) {
	c.reads++
	return c.r.Read(p)
}

// FuzzLines and FuzzHeaders look at the input directly: a server in between would hide what was a message.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"", "\n", "a\nb", "a\r\n\r\n\r\r\nb\r", "世界\n😀\r\n", "0123456789\n01234567890\n0123456789\r\n", "\ufeff{}\n", "\r",
		"a\r\rb\n", "C\n", "cont\n",
	} {
		f.Add([]byte(s), 1)
		f.Add([]byte(s), 100)
	}
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		const most = 10
		got, framing := drain(t, data, n, most)
		want := slowLines(string(data), most)
		if framing != headers && !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// drain returns the messages of a stream, "!" for what was none.
func drain(t *testing.T, data []byte, n, most int) (all []string, how framing) {
	r := &counted{r: &chunked{data, max(n, 1)}}
	in := newInput(r, most, func(f framing) { how = f })
	for {
		ready, reads := in.ready(), r.reads
		msg, err := in.next(nil)
		if ready && r.reads > reads {
			t.Fatalf("the input was ready, but the next message needed a read")
		}
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return all, how
		case err != nil:
			all = append(all, "!")
		case len(msg) > most:
			t.Fatalf("a message of %d bytes, at most %d are allowed", len(msg), most)
		case len(msg) > 0:
			all = append(all, string(msg))
		}
	}
}

func FuzzHeaders(f *testing.F) {
	for _, s := range []string{
		"Content-Length: 2\r\n\r\n{}", "Content-Length: 20\r\n\r\n01234567890123456789Content-Length: 1\n\nx", "Content-Type: a\n\n{}Content-Length: 1\n\nx",
		"Content-Length: x\nContent-Length: 1\n\nx", "content-length:1\n\nx{}\n]content-length:1\n\ny", "Content-Length: 9\n\n",
	} {
		f.Add([]byte(s), 1)
		f.Add([]byte(s), 100)
	}
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		data = append([]byte("Content-Length: 3\r\n\r\none"), data...)
		got, _ := drain(t, data, n, 10)
		whole, _ := drain(t, data, len(data), 10)
		if !slices.Equal(got, whole) {
			t.Errorf("in pieces of %d: %q, whole: %q", n, got, whole)
		}
		if len(got) == 0 || got[0] != "one" {
			t.Errorf("the first message is lost: %q", got)
		}
	})
}
