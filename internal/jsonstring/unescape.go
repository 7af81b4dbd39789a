package jsonstring

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// AppendUnescaped appends the text that spelling stands for: what stands between the quotes of a
// string that [End] has read.
func AppendUnescaped(dst, spelling []byte) []byte {
	for {
		plain, r, rest := nextEscape(spelling)
		dst = append(dst, plain...)
		if rest == nil {
			return dst
		}
		dst = utf8.AppendRune(dst, r)
		spelling = rest
	}
}

// Unescape is [AppendUnescaped] as a string, in one allocation.
func Unescape(spelling []byte) string {
	var text strings.Builder
	text.Grow(len(spelling))
	for {
		plain, r, rest := nextEscape(spelling)
		text.Write(plain)
		if rest == nil {
			return text.String()
		}
		text.WriteRune(r)
		spelling = rest
	}
}

// nextEscape cuts a spelling at its first escape: what stands before it, the character that it stands
// for, and what follows. Without an escape everything stands before it, and rest is nil.
func nextEscape(spelling []byte) (plain []byte, r rune, rest []byte) {
	i := bytes.IndexByte(spelling, '\\')
	if i < 0 {
		return spelling, 0, nil
	}
	plain, spelling = spelling[:i], spelling[i:]
	switch c := spelling[1]; c {
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 't':
		r = '\t'
	case 'u':
		r, _ = hexUnit(spelling[2:])
		if r < surrogateMin || r > surrogateMax {
			return plain, r, spelling[6:]
		}
		low, _ := hexUnit(spelling[8:])
		return plain, 0x10000 + (r-surrogateMin)<<10 + (low - lowSurrogateMin), spelling[12:]
	default:
		r = rune(c)
	}
	return plain, r, spelling[2:]
}
