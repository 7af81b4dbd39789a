package uri

import (
	"strings"
	"unicode/utf8"
)

// reserved holds the characters whose triplet is not the same as the character itself: gen-delims and sub-delims of
// RFC 3986, and the percent sign.
const reserved = "!#$%&'()*+,/:;=?@[]"

// In canonical text a triplet of reserved[i] is the pair escapeMark, pairBase+i. Neither a character of valid UTF-8 nor a
// literal begins inside a pair, so a search can never cut one.
const (
	escapeMark = 0xFF
	pairBase   = 0x80
)

const upperHex = "0123456789ABCDEF"

// canonical brings text into the form in which it is compared: every escape decoded, except that reserved characters
// become pairs. It is false for malformed triplets and for what is not UTF-8 once decoded. Text without escapes is its own
// canonical form and costs no allocation.
func canonical(text string) (string, bool) {
	first := strings.IndexByte(text, '%')
	if first < 0 {
		return text, utf8.ValidString(text)
	}
	var out strings.Builder
	out.Grow(len(text))
	out.WriteString(text[:first])
	for i := first; i < len(text); i++ {
		c := text[i]
		if c == '%' {
			if !isTriplet(text, i) {
				return "", false
			}
			c = unhex(text[i+1])<<4 | unhex(text[i+2])
			i += 2
			if at := strings.IndexByte(reserved, c); at >= 0 {
				out.WriteByte(escapeMark)
				out.WriteByte(pairBase + byte(at))
				continue
			}
		}
		if c == escapeMark { // never UTF-8, and would pass for a pair
			return "", false
		}
		out.WriteByte(c)
	}
	return out.String(), validCanonical(out.String())
}

// validCanonical reports whether everything between the pairs is UTF-8. A pair stands for an ASCII character, which no
// sequence can span.
func validCanonical(s string) bool {
	for {
		at := strings.IndexByte(s, escapeMark)
		if at < 0 {
			return utf8.ValidString(s)
		}
		if !utf8.ValidString(s[:at]) {
			return false
		}
		s = s[at+2:]
	}
}

// decoded is the value that canonical text stands for.
func decoded(s string) string {
	at := strings.IndexByte(s, escapeMark)
	if at < 0 {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	for at >= 0 {
		out.WriteString(s[:at])
		out.WriteByte(reserved[s[at+1]-pairBase])
		s = s[at+2:]
		at = strings.IndexByte(s, escapeMark)
	}
	out.WriteString(s)
	return out.String()
}

// appendEscaped appends value with every byte escaped that is neither unreserved nor one of keep.
func appendEscaped(dst []byte, value, keep string) []byte {
	for i := range len(value) {
		c := value[i]
		if isUnreserved(c) || strings.IndexByte(keep, c) >= 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

func isTriplet(s string, at int) bool {
	return at+2 < len(s) && s[at] == '%' && isHex(s[at+1]) && isHex(s[at+2])
}

func isUnreserved(c byte) bool {
	return isNameByte(c) || c == '-' || c == '.' || c == '~'
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}
