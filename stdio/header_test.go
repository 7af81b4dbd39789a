package stdio_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bowline-go/mcp/stdio"
)

func TestReadMessage(t *testing.T) {
	tests := []struct {
		name, input, want string
		err               error
	}{
		{"one message", "Content-Length: 6\r\n\r\n世界", "世界", nil},
		{"what follows is left", "Content-Length: 2\r\n\r\n{}Content-Length: 9", "{}", nil},
		{"names in any case, LF, no blank, blanks after", "CONTENT-LENGTH:2 \t\n\n{}", "{}", nil},
		{"other fields are ignored", "Content-Type: a; charset=utf-8\r\nX-1: \r\nContent-Length: 2\r\n\r\n{}", "{}", nil},
		{"an empty message", "Content-Length: 0\r\n\r\n", "", nil},
		{"blank lines before the header", "\r\n\n\r\nContent-Length: 2\r\n\r\n{}", "{}", nil},
		{"the largest message", "Content-Length: 10\r\n\r\n0123456789", "0123456789", nil},
		{"the end of the input", "", "", io.EOF},
		{"the end after blank lines", "\r\n", "", io.EOF},
		{"an end within the message", "Content-Length: 5\r\n\r\n{}", "", io.ErrUnexpectedEOF},
		{"an end before the message", "Content-Length: 5\r\n\r\n", "", io.ErrUnexpectedEOF},
		{"an end within the header", "Content-Length: 5\r\n", "", io.ErrUnexpectedEOF},
		{"an end within a header line", "Content-Length: 5", "", stdio.ErrHeader},
		{"no length", "Content-Type: a\r\n\r\n{}", "", stdio.ErrHeader},
		{"an empty length", "Content-Length:\r\n\r\n{}", "", stdio.ErrHeader},
		{"a signed length", "Content-Length: +2\r\n\r\n{}", "", stdio.ErrHeader},
		{"a length with trailing text", "Content-Length: 2x\r\n\r\n{}", "", stdio.ErrHeader},
		{"a length above the bound", "Content-Length: 11\r\n\r\n01234567890", "", stdio.ErrHeader},
		{"a length above all bounds", "Content-Length: 184467440737095516170\r\n\r\n", "", stdio.ErrHeader},
		{"lengths that differ", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", "", stdio.ErrHeader},
		{"a line that is no field", "{\"jsonrpc\":\"2.0\"}\n", "", stdio.ErrHeader},
		{"a blank before the colon", "Content-Length : 2\r\n\r\n{}", "", stdio.ErrHeader},
		{"an empty name", ": 2\r\n\r\n{}", "", stdio.ErrHeader},
		{"a header that is too long", strings.Repeat("X: 1\r\n", 2000) + "Content-Length: 2\r\n\r\n{}", "", stdio.ErrHeader},
		{"a header line that is too long", "X: " + strings.Repeat("1", 10000) + "\r\nContent-Length: 2\r\n\r\n{}", "", stdio.ErrHeader},
	}
	for _, test := range tests {
		for _, size := range []int{16, 4096} { // bytes of the reader's buffer
			for feeding, feed := range feedings {
				t.Run(test.name+", "+feeding+", buffer "+strconv.Itoa(size), func(t *testing.T) {
					r := bufio.NewReaderSize(feed(strings.NewReader(test.input)), size)
					got, err := stdio.ReadMessage(r, 10)
					if !errors.Is(err, test.err) || test.err == nil && err != nil {
						t.Fatalf("error %v, want %v", err, test.err)
					}
					if string(got) != test.want {
						t.Errorf("got %q, want %q", got, test.want)
					}
				})
			}
		}
	}
}

func TestReadMessagePassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for _, input := range []string{"", "Content-", "Content-Length: 5\r\n\r\n{}"} {
		r := bufio.NewReader(io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken)))
		if _, err := stdio.ReadMessage(r, 10); !errors.Is(err, broken) {
			t.Errorf("after %q: error %v, want %v", input, err, broken)
		}
	}
}

func TestReadMessageAllocatesWhatCame(t *testing.T) {
	r := bufio.NewReader(strings.NewReader("Content-Length: 1000000000\r\n\r\nx"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := stdio.ReadMessage(r, 1<<30)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; err != io.ErrUnexpectedEOF || n > 1<<20 {
		t.Errorf("%d bytes allocated for one byte of a message, error %v", n, err)
	}
}

func TestWriteMessage(t *testing.T) {
	var b bytes.Buffer
	if err := stdio.WriteMessage(&b, []byte("世界😀")); err != nil {
		t.Fatal(err)
	}
	if want := "Content-Length: 10\r\n\r\n世界😀"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	if err := stdio.WriteMessage(shortWriter{}, []byte("{}")); err != io.ErrShortWrite {
		t.Errorf("a short write: error %v, want %v", err, io.ErrShortWrite)
	}
}

type shortWriter struct{}

func (shortWriter) Write([]byte) (int, error) { return 1, nil }

// slowRead is the rules of ReadMessage on a string.
func slowRead(s string, most int) (msg, rest string, ok bool) {
	length, read := -1, 0
	for {
		line, after, found := strings.Cut(s, "\n")
		if !found {
			return "", "", false
		}
		s = after
		line = strings.TrimRight(line, "\r")
		if line == "" {
			if read == 0 {
				continue
			}
			break
		}
		if read += len(line) + 1; read > 8<<10 {
			return "", "", false
		}
		name, value, found := strings.Cut(line, ":")
		if !found || name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") != "" {
			return "", "", false
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		value = strings.Trim(value, " \t")
		n, err := strconv.Atoi(value)
		if err != nil || strings.Trim(value, "0123456789") != "" || length >= 0 && length != n {
			return "", "", false
		}
		length = n
	}
	if length < 0 || length > most || length > len(s) {
		return "", "", false
	}
	return s[:length], s[length:], true
}

func FuzzReadMessage(f *testing.F) {
	for _, s := range []string{
		"", "\r\n", "Content-Length: 2\r\n\r\n{}", "content-length:2\n\n{}x", "Content-Type: a\r\nContent-Length: 6\r\n\r\n世界", "Content-Length: 00\n\n",
		"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}Content-Length: 0\r\n\r\n", "Content-Length: 99999999999999999999\n\n", "{}\n", "a:b\n\n",
	} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		const most = 100
		r := bufio.NewReaderSize(&chunkReader{data, max(chunk, 1)}, 16)
		rest := string(data)
		for {
			got, err := stdio.ReadMessage(r, most)
			want, after, ok := slowRead(rest, most)
			if ok != (err == nil) || string(got) != want {
				t.Fatalf("ReadMessage on %q: %q, %v; want %q, ok %v", rest, got, err, want, ok)
			}
			if !ok {
				return
			}
			var b bytes.Buffer
			stdio.WriteMessage(&b, got)
			if again, err := stdio.ReadMessage(bufio.NewReader(&b), most); err != nil || !bytes.Equal(again, got) {
				t.Fatalf("%q written and read: %q, %v", got, again, err)
			}
			rest = after
		}
	})
}

// A chunkReader gives data in pieces of n bytes.
type chunkReader struct {
	data []byte
	n    int
}

func (c *chunkReader) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.n)], c.data)
	c.data = c.data[n:]
	return n, nil
}
