package schema

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape consumes an escape sequence; half of a surrogate pair is none.
func (l *lexer) escape() bool {
	if len(l.src)-l.pos < 2 {
		return false
	}
	switch l.src[l.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		l.pos += 2
		return true
	case 'u':
		r, ok := hexRune(l.src[l.pos:])
		if !ok {
			return false
		}
		l.pos += 6
		if utf16.IsSurrogate(r) {
			low, ok := hexRune(l.src[l.pos:])
			if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
				return false
			}
			l.pos += 6
		}
		return true
	}
	return false
}

// hexRune reads \uXXXX.
func hexRune(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// unescape returns the content of a string that text has accepted.
func unescape(raw []byte) string {
	var out strings.Builder
	out.Grow(len(raw))
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			out.Write(raw)
			break
		}
		out.Write(raw[:n])
		raw = raw[n:]
		if raw[1] != 'u' {
			out.WriteByte(shortEscape(raw[1]))
			raw = raw[2:]
			continue
		}
		r, _ := hexRune(raw)
		raw = raw[6:]
		if utf16.IsSurrogate(r) {
			low, _ := hexRune(raw)
			r = utf16.DecodeRune(r, low)
			raw = raw[6:]
		}
		out.WriteRune(r)
	}
	return out.String()
}

func shortEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
