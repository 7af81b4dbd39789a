package jsonrpc

import "unicode/utf8"

// AppendString appends s as a JSON string. Non-ASCII text leaves as raw UTF-8, only what JSON must
// have escaped is escaped, and each byte that is not UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; ; {
		end, nonASCII := plainRun(s, i)
		if nonASCII && !utf8.ValidString(s[i:end]) {
			dst = appendRepaired(dst, s[i:end])
		} else {
			dst = append(dst, s[i:end]...)
		}
		if end == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[end])
		i = end + 1
	}
}

// appendRepaired appends s with U+FFFD for each byte that is not part of a valid encoding.
func appendRepaired(dst []byte, s string) []byte {
	for _, r := range s {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
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
