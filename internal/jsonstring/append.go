package jsonstring

import (
	"slices"
	"unicode/utf8"
)

// LongestEscape is how many bytes one byte of text can grow to: a control becomes \u00xx.
const LongestEscape = 6

// LeastRoom is the room below which [AppendSome] appends nothing.
const LeastRoom = escapeRoom

// AppendQuoted appends s as a JSON string with its quotes. Non-ASCII text leaves as raw UTF-8, only
// what JSON must have escaped is escaped, and each byte that is not UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	return append(AppendEscaped(append(dst, '"'), s), '"')
}

// AppendEscaped is AppendQuoted without the quotes.
func AppendEscaped[T string | []byte](dst []byte, s T) []byte {
	if !Valid(s) {
		return appendRepaired(dst, s)
	}
	for used := 0; ; {
		dst = slices.Grow(dst, len(s)+len(s)/16+escapeRoom)
		dst, used = AppendSome(dst, s)
		if s = s[used:]; len(s) == 0 {
			return dst
		}
	}
}

// AppendSome escapes as much of s as there is room for in dst, which does not grow, and returns how much
// that was: all of it, unless fewer than [LeastRoom] bytes are left. It does not look at UTF-8, so s must be
// valid, or a part of what is.
func AppendSome[T string | []byte](dst []byte, s T) (out []byte, used int) {
	written, used := escapeInto(dst[len(dst):cap(dst)], s)
	return dst[:len(dst)+written], used
}

// appendRepaired escapes s with U+FFFD for each byte that is not part of a valid encoding.
func appendRepaired[T string | []byte](dst []byte, s T) []byte {
	for len(s) > 0 {
		if s[0] < utf8.RuneSelf {
			dst, s = appendByte(dst, s[0]), s[1:]
			continue
		}
		r, size := firstRune(s)
		dst, s = utf8.AppendRune(dst, r), s[size:]
	}
	return dst
}

// appendByte escapes one byte of ASCII.
func appendByte(dst []byte, c byte) []byte {
	e := escapes[c]
	if e == 0 {
		return append(dst, c)
	}
	for left := e >> sizeAt; left > 0; left-- {
		dst = append(dst, byte(e))
		e >>= 8
	}
	return dst
}

// firstRune decodes the first rune of s: U+FFFD of one byte where it is not UTF-8.
func firstRune[T string | []byte](s T) (r rune, size int) {
	var start [utf8.UTFMax]byte
	return utf8.DecodeRune(start[:copy(start[:], s)])
}
