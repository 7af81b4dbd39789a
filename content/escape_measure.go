package content

import (
	"math/bits"
	"unicode/utf8"
)

// escapedLen is the length of what appendEscaped appends. Escapes are counted
// eight bytes at a time, without looking where they stand.
func escapedLen[S string | []byte](s S, valid func(S) bool) int {
	total, rest := len(s), s
	for ; len(rest) >= 8; rest = rest[8:] {
		word := load8(rest)
		controls := ^(word&^topBits + lowBits*(0x80-' ') | word) & topBits
		total += bits.OnesCount64(equalBytes(word, '"') | equalBytes(word, '\\'))
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
	for at := 0; at < len(s); {
		size := runeSize(s, at)
		if size == 0 {
			total += len(replacement) - 1
			size = 1
		}
		at += size
	}
	return total
}

// equalBytes sets the top bit of exactly those bytes of word that are c.
func equalBytes(word uint64, c byte) uint64 {
	word ^= lowBits * uint64(c)
	return ^(word&^topBits + ^uint64(topBits) | word) & topBits
}

// controlGrowth is by how much the escape of a control character is longer than it.
func controlGrowth(c byte) int {
	if shortEscapes[c] == 'u' {
		return longestEscape - 1
	}
	return 1
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
