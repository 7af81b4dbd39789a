package jsonrpc

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

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

// word returns eight bytes as one number, the first lowest.
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

// text reads the string whose opening quote stands at p and returns the position behind its closing
// quote, or -1, and whether it holds escapes.
func (s *scanner) text(p int) (end int, escaped bool) {
	nonASCII := false
	for i := p + 1; ; {
		run, high := plainRun(s.data, i)
		nonASCII = nonASCII || high
		if run >= len(s.data) {
			return s.fail(run, "the text ends inside a string"), false
		}
		switch s.data[run] {
		case '"':
			// Escapes are ASCII, so the string is valid UTF-8 exactly if its spelling is.
			if nonASCII && !utf8.Valid(s.data[p+1:run]) {
				return s.fail(p, "a string is not valid UTF-8"), false
			}
			return run + 1, escaped
		case '\\':
			escaped = true
			if i = s.escape(run); i < 0 {
				return -1, false
			}
		default:
			return s.fail(run, "a control character in a string must be escaped"), false
		}
	}
}

// escape reads the escape sequence at p, with a surrogate pair as one, and returns the position
// behind it, or -1.
func (s *scanner) escape(p int) int {
	if p+1 >= len(s.data) {
		return s.fail(p, "the text ends inside a string")
	}
	switch s.data[p+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return p + 2
	case 'u':
		unit, ok := hexUnit(s.data[p+2:])
		if !ok {
			return s.fail(p, `expected four hexadecimal digits after \u`)
		}
		if unit < surrogateMin || unit > surrogateMax {
			return p + 6
		}
		if unit < lowSurrogateMin && bytes.HasPrefix(s.data[p+6:], []byte(`\u`)) {
			if low, ok := hexUnit(s.data[p+8:]); ok && low >= lowSurrogateMin && low <= surrogateMax {
				return p + 12
			}
		}
		return s.fail(p, `a surrogate without its pair in a \u escape`)
	}
	return s.fail(p, "unknown escape in a string")
}

const (
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

// Unquote returns the text of raw, a JSON string with its quotes and nothing around them. The text
// aliases raw when it has no escapes. ok is false when raw is anything else.
func Unquote(raw []byte) (text []byte, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, false
	}
	s := scanner{data: raw}
	if end, _ := s.text(0); end != len(raw) {
		return nil, false
	}
	return stringText(raw)
}

// stringText is Unquote for a raw value of which the strict pass has seen that it is valid.
func stringText(raw []byte) (text []byte, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, false
	}
	text = raw[1 : len(raw)-1 : len(raw)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		return appendUnescaped(make([]byte, 0, len(text)), text), true
	}
	return text, true
}

// appendUnescaped appends the text that spelling stands for: the inside of a string that was scanned.
func appendUnescaped(dst, spelling []byte) []byte {
	for {
		i := bytes.IndexByte(spelling, '\\')
		if i < 0 {
			return append(dst, spelling...)
		}
		dst = append(dst, spelling[:i]...)
		size := 2
		switch c := spelling[i+1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hexUnit(spelling[i+2:])
			size = 6
			if r >= surrogateMin && r <= surrogateMax {
				low, _ := hexUnit(spelling[i+8:])
				r = 0x10000 + (r-surrogateMin)<<10 + (low - lowSurrogateMin)
				size = 12
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
		spelling = spelling[i+size:]
	}
}
