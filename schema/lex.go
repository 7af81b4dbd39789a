package schema

import "github.com/bowline-go/mcp/internal/jsonstring"

// A lexer reads JSON text, one token at a time, and strictly unless that was done before. src[pos:] is what is left.
type lexer struct {
	src     []byte
	pos     int
	trusted bool // the strings are known to be strict
}

func (l *lexer) space() {
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case ' ', '\t', '\n', '\r':
			l.pos++
		default:
			return
		}
	}
}

// peek returns the first byte behind white space, or 0 at the end.
func (l *lexer) peek() byte {
	if l.pos < len(l.src) && l.src[l.pos] > ' ' {
		return l.src[l.pos] // as a rule; that it takes no call saves a twentieth of a small check
	}
	return l.peekBehindSpace()
}

func (l *lexer) peekBehindSpace() byte {
	l.space()
	if l.pos < len(l.src) {
		return l.src[l.pos]
	}
	return 0
}

// take consumes c behind white space.
func (l *lexer) take(c byte) bool {
	if l.peek() != c {
		return false
	}
	l.pos++
	return true
}

// more separates members and elements: it consumes a comma or the closing byte. first says that none was read yet.
func (l *lexer) more(closing byte, first bool) (another, ok bool) {
	switch c := l.peek(); {
	case c == closing:
		l.pos++
		return false, true
	case first:
		return true, true
	case c == ',':
		l.pos++
		return true, l.peek() != closing
	}
	return false, false
}

// literal consumes true, false or null.
func (l *lexer) literal(word string) bool {
	if len(l.src)-l.pos < len(word) || string(l.src[l.pos:l.pos+len(word)]) != word {
		return false
	}
	l.pos += len(word)
	return true
}

// number consumes a number and returns its literal. integer says that it has neither fraction nor exponent.
func (l *lexer) number() (literal []byte, integer, ok bool) {
	start := l.pos
	if l.pos, integer, ok = numberEnd(l.src, start); !ok {
		return nil, false, false
	}
	return l.src[start:l.pos], integer, true
}

// numberEnd returns the position behind the number at p, or where it is none.
func numberEnd(src []byte, p int) (end int, integer, ok bool) {
	if isAt(src, p, '-') {
		p++
	}
	if isAt(src, p, '0') {
		p++
	} else if p, ok = digits(src, p); !ok {
		return p, false, false
	}
	integer = true
	if isAt(src, p, '.') {
		integer = false
		if p, ok = digits(src, p+1); !ok {
			return p, false, false
		}
	}
	if isAt(src, p, 'e') || isAt(src, p, 'E') {
		p++
		integer = false
		if isAt(src, p, '+') || isAt(src, p, '-') {
			p++
		}
		if p, ok = digits(src, p); !ok {
			return p, false, false
		}
	}
	return p, integer, true
}

func isAt(src []byte, p int, c byte) bool { return p < len(src) && src[p] == c }

// digits passes over one or more digits.
func digits(src []byte, p int) (end int, ok bool) {
	end = p
	for end < len(src) && src[end]-'0' <= 9 {
		end++
	}
	return end, end > p
}

// text consumes a string whose first quote is at pos, and returns what stands between the quotes.
func (l *lexer) text() (raw []byte, escaped, ok bool) {
	start := l.pos + 1
	if quote := jsonstring.Short(l.src, start); quote > 0 {
		l.pos = quote + 1
		return l.src[start:quote], false, true
	}
	if l.trusted {
		l.pos, escaped, ok = jsonstring.EndOfValid(l.src, l.pos)
	} else {
		var fault string
		l.pos, escaped, fault = jsonstring.End(l.src, l.pos)
		ok = fault == ""
	}
	if !ok {
		return nil, false, false
	}
	return l.src[start : l.pos-1], escaped, true
}

// skip consumes any value, at most depth levels deep.
func (l *lexer) skip(depth int) bool {
	switch c := l.peek(); c {
	case '{', '[':
		return l.skipItems(c, depth)
	case '"':
		_, _, ok := l.text()
		return ok
	case 't':
		return l.literal("true")
	case 'f':
		return l.literal("false")
	case 'n':
		return l.literal("null")
	}
	_, _, ok := l.number()
	return ok
}

func (l *lexer) skipItems(opening byte, depth int) bool {
	if depth <= 0 {
		return false
	}
	l.pos++
	for first := true; ; first = false {
		another, ok := l.more(opening+2, first)
		if !ok || !another {
			return ok
		}
		if opening == '{' && !l.skipName() {
			return false
		}
		if !l.skip(depth - 1) {
			return false
		}
	}
}

// skipName consumes a member name and its colon.
func (l *lexer) skipName() bool {
	if l.peek() != '"' {
		return false
	}
	_, _, ok := l.text()
	return ok && l.take(':')
}

// name consumes a member name and its colon, and returns what the name says.
func (l *lexer) name() (name string, ok bool) {
	if l.peek() != '"' {
		return "", false
	}
	raw, escaped, ok := l.text()
	if !ok || !l.take(':') {
		return "", false
	}
	if escaped {
		return jsonstring.Unescape(raw), true
	}
	return string(raw), true
}
