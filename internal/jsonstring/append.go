package jsonstring

import "unicode/utf8"

// LongestEscape is how many bytes one byte of text can grow to: a control becomes \u00xx.
const LongestEscape = 6

// AppendQuoted appends s as a JSON string with its quotes. Non-ASCII text leaves as raw UTF-8, only
// what JSON must have escaped is escaped, and each byte that is not UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// AppendEscaped is AppendQuoted without the quotes.
func AppendEscaped(dst []byte, s string) []byte { return appendEscaped(dst, s, utf8.ValidString) }

// AppendEscapedBytes is [AppendEscaped] for bytes.
func AppendEscapedBytes(dst, s []byte) []byte { return appendEscaped(dst, s, utf8.Valid) }

// appendEscaped copies run by run. What ends a run is ASCII, so each run is valid UTF-8 by itself or not.
func appendEscaped[T string | []byte](dst []byte, s T, valid func(T) bool) []byte {
	for i := 0; ; {
		end, nonASCII := plainRun(s, i)
		if nonASCII && !valid(s[i:end]) {
			dst = appendRepaired(dst, s[i:end])
		} else {
			dst = append(dst, s[i:end]...)
		}
		if end == len(s) {
			return dst
		}
		dst = appendEscape(dst, s[end])
		i = end + 1
	}
}

// appendRepaired appends s with U+FFFD for each byte that is not part of a valid encoding.
func appendRepaired[T string | []byte](dst []byte, s T) []byte {
	for len(s) > 0 {
		r, size := firstRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[size:]
	}
	return dst
}

// firstRune decodes the first rune of s: U+FFFD of one byte where it is not UTF-8.
func firstRune[T string | []byte](s T) (r rune, size int) {
	var start [utf8.UTFMax]byte
	return utf8.DecodeRune(start[:copy(start[:], s)])
}

// appendEscape appends the shortest escape of a quote, a backslash or a control.
func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(append(dst, `\u00`...), hex[c>>4], hex[c&15])
}
