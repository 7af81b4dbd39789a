package jsonstring

import "math/bits"

// Constants with one byte value in each of the eight bytes of a word.
const (
	eachByte  = 0x0101010101010101
	highBits  = 0x80 * eachByte
	quoteFlip = 0x02 * eachByte // moves '"' (0x22) to 0x20 and keeps the controls below 0x20
	plainFrom = 0x21 * eachByte // the lowest byte that is neither a control nor '"', after the flip
	backslash = '\\' * eachByte
)

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

// firstOfTwo is the position of the first high bit in sixteen bytes, given as two words of which one has some.
func firstOfTwo(a, b uint64) int {
	at := bits.TrailingZeros64(b)/8 + 8
	if a != 0 {
		at = bits.TrailingZeros64(a) / 8
	}
	return at
}

// escaped sets the high bit of exactly those bytes of w that are escaped. Setting it before a subtraction keeps the
// bytes apart.
func escaped(w uint64) uint64 {
	return ^(((w ^ quoteFlip | highBits) - plainFrom) & ((w ^ backslash | highBits) - eachByte)) &^ w & highBits
}

// controls sets the high bit of exactly those bytes of w that are controls.
func controls(w uint64) uint64 { return ^((w | highBits) - ' '*eachByte) &^ w & highBits }

// equalBytes sets the high bit of exactly those bytes of w that are c.
func equalBytes(w uint64, c byte) uint64 {
	w ^= eachByte * uint64(c)
	return ^((w | highBits) - eachByte | w) & highBits
}

// positions gathers the high bits of eight bytes in eight bits, the first byte lowest.
func positions(high uint64) int { return int(high >> 7 * 0x0102040810204080 >> 56) }
