package jsonstring

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// AppendUnescaped appends the text that spelling stands for: what stands between the quotes of a
// string that [End] has read. Of a spelling that is not valid it makes some text.
func AppendUnescaped(dst, spelling []byte) []byte {
	for {
		plain, r, rest := nextEscape(spelling)
		dst = append(dst, plain...)
		if rest == nil {
			return dst
		}
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
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
		if r < utf8.RuneSelf {
			text.WriteByte(byte(r))
		} else {
			text.WriteRune(r)
		}
		spelling = rest
	}
}

// nextEscape cuts a spelling at its first escape: what stands before it, the character that it stands
// for, and what follows. Without an escape everything stands before it, and rest is nil.
func nextEscape(spelling []byte) (plain []byte, r rune, rest []byte) {
	i := bytes.IndexByte(spelling, '\\')
	if i < 0 || i+1 == len(spelling) {
		return spelling, 0, nil
	}
	plain, rest = spelling[:i], spelling[i+2:]
	c := spelling[i+1]
	if c != 'u' || len(rest) < 4 {
		return plain, rune(short[c]), rest
	}
	r, _ = hexUnit(rest)
	if rest = rest[4:]; r < surrogateMin || r > surrogateMax || len(rest) < 6 {
		return plain, r, rest
	}
	low, _ := hexUnit(rest[2:])
	return plain, 0x10000 + (r-surrogateMin)<<10 + (low - lowSurrogateMin), rest[6:]
}
