package jsonstring

import (
	"bytes"
	"math/bits"
)

// Text that is full of escapes, such as JSON within a string, is read word by word and not escape by escape.

// denseRun returns a position up to which src[i:] is the strict inside of a string, and which does not stand within an
// escape. It stops, at the latest, before the word with the end of the string, a control or an escape that is not of two
// bytes. nonASCII is set when a byte up to there has its high bit set.
func denseRun(src []byte, i int) (end int, nonASCII bool) {
	carry, all := 0, uint64(0)
	for ; len(src)-i >= 8; i += 8 {
		w := word(src[i : i+8])
		slashes, quotes := positions(equalBytes(w, '\\')), positions(equalBytes(w, '"'))
		escaped := escapedIn(slashes, carry)
		if quotes&^escaped != 0 || controls(w) != 0 || !allShort(w, escaped&0xff&^(quotes|slashes)) {
			break
		}
		carry, all = escaped>>8, all|w
	}
	return i - carry, all&highBits != 0
}

// allShort reports whether the bytes of w at these positions stand behind the backslash of an escape of two bytes.
func allShort(w uint64, at int) bool {
	for ; at != 0; at &= at - 1 {
		if short[byte(w>>(8*bits.TrailingZeros8(uint8(at))))] == 0 {
			return false
		}
	}
	return true
}

// EndOfValid is [End] for text of which somebody has seen that it is strict JSON. In other text it finds some end, or
// none: ok is false when the text ends before the string does.
func EndOfValid(src []byte, open int) (end int, escaped, ok bool) {
	for i, count := open+1, 0; ; {
		if count > 8 && i-open < 24*count {
			return endOfDense(src, open, i)
		}
		next := bytes.IndexByte(src[i:], '"')
		if next < 0 {
			return len(src), escaped, false
		}
		i += next
		before := i
		for before > open+1 && src[before-1] == '\\' {
			before--
		}
		if (i-before)%2 == 0 {
			return i + 1, escaped || bytes.IndexByte(src[open+1:i], '\\') >= 0, true
		}
		i, escaped, count = i+1, true, count+1
	}
}

// endOfDense goes on from i, behind some escape, with the search for the end of the string that begins at open.
func endOfDense(src []byte, open, i int) (end int, escaped, ok bool) {
	carry := 0
	for ; len(src)-i >= 8; i += 8 {
		w := word(src[i : i+8])
		skipped := escapedIn(positions(equalBytes(w, '\\')), carry)
		if quotes := positions(equalBytes(w, '"')) &^ skipped; quotes != 0 {
			return i + bits.TrailingZeros8(uint8(quotes)) + 1, true, true
		}
		carry = skipped >> 8
	}
	for i += carry; i < len(src); i++ {
		switch src[i] {
		case '"':
			return i + 1, true, true
		case '\\':
			i++
		}
	}
	return len(src), true, false
}

// escapedIn says, for the positions of backslashes in eight bytes and whether the byte before escapes, which positions are
// escaped; bit 8 is the byte behind. In a run of backslashes the first one escapes, and every other one behind it: the
// subtraction carries through a run, and the odd positions say where it ends.
func escapedIn(slashes, carry int) int {
	const odd = 0xaaaa
	first := slashes &^ carry
	pairs := ((first<<1 | odd) - first) ^ odd
	return (pairs^(slashes|carry))&0xff | pairs&slashes>>7<<8
}
