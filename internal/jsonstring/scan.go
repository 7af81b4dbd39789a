package jsonstring

import (
	"bytes"
	"unicode/utf8"
)

// End reads the string whose opening quote stands at src[open] and returns the position behind its
// closing quote, and whether it holds escapes. When src has no strict string there, fault says in words
// for the peer what is wrong, and end is where; otherwise fault is empty.
func End(src []byte, open int) (end int, escaped bool, fault string) {
	nonASCII := false
	for i := open + 1; ; {
		run, high := plainRun(src, i)
		nonASCII = nonASCII || high
		if run >= len(src) {
			return run, false, "the text ends inside a string"
		}
		switch src[run] {
		case '"':
			// Escapes are ASCII, so the string is valid UTF-8 exactly if its spelling is.
			if nonASCII && !utf8.Valid(src[open+1:run]) {
				return open, false, "a string is not valid UTF-8"
			}
			return run + 1, escaped, ""
		case '\\':
			escaped = true
			if i, fault = escapeEnd(src, run); fault != "" {
				return run, false, fault
			}
		default:
			return run, false, "a control character in a string must be escaped"
		}
	}
}

// escapeEnd returns the position behind the escape sequence at p, with a surrogate pair as one.
func escapeEnd(src []byte, p int) (end int, fault string) {
	if p+1 >= len(src) {
		return p, "the text ends inside a string"
	}
	switch src[p+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return p + 2, ""
	case 'u':
		unit, ok := hexUnit(src[p+2:])
		if !ok {
			return p, `expected four hexadecimal digits after \u`
		}
		if unit < surrogateMin || unit > surrogateMax {
			return p + 6, ""
		}
		if unit < lowSurrogateMin && bytes.HasPrefix(src[p+6:], []byte(`\u`)) {
			if low, ok := hexUnit(src[p+8:]); ok && low >= lowSurrogateMin && low <= surrogateMax {
				return p + 12, ""
			}
		}
		return p, `a surrogate without its pair in a \u escape`
	}
	return p, "unknown escape in a string"
}

const (
	surrogateMin    = 0xD800
	lowSurrogateMin = 0xDC00
	surrogateMax    = 0xDFFF
)

// hexUnit returns the value of the four hexadecimal digits that b begins with.
func hexUnit(b []byte) (unit rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
