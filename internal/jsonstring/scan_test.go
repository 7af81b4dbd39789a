package jsonstring_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

var scanCases = []struct {
	rule string
	in   string
	text string // what it stands for
	at   int    // where it ends, or where the fault is
	ok   bool
}{
	{"empty", `""`, "", 2, true},
	{"plain", `"add"`, "add", 5, true},
	{"what follows is not looked at", `"a"b"`, "a", 3, true},
	{"non-ASCII text stands for itself", `"世界😀"`, "世界😀", 12, true},
	{"short escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", 18, true},
	{"units and pairs in either case", `"\u0041\u00e9\u4e16\ud83d\ude00\uD83D\uDE00\uFFFD"`, "Aé世😀😀\ufffd", 50, true},
	{"escapes between text", `"\u4e16界\u4e16界"`, "世界世界", 20, true},
	{"an escaped backslash before u", `"\\ud83d"`, `\ud83d`, 9, true},
	{"an escaped quote", `"\u0022"`, `"`, 8, true},
	{"NUL", `"\u0000"`, "\x00", 8, true},
	{"the last pair", `"\udbff\udfff"`, "\U0010ffff", 14, true},
	{"no end", `"abc`, "", 4, false},
	{"a quote alone", `"`, "", 1, false},
	{"a backslash at the end", `"ab\`, "", 3, false},
	{"a raw control", "\"ab\n\"", "", 3, false},
	{"an unknown escape", `"ab\x"`, "", 3, false},
	{"three hexadecimal digits", `"ab\u004"`, "", 3, false},
	{"a lone high surrogate", `"ab\ud83d"`, "", 3, false},
	{"a lone low surrogate", `"ab\ude00"`, "", 3, false},
	{"two high surrogates", `"ab\ud83d\ud83d"`, "", 3, false},
	{"not UTF-8", "\"ab\xff\"", "", 0, false},
	{"an encoding cut by an escape", "\"\xe4\xb8\\n\x96\"", "", 0, false},
	{"an encoded surrogate", "\"\xed\xa0\xbd\"", "", 0, false},
}

func TestEndAndUnescape(t *testing.T) {
	for _, c := range scanCases {
		t.Run(c.rule, func(t *testing.T) {
			src := []byte("xy" + c.in) // the string may stand anywhere
			end, escaped, fault := jsonstring.End(src, 2)
			if end != c.at+2 || (fault == "") != c.ok {
				t.Fatalf("End: %d, %q, want %d and ok %v", end-2, fault, c.at, c.ok)
			}
			if !c.ok {
				return
			}
			spelling := src[3 : end-1]
			if escaped != bytes.Contains(spelling, []byte(`\`)) {
				t.Errorf("escaped is %v", escaped)
			}
			if got := string(jsonstring.AppendUnescaped([]byte("x"), spelling)); got != "x"+c.text {
				t.Errorf("AppendUnescaped: %q, want %q", got[1:], c.text)
			}
			if got := jsonstring.Unescape(spelling); got != c.text {
				t.Errorf("Unescape: %q, want %q", got, c.text)
			}
		})
	}
}

func TestEveryTruncationIsAFault(t *testing.T) {
	for _, c := range scanCases {
		if !c.ok {
			continue
		}
		for cut := 1; cut < c.at; cut++ {
			if end, _, fault := jsonstring.End([]byte(c.in[:cut]), 0); fault == "" || end > cut {
				t.Errorf("%s: %q: got %d, %q", c.rule, c.in[:cut], end, fault)
			}
		}
	}
}

// Text is looked at in words and blocks: whatever is special must be seen at every offset.
func TestSpecialsAreSeenAtEveryOffset(t *testing.T) {
	specials := []string{`\n`, `\\`, `"`, "\n", "\x1f", "\x00", " ", "!", "#", "[", "]", "\x7f", "世界", "😀", "\x80", "\xff", "\xa2", "\xdc", `\ud83d\ude00`, `\ud83d`}
	for _, fill := range []string{"a", "世", `\"`, `\\`, `\n`} {
		for before := range 80 {
			for _, special := range specials {
				agree(t, strings.Repeat(fill, before)+special+strings.Repeat("b", before%17))
				// With so much behind it, whole pairs and blocks hold the special one.
				agree(t, strings.Repeat(fill, before)+special+strings.Repeat("b", 40)+special+strings.Repeat("b", 40))
			}
		}
	}
}

// agree holds the package to its slow twin, the JSON library, for s as text and as a spelling.
func agree(t *testing.T, s string) {
	t.Helper()
	quoted := jsonstring.AppendQuoted(nil, s)
	if want, _ := jsontext.AppendQuote(nil, s); !bytes.Equal(quoted, want) {
		t.Fatalf("%q is written as %s, the twin writes %s", s, quoted, want)
	}
	inside := quoted[1 : len(quoted)-1]
	if got := jsonstring.AppendEscaped(nil, []byte(s)); !bytes.Equal(got, inside) {
		t.Fatalf("%q as bytes is written as %s, as a string as %s", s, got, inside)
	}
	got, valid := jsonstring.EscapedLen(s)
	fromBytes, validBytes := jsonstring.EscapedLen([]byte(s))
	if got != len(inside) || fromBytes != got || valid != utf8.ValidString(s) || validBytes != valid || jsonstring.Valid(s) != valid {
		t.Fatalf("%q: the length is told as %d and %d, it is %d; valid %v, %v", s, got, fromBytes, len(inside), valid, validBytes)
	}
	raw := []byte(`"` + s + `"`)
	end, escapes, fault := jsonstring.End(raw, 0)
	ok := fault == "" && end == len(raw)
	if want := jsontext.Value(raw).IsValid(); ok != want {
		t.Fatalf("%s is a string: %v (%q), the twin says %v", raw, ok, fault, want)
	}
	loose, looseEscapes, found := jsonstring.EndOfValid(raw, 0)
	if !ok {
		jsonstring.Unescape(raw[:loose]) // of what is not valid, anything may be made: but no panic
		return
	}
	if loose != end || !found || looseEscapes != escapes {
		t.Fatalf("%s ends at %d, escapes %v; taken for valid, at %d, escapes %v", raw, end, escapes, loose, looseEscapes)
	}
	text := jsonstring.Unescape(raw[1 : end-1])
	want, err := jsontext.AppendUnquote(nil, raw)
	if err != nil || text != string(want) || string(jsonstring.AppendUnescaped(nil, raw[1:end-1])) != text {
		t.Fatalf("%s is read as %q, the twin reads %q, %v", raw, text, want, err)
	}
}

func FuzzStrings(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\x00", "世界😀", "\xff\xe4\xb8\n", "0123456701234567\"", "012345670123456701234567012345670123456701234567世\x80"} {
		f.Add(s)
	}
	for _, c := range scanCases {
		f.Add(strings.Trim(c.in, `"`))
	}
	f.Fuzz(func(t *testing.T, s string) { agree(t, s) })
}
