package content

import (
	"math/bits"
	"unicode/utf8"
)

// longestEscape is what one byte of text can grow to: a control character is \u00xx.
const longestEscape = 6

const replacement = "\uFFFD"

// appendEscaped appends s as the inside of a JSON string: the shortest escapes,
// non-ASCII text as it is, and U+FFFD for every byte that is not UTF-8.
func appendEscaped[S string | []byte](dst []byte, s S) []byte {
	for at := 0; at < len(s); at++ {
		end := plainRun(s, at)
		dst = append(dst, s[at:end]...)
		if at = end; at < len(s) {
			dst = appendSpecial(dst, s[at])
		}
	}
	return dst
}

// escapedLen is the length of what appendEscaped appends.
func escapedLen[S string | []byte](s S) int {
	total := len(s)
	for at := plainRun(s, 0); at < len(s); at = plainRun(s, at+1) {
		total += specialLen(s[at]) - 1
	}
	return total
}

// plainRun returns the end of the run, starting at at, that needs no escape.
func plainRun[S string | []byte](s S, at int) int {
	for at < len(s) {
		if at+8 <= len(s) {
			marked := markSpecial(load8(s, at))
			if marked == 0 {
				at += 8
				continue
			}
			at += bits.TrailingZeros64(marked) / 8
		}
		c := s[at]
		switch {
		case c >= utf8.RuneSelf:
			size := runeSize(s, at)
			if size == 0 {
				return at
			}
			at += size
		case c < ' ' || c == '"' || c == '\\':
			return at
		default:
			at++
		}
	}
	return at
}

// load8 reads eight bytes, the first one lowest. The compiler makes it one load.
func load8[S string | []byte](s S, at int) uint64 {
	return uint64(s[at]) | uint64(s[at+1])<<8 | uint64(s[at+2])<<16 | uint64(s[at+3])<<24 |
		uint64(s[at+4])<<32 | uint64(s[at+5])<<40 | uint64(s[at+6])<<48 | uint64(s[at+7])<<56
}

// markSpecial sets the top bit of every byte that is a control character, a
// quote, a backslash or not ASCII. A borrow can mark bytes above the lowest
// marked one wrongly; the lowest itself is exact.
func markSpecial(word uint64) uint64 {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	quote := word ^ ones*'"'
	slash := word ^ ones*'\\'
	control := (word - ones*' ') &^ word
	return (control | (quote-ones)&^quote | (slash-ones)&^slash | word) & tops
}

// runeSize is the length of the rune at at, or 0 when it is not UTF-8.
func runeSize[S string | []byte](s S, at int) int {
	r, size := utf8.DecodeRuneInString(string(s[at:min(at+utf8.UTFMax, len(s))]))
	if r == utf8.RuneError && size < len(replacement) {
		return 0
	}
	return size
}

func appendSpecial(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	if short := shortEscape(c); short != 0 {
		return append(dst, '\\', short)
	}
	if c >= utf8.RuneSelf {
		return append(dst, replacement...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

func specialLen(c byte) int {
	switch {
	case shortEscape(c) != 0:
		return 2
	case c >= utf8.RuneSelf:
		return len(replacement)
	}
	return longestEscape
}

// shortEscape is the letter of a two-character escape, or 0.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}

// wholeRunes is the length of s without a rune at its end that more bytes could complete.
func wholeRunes(s []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(s); back++ {
		at := len(s) - back
		if !utf8.RuneStart(s[at]) {
			continue
		}
		if !utf8.FullRune(s[at:]) {
			return at
		}
		break
	}
	return len(s)
}

// cutRunes returns the largest cut of at most most bytes that divides no rune.
func cutRunes[S string | []byte](s S, most int) int {
	if most >= len(s) {
		return len(s)
	}
	for cut := most; cut > most-utf8.UTFMax && cut > 0; cut-- {
		if utf8.RuneStart(s[cut]) {
			return cut
		}
	}
	return most // stray continuation bytes: each is replaced by itself
}
