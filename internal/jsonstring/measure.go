package jsonstring

import (
	"math/bits"
	"unicode/utf8"
)

// EscapedLen is the length of what [AppendEscaped] appends.
func EscapedLen(s string) int { return escapedLen(s, utf8.ValidString) }

// EscapedLenBytes is the length of what [AppendEscapedBytes] appends.
func EscapedLenBytes(s []byte) int { return escapedLen(s, utf8.Valid) }

// escapedLen counts escapes eight bytes at a time, without looking where they stand.
func escapedLen[T string | []byte](s T, valid func(T) bool) int {
	total, rest := len(s), s
	for ; len(rest) >= 8; rest = rest[8:] {
		w := word(rest)
		controls := ^(w&^highBits + eachByte*(0x80-' ') | w) & highBits
		total += bits.OnesCount64(equalBytes(w, '"') | equalBytes(w, '\\'))
		for ; controls != 0; controls &= controls - 1 {
			total += controlGrowth(rest[bits.TrailingZeros64(controls)/8])
		}
	}
	for at := range len(rest) {
		switch c := rest[at]; {
		case c < ' ':
			total += controlGrowth(c)
		case c == '"' || c == '\\':
			total++
		}
	}
	if valid(s) {
		return total
	}
	return total + repairGrowth(s)
}

// repairGrowth is by how much text grows when each byte that is not UTF-8 becomes U+FFFD.
func repairGrowth[T string | []byte](s T) (growth int) {
	for len(s) > 0 {
		r, size := firstRune(s)
		growth += utf8.RuneLen(r) - size
		s = s[size:]
	}
	return growth
}

// equalBytes sets the high bit of exactly those bytes of w that are c.
func equalBytes(w uint64, c byte) uint64 {
	w ^= eachByte * uint64(c)
	return ^(w&^highBits + ^uint64(highBits) | w) & highBits
}

// controlGrowth is by how much the escape of a control is longer than it.
func controlGrowth(c byte) int {
	switch c {
	case '\b', '\f', '\n', '\r', '\t':
		return 1
	}
	return LongestEscape - 1
}
