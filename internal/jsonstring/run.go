package jsonstring

import "math/bits"

// The constants of hits: one byte value in each of the eight bytes of a word.
const (
	eachByte  = 0x0101010101010101
	highBits  = 0x80 * eachByte
	quoteFlip = 0x02 * eachByte // moves '"' (0x22) to 0x20 and keeps the controls below 0x20
	plainFrom = 0x21 * eachByte // the lowest byte that is neither a control nor '"', after the flip
	backslash = '\\' * eachByte
)

// plainRun returns the position of the first byte at or after i that cannot stand for itself in a
// JSON string: a control, '"' or '\\'; len(s) when there is none. nonASCII is set when a byte up to
// there has its high bit set (it may also be set by one of the seven bytes behind).
//
// It works on words of eight bytes, and in a run that turns out to be long on four words at a time.
func plainRun[T string | []byte](s T, i int) (end int, nonASCII bool) {
	var all uint64
	rest := s[i:]
	for words := 0; len(rest) >= 8; words++ {
		if words >= 4 && len(rest) >= 32 {
			a, b, c, d := word(rest[:8]), word(rest[8:16]), word(rest[16:24]), word(rest[24:32])
			if hits(a)|hits(b)|hits(c)|hits(d) == 0 {
				all |= a | b | c | d
				rest = rest[32:]
				continue
			}
		}
		w := word(rest[:8])
		all |= w
		if h := hits(w); h != 0 {
			return len(s) - len(rest) + bits.TrailingZeros64(h)>>3, all&highBits != 0
		}
		rest = rest[8:]
	}
	for len(rest) > 0 && rest[0] >= ' ' && rest[0] != '"' && rest[0] != '\\' {
		all |= uint64(rest[0])
		rest = rest[1:]
	}
	return len(s) - len(rest), all&highBits != 0
}

// word returns eight bytes as one number, the first lowest. The compiler makes it one load.
func word[T string | []byte](b T) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// hits sets the high bit of each byte of w that is a control, '"' or '\\', and of no byte below the
// first such: a subtraction borrows from the byte above only where a byte is a hit itself.
func hits(w uint64) uint64 {
	return (((w ^ quoteFlip) - plainFrom) | ((w ^ backslash) - eachByte)) &^ w & highBits
}
