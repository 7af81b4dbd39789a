package jsonstring

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// End reads the string whose opening quote stands at src[open] and returns the position behind its
// closing quote, and whether it holds escapes. When src has no strict string there, fault says in words
// for the peer what is wrong, and end is where; otherwise fault is empty.
//
// Blocks are cut from src together with their capacity, which is then known not to be nothing: the compiler leaves out a
// mask that the next load would wait for, a twelfth of the time of a text of 4 KiB.
func End(src []byte, open int) (end int, escaped bool, fault string) {
	all := uint64(0)
	for i, clean := open+1, 0; ; { // clean counts the words since the last escape: after some, more are taken at a time
		for clean >= 6 && len(src)-i >= 32 {
			block := src[i : i+32 : i+32]
			a, b, c, d := word(block[:8:8]), word(block[8:16:16]), word(block[16:24:24]), word(block[24:32])
			if hits(a)|hits(b)|hits(c)|hits(d) != 0 {
				break
			}
			all |= a | b | c | d
			i += 32
		}
		dense := false
		if clean > 0 && len(src)-i >= 16 {
			pair := src[i : i+16 : i+16]
			a, b := word(pair[:8]), word(pair[8:16:16])
			all |= a | b
			ha, hb := hits(a), hits(b)
			if ha|hb == 0 {
				i, clean = i+16, clean+2
				continue
			}
			i += firstOfTwo(ha, hb)
		} else if len(src)-i >= 8 {
			w := word(src[i : i+8 : i+8])
			all |= w
			h := hits(w)
			if h == 0 {
				i, clean = i+8, clean+1
				continue
			}
			i += bits.TrailingZeros64(h) / 8
			dense = clean == 0
		} else if i, all = endOfPlain(src, i, all); i == len(src) {
			return i, false, textEnds
		}
		switch src[i] {
		case '"':
			// Escapes are ASCII, so the string is valid UTF-8 exactly if its spelling is.
			if all&highBits != 0 && !Valid(src[open+1:i]) {
				return open, false, "a string is not valid UTF-8"
			}
			return i + 1, escaped, ""
		case '\\':
			at, high := i, false
			if i, high, fault = escapeRun(src, i, dense); fault != "" {
				return at, false, fault
			}
			if escaped = true; high {
				all |= highBits
			}
			clean = 0
		default:
			return i, false, "a control character in a string must be escaped"
		}
	}
}

// endOfPlain passes over what stands for itself from i on, byte by byte, and gathers the bits of it in all.
func endOfPlain(src []byte, i int, all uint64) (end int, seen uint64) {
	for i < len(src) && (src[i] >= utf8.RuneSelf || escapes[src[i]] == 0) {
		all |= uint64(src[i])
		i++
	}
	return i, all
}

// short holds what each escape of two bytes stands for, by its second byte.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escapeRun returns a position behind the escape sequence at p; where text is dense with escapes, behind others as well.
func escapeRun(src []byte, p int, dense bool) (end int, nonASCII bool, fault string) {
	switch {
	case p+1 == len(src) || short[src[p+1]] == 0:
		end, fault = escapeEnd(src, p)
		return end, false, fault
	case dense:
		end, nonASCII = denseRun(src, p+2)
		return end, nonASCII, ""
	}
	return p + 2, false, ""
}

// escapeEnd returns the position behind the long escape at p, with a surrogate pair as one.
func escapeEnd(src []byte, p int) (end int, fault string) {
	if p+1 >= len(src) {
		return p, textEnds
	}
	if src[p+1] != 'u' {
		return p, "unknown escape in a string"
	}
	unit, ok := hexUnit(src[p+2:])
	if !ok {
		return p, `expected four hexadecimal digits after \u`
	}
	if unit < surrogateMin || unit > surrogateMax {
		return p + 6, ""
	}
	if unit < lowSurrogateMin && bytes.HasPrefix(src[p+6:], []byte(`\u`)) {
		if low, ok := hexUnit(src[p+8:]); ok && low >= lowSurrogateMin && low <= surrogateMax {
			return p + 12, ""
		}
	}
	return p, `a surrogate without its pair in a \u escape`
}

const (
	textEnds = "the text ends inside a string"

	surrogateMin    = 0xD800
	lowSurrogateMin = 0xDC00
	surrogateMax    = 0xDFFF
)

// hexUnit returns the value of the four hexadecimal digits that b begins with.
func hexUnit(b []byte) (unit rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
