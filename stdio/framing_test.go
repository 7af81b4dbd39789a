package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

// serveAll serves a whole input and returns the output.
func serveAll(t *testing.T, r io.Reader) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := stdio.ServeStream(context.Background(), newServer(&mcp.Options{MaxMessageBytes: 500}), r, &out, nil)
	return out.String(), err
}

// gist is what tests compare of a message: the id with a text, or an error code.
func gist(m message) string {
	if m.Error != nil {
		return fmt.Sprintf("%d: error %d", m.ID, m.Error.Code)
	}
	return fmt.Sprintf("%d: %s", m.ID, m.text())
}

// feedings are the ways to give a reader's bytes.
var feedings = map[string]func(io.Reader) io.Reader{
	"whole":        func(r io.Reader) io.Reader { return r },
	"byte by byte": iotest.OneByteReader,
	"with the end": iotest.DataErrReader,
}

func TestLines(t *testing.T) {
	long := echo(7, strings.Repeat("x", 500))
	tests := []struct {
		name, input string
		want        []string // in any order
	}{
		{"nothing in, nothing out", "", nil},
		{"a line is a message", echo(1, "a") + "\n" + echo(2, "b") + "\n", []string{"1: a", "2: b"}},
		{"carriage returns before the newline are not part of a line", echo(1, "a") + "\r\n" + echo(2, "b") + "\r\r\n", []string{"1: a", "2: b"}},
		{"empty lines are skipped", "\n\r\n" + echo(1, "a") + "\n\n\n\r\n", []string{"1: a"}},
		{"a line of blanks is no message", "  \n" + echo(1, "a") + "\n", []string{"0: error -32600", "1: a"}},
		{"the last line needs no newline", echo(1, "a"), []string{"1: a"}},
		{"the last line may end in a carriage return", echo(1, "a") + "\r", []string{"1: a"}},
		{"characters outside ASCII travel as they are", echo(1, "世界😀") + "\n", []string{"1: 世界😀"}},
		{"no JSON: an error without an id", "nonsense\n" + echo(1, "a") + "\n", []string{"0: error -32700", "1: a"}},
		{"a truncated message: an error without an id", `{"jsonrpc":"2.0","id":1,"meth`, []string{"0: error -32700"}},
		{"a byte order mark is refused", "\ufeff" + echo(1, "a") + "\n" + echo(2, "b") + "\n", []string{"0: error -32700", "2: b"}},
		{"a line that is too long: one error, and the next line is served", long + "\n" + echo(1, "a") + "\n", []string{"0: error -32700", "1: a"}},
		{"a line that is much too long", strings.Repeat("x", 1<<20) + "\n" + echo(1, "a") + "\n", []string{"0: error -32700", "1: a"}},
		{"a line that is too long and has no end", long, []string{"0: error -32700"}},
		{"a malformed notification: no answer", `{"jsonrpc":"1.0","method":"x"}` + "\n" + echo(1, "a") + "\n", []string{"1: a"}},
		{"an unknown notification: no answer", `{"jsonrpc":"2.0","method":"notifications/none"}` + "\n" + echo(1, "a") + "\n", []string{"1: a"}},
		{"a header later on is no message", echo(1, "a") + "\nContent-Length: 5\n" + echo(2, "b") + "\n", []string{"1: a", "0: error -32700", "2: b"}},
		{"a first line that only resembles a header is no message", "Content: 5\n" + echo(1, "a") + "\n", []string{"0: error -32700", "1: a"}},
	}
	for _, test := range tests {
		for feeding, feed := range feedings {
			t.Run(test.name+", "+feeding, func(t *testing.T) {
				out, err := serveAll(t, feed(strings.NewReader(test.input)))
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for line := range strings.Lines(out) {
					if !strings.HasSuffix(line, "\n") || strings.Contains(line, "\r") || strings.Contains(line, `"id":null`) {
						t.Errorf("line %q: want it to end in a bare LF, and no null id", line)
					}
					got = append(got, gist(decode(t, line)))
				}
				slices.Sort(got)
				slices.Sort(test.want)
				if !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		}
	}
}

func TestNonASCIIIsNotEscaped(t *testing.T) {
	out, err := serveAll(t, strings.NewReader(echo(1, "世界😀<&>")+"\n"))
	if err != nil || !strings.Contains(out, `"text":"世界😀<&>"`) {
		t.Errorf("got %q, %v", out, err)
	}
}

// framed is msg with a header.
func framed(msg string) string {
	var b bytes.Buffer
	stdio.WriteMessage(&b, []byte(msg))
	return b.String()
}

func TestHeaders(t *testing.T) {
	a, b := echo(1, "世界"), echo(2, "b")
	n := len(a)
	with := func(format string) string { return fmt.Sprintf(format, n) }
	tests := []struct {
		name, input string
		want        []string // in any order
		wantErr     string
	}{
		{"a header before each message", framed(a) + framed(b), []string{"1: 世界", "2: b"}, ""},
		{"names in any case, no blank, LF, other fields", with("content-type: x\ncOnTeNt-LeNgTh:%d\nX-Y: 1\n\n") + a + framed(b), []string{"1: 世界", "2: b"}, ""},
		{"blank lines around messages are skipped", "\r\n" + framed(a) + "\r\n\n" + framed(b) + "\n", []string{"1: 世界", "2: b"}, ""},
		{"newlines inside a message are its own", framed(strings.ReplaceAll(a, ",", ",\n")) + framed(b), []string{"1: 世界", "2: b"}, ""},
		{"the same length twice is no contradiction", with("Content-Length: %[1]d\r\nContent-Length: %[1]d\r\n\r\n") + a, []string{"1: 世界"}, ""},
		{"an empty message is answered", "Content-Length: 0\r\n\r\n" + framed(b), []string{"0: error -32600", "2: b"}, ""},
		{"no length", "Content-Type: x\r\n\r\n" + a + framed(b), []string{"0: error -32700", "2: b"}, ""},
		{"a length that is no number", "Content-Length: abc\r\n\r\n" + a + framed(b), []string{"0: error -32700", "2: b"}, ""},
		{"a negative length", "Content-Length: -5\r\n\r\n" + a + "\n" + framed(b), []string{"0: error -32700", "2: b"}, ""},
		{"a length out of range", "Content-Length: 99999999999999999999\r\n\r\n" + a + framed(b), []string{"0: error -32700", "2: b"}, ""},
		{"two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + a + framed(b), []string{"0: error -32700", "2: b"}, ""},
		{"a line without a header among them", framed(a) + b + "\n" + framed(b), []string{"1: 世界", "0: error -32700", "2: b"}, ""},
		{"a header that is too long", framed(a) + "X: " + strings.Repeat("y", 9<<10) + "\r\n\r\n" + framed(b), []string{"1: 世界", "0: error -32700", "2: b"}, ""},
		{"a message that is too long is skipped", framed(echo(3, strings.Repeat("x", 500))) + framed(b), []string{"0: error -32700", "2: b"}, ""},
		{"the input ends in a message", framed(a) + "Content-Length: 900\r\n\r\n{", []string{"1: 世界", "0: error -32700"}, "unexpected EOF"},
		{"the input ends in a short message", framed(a) + "Content-Length: 9\r\n\r\n{", []string{"1: 世界", "0: error -32700"}, "unexpected EOF"},
		{"the input ends in a header", framed(a) + "Content-Le", []string{"1: 世界", "0: error -32700"}, "unexpected EOF"},
	}
	for _, test := range tests {
		for feeding, feed := range feedings {
			t.Run(test.name+", "+feeding, func(t *testing.T) {
				out, err := serveAll(t, feed(strings.NewReader(test.input)))
				if test.wantErr == "" && err != nil || test.wantErr != "" && (err == nil || !strings.Contains(err.Error(), test.wantErr)) {
					t.Errorf("error %v, want %q", err, test.wantErr)
				}
				got := readFramed(t, out)
				slices.Sort(got)
				slices.Sort(test.want)
				if !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		}
	}
}

// readFramed takes an output apart that must consist of messages in the form that WriteMessage writes.
func readFramed(t *testing.T, out string) (gists []string) {
	t.Helper()
	for out != "" {
		head, rest, _ := strings.Cut(out, "\r\n\r\n")
		var n int
		if _, err := fmt.Sscanf(head, "Content-Length: %d", &n); err != nil || len(rest) < n {
			t.Fatalf("bad header in the output %q", out)
		}
		var m message
		if err := json.Unmarshal([]byte(rest[:n]), &m); err != nil {
			t.Fatalf("%q: %v", rest[:n], err)
		}
		m.raw = rest[:n]
		gists = append(gists, gist(m))
		out = rest[n:]
	}
	return gists
}

func TestTruncatedAnywhereNeverHangsOrPanics(t *testing.T) {
	for _, whole := range []string{framed(echo(1, "世界")) + framed(echo(2, "😀")), echo(1, "世界") + "\r\n" + echo(2, "😀") + "\n"} {
		for n := range len(whole) {
			serveAll(t, strings.NewReader(whole[:n]))
		}
	}
}
