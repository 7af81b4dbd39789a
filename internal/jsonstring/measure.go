package jsonstring

import (
	"math/bits"
	"unicode/utf8"
)

// EscapedLen is the length of what [AppendEscaped] appends, and whether s is valid UTF-8.
func EscapedLen[T string | []byte](s T) (length int, valid bool) {
	growth, all, rest := 0, uint64(0), s
	for ; len(rest) >= 32; rest = rest[32:] {
		a, b, c, d := word(rest[:8]), word(rest[8:16]), word(rest[16:24]), word(rest[24:32])
		if all |= a | b | c | d; hits(a)|hits(b)|hits(c)|hits(d) == 0 {
			continue
		}
		// At most four in each byte of the sum, and so at most 32 in all.
		sum := escaped(a)>>7 + escaped(b)>>7 + escaped(c)>>7 + escaped(d)>>7
		growth += int(sum * eachByte >> 56)
		if controls(a)|controls(b)|controls(c)|controls(d) != 0 {
			growth += longGrowth(a) + longGrowth(b) + longGrowth(c) + longGrowth(d)
		}
	}
	for at := range len(rest) {
		all |= uint64(rest[at])
		growth += byteGrowth(rest[at])
	}
	if all&highBits != 0 && !Valid(s) {
		return len(s) + growth + repairGrowth(s), false
	}
	return len(s) + growth, true
}

// longGrowth is by how much the controls of a word that have no short escape grow more than others.
func longGrowth(w uint64) (growth int) {
	for c := controls(w); c != 0; c &= c - 1 {
		growth += byteGrowth(byte(w>>(bits.TrailingZeros64(c)&^7))) - 1
	}
	return growth
}

// byteGrowth is by how much the escape of a byte is longer than it.
func byteGrowth(c byte) int {
	if c >= utf8.RuneSelf || escapes[c] == 0 {
		return 0
	}
	return int(escapes[c]>>sizeAt) - 1
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
