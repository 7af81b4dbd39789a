package jsonstring_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

func TestAppendQuoted(t *testing.T) {
	cases := []struct{ rule, in, want string }{
		{"empty", "", `""`},
		{"plain", "hello", `"hello"`},
		{"quote and backslash", `a"b\c`, `"a\"b\\c"`},
		{"short escapes", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"other controls", "\x00\x01\x1f", `"\u0000\u0001\u001f"`},
		{"no HTML escaping", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"DEL and slash stay", "/\x7f", "\"/\x7f\""},
		{"adjacent multi-byte", "世界", `"世界"`},
		{"astral", "😀😀", `"😀😀"`},
		{"line separators stay", "\u2028\u2029", "\"\u2028\u2029\""},
		{"a replacement character stays", "\ufffd", "\"\ufffd\""},
		{"a byte that is not UTF-8", "a\xffb", "\"a\ufffdb\""},
		{"two bytes that are not UTF-8", "世\x80\x80界", "\"世\ufffd\ufffd界\""},
		{"a truncated encoding", "\xe4\xb8", "\"\ufffd\ufffd\""},
		{"an encoding cut by an escape", "\xe4\xb8\n\x96", "\"\ufffd\ufffd\\n\ufffd\""},
		{"an encoded surrogate", "\xed\xa0\xbd", "\"\ufffd\ufffd\ufffd\""},
		{"long and plain", strings.Repeat("0123456789", 100), `"` + strings.Repeat("0123456789", 100) + `"`},
		{"long with one escape", strings.Repeat("x", 1000) + "\n" + strings.Repeat("y", 1000), `"` + strings.Repeat("x", 1000) + `\n` + strings.Repeat("y", 1000) + `"`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := string(jsonstring.AppendQuoted([]byte("x"), c.in)); got != "x"+c.want {
				t.Errorf("got %s, want %s", got[1:], c.want)
			}
			inside := c.want[1 : len(c.want)-1]
			if got := string(jsonstring.AppendEscaped([]byte("x"), c.in)); got != "x"+inside {
				t.Errorf("AppendEscaped: got %s, want %s", got[1:], inside)
			}
			if got := string(jsonstring.AppendEscaped([]byte("x"), []byte(c.in))); got != "x"+inside {
				t.Errorf("AppendEscaped of bytes: got %s, want %s", got[1:], inside)
			}
			if got, _ := jsonstring.EscapedLen(c.in); got != len(inside) {
				t.Errorf("EscapedLen: got %d, want %d", got, len(inside))
			}
			if got, _ := jsonstring.EscapedLen([]byte(c.in)); got != len(inside) {
				t.Errorf("EscapedLenBytes: got %d, want %d", got, len(inside))
			}
		})
	}
}

func TestNoByteGrowsBeyondTheLongestEscape(t *testing.T) {
	for c := range 256 {
		if got, _ := jsonstring.EscapedLen([]byte{byte(c)}); got > jsonstring.LongestEscape {
			t.Errorf("the byte %#02x grows to %d bytes", c, got)
		}
	}
}

func TestAppendSomeFillsTheRoomAndGoesOn(t *testing.T) {
	texts := []string{"", "a", strings.Repeat("plain text, ", 20), strings.Repeat("世界😀", 20), strings.Repeat("\x00\"\\\n", 20), strings.Repeat("a \"b\" 世\n", 20)}
	for _, text := range texts {
		want := string(jsonstring.AppendEscaped(nil, text))
		for size := jsonstring.LeastRoom; size < 100; size++ {
			got, rest := "", text
			for rest != "" {
				part, used := jsonstring.AppendSome(make([]byte, 0, size), rest)
				if len(part) > size || used == 0 || used < len(rest) && size-len(part) >= jsonstring.LeastRoom {
					t.Fatalf("%.20q in parts of %d: %d bytes became %d", text, size, used, len(part))
				}
				got, rest = got+string(part), rest[used:]
			}
			if got != want {
				t.Fatalf("%.20q in parts of %d is written as %s, want %s", text, size, got, want)
			}
		}
		if part, used := jsonstring.AppendSome(make([]byte, 0, jsonstring.LeastRoom-1), text); len(part) != 0 || used != 0 {
			t.Errorf("%.20q: %d bytes without room", text, len(part))
		}
	}
}
