package schema

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// appendCanonical writes a valid JSON value so that equal values have equal bytes: numbers by their exact value, strings
// with one spelling, members sorted by name.
//
// JSON Schema validation 6.1.2, 6.1.3 and 6.4.3 compare values in this sense.
func appendCanonical(dst []byte, l *lexer) []byte {
	switch c := l.peek(); c {
	case '{':
		return appendCanonicalObject(dst, l)
	case '[':
		l.pos++
		dst = append(dst, '[')
		for first := true; ; first = false {
			another, ok := l.more(']', first)
			if !ok || !another {
				return append(dst, ']')
			}
			dst = append(appendCanonical(dst, l), ',')
		}
	case '"':
		return appendCanonicalText(dst, l)
	case 't', 'f', 'n':
		start := l.pos
		if !l.literal("true") && !l.literal("false") && !l.literal("null") {
			l.pos = len(l.src)
		}
		return append(dst, l.src[start:l.pos]...)
	}
	literal, _, ok := l.number()
	if !ok {
		l.pos = len(l.src)
		return dst
	}
	return appendCanonicalNumber(dst, literal)
}

func appendCanonicalText(dst []byte, l *lexer) []byte {
	raw, escaped, ok := l.text()
	if !ok {
		l.pos = len(l.src)
		return dst
	}
	if escaped {
		return jsonstring.AppendQuoted(dst, jsonstring.Unescape(raw))
	}
	return append(append(append(dst, '"'), raw...), '"')
}

func appendCanonicalNumber(dst, literal []byte) []byte {
	var buf [64]byte
	d := parseDecimal(literal, buf[:])
	if d.zero() {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	dst = append(append(dst, d.digits...), 'e')
	return strconv.AppendInt(dst, d.exp, 10)
}

func appendCanonicalObject(dst []byte, l *lexer) []byte {
	l.pos++
	var members [][]byte
	for first := true; ; first = false {
		another, ok := l.more('}', first)
		if !ok || !another {
			break
		}
		if l.peek() != '"' {
			l.pos = len(l.src)
			break
		}
		member := appendCanonicalText(nil, l)
		l.take(':')
		members = append(members, appendCanonical(append(member, ':'), l))
	}
	slices.SortFunc(members, bytes.Compare)
	dst = append(dst, '{')
	for _, m := range members {
		dst = append(append(dst, m...), ',')
	}
	return append(dst, '}')
}

// canonical returns the canonical text of a valid JSON value.
func canonical(value []byte) string {
	return string(appendCanonical(nil, &lexer{src: value}))
}
