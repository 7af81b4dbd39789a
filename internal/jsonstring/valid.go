package jsonstring

import "unicode/utf8"

// Two runes of three bytes each, as most of Chinese, Japanese and Korean text is: their fixed bits, and the bits of the
// second bytes that a lead byte of 0xE0 or 0xED restricts.
const (
	pairMask  = 0xc0c0f0c0c0f0
	pairFixed = 0x8080e08080e0
)

// Valid reports whether s is valid UTF-8. It passes over ASCII in blocks and over runes of three bytes in pairs; the
// rest is left to unicode/utf8.
func Valid[T string | []byte](s T) bool {
	for {
		for len(s) >= 32 && (word(s[:8])|word(s[8:16])|word(s[16:24])|word(s[24:32]))&highBits == 0 {
			s = s[32:]
		}
		for len(s) >= 8 && word(s)&highBits == 0 {
			s = s[8:]
		}
		for len(s) > 0 && s[0] < utf8.RuneSelf {
			s = s[1:]
		}
		if len(s) == 0 {
			return true
		}
		for len(s) >= 8 {
			w := word(s)
			if w&pairMask != pairFixed || restricted(byte(w)) || restricted(byte(w>>24)) {
				break
			}
			s = s[6:]
		}
		for len(s) > 0 && s[0] >= utf8.RuneSelf {
			size := runeSize(s)
			if size == 0 {
				return false
			}
			s = s[size:]
		}
	}
}

// restricted says that a lead byte does not allow each continuation byte behind it: overlong forms and surrogates.
func restricted(lead byte) bool { return lead == 0xe0 || lead == 0xed }

// runeSize is the length of the encoding that s begins with, 0 when it is none.
func runeSize[T string | []byte](s T) int {
	if c := s[0]; len(s) >= 2 && 0xc2 <= c && c < 0xe0 && s[1]&0xc0 == 0x80 {
		return 2
	}
	if c := s[0]; len(s) >= 3 && c&0xf0 == 0xe0 && !restricted(c) && s[1]&0xc0 == 0x80 && s[2]&0xc0 == 0x80 {
		return 3
	}
	r, size := firstRune(s)
	if r == utf8.RuneError && size == 1 {
		return 0
	}
	return size
}
