package content

import (
	"math/bits"
	"unicode/utf8"
)

const (
	// longestEscape is what one byte of text can grow to: a control character is \u00xx.
	longestEscape = 6
	// replacement stands for every byte that is not UTF-8.
	replacement = "\uFFFD"
	// shortEscapes has the letter of the escape of each control character.
	shortEscapes = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu"
	hexDigits    = "0123456789abcdef"
	// topBits has the top bit of each of eight bytes, lowBits the lowest one.
	topBits = 0x8080808080808080
	lowBits = 0x0101010101010101
)

// appendEscaped appends s as the inside of a JSON string: the shortest escapes,
// non-ASCII text as it is, and U+FFFD for every byte that is not UTF-8.
func appendEscaped(dst []byte, s string) []byte {
	return escapeInto(dst, s, utf8.ValidString)
}

// appendEscapedBytes is appendEscaped for bytes.
func appendEscapedBytes(dst, s []byte) []byte {
	return escapeInto(dst, s, utf8.Valid)
}

// escapeInto copies runs that need no escape. The validity of the rest is asked
// once, at the first byte that is not ASCII; after that, such bytes are either
// copied unseen or looked at rune by rune.
func escapeInto[S string | []byte](dst []byte, s S, valid func(S) bool) []byte {
	watched, careful := uint64(topBits), false
	for from, at := 0, 0; ; {
		at = plainRun(s, at, watched)
		if at < len(s) && s[at] >= utf8.RuneSelf {
			if !careful && valid(s[at:]) {
				watched = 0
				continue
			}
			careful = true
			if size := runeSize(s, at); size > 0 {
				at += size
				continue
			}
		}
		dst = append(dst, s[from:at]...)
		if at == len(s) {
			return dst
		}
		dst = appendSpecial(dst, s[at])
		at++
		from = at
	}
}

// plainRun returns the end of the run, starting at at, of bytes that need no
// escape. A run ends before non-ASCII text when watched is topBits and goes on
// through it when watched is 0.
func plainRun[S string | []byte](s S, at int, watched uint64) int {
	rest := s[at:]
	for ; len(rest) >= 8; rest = rest[8:] {
		if marked := markSpecial(load8(rest), watched); marked != 0 {
			return len(s) - len(rest) + bits.TrailingZeros64(marked)/8
		}
	}
	at = len(s) - len(rest)
	for ; at < len(s); at++ {
		c := s[at]
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf && watched != 0 {
			return at
		}
	}
	return at
}

// load8 reads the first eight bytes, the first one lowest. The compiler makes it
// one load without further checks.
func load8[S string | []byte](s S) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// markSpecial sets the top bit of every byte that is a control character, a
// quote, a backslash or watched. A borrow can mark bytes above the lowest marked
// one wrongly; the lowest itself is exact.
func markSpecial(word, watched uint64) uint64 {
	quote := word ^ lowBits*'"'
	slash := word ^ lowBits*'\\'
	control := (word - lowBits*' ') &^ word
	return (control|(quote-lowBits)&^quote|(slash-lowBits)&^slash)&topBits | word&watched
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
	switch {
	case c >= utf8.RuneSelf:
		return append(dst, replacement...)
	case c >= ' ':
		return append(dst, '\\', c)
	case shortEscapes[c] == 'u':
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
	}
	return append(dst, '\\', shortEscapes[c])
}
