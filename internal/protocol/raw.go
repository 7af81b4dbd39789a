package protocol

import (
	"bytes"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// The values in this file are spans of a message that was already checked, whole and strictly, when it
// was decoded. They are looked at where they lie. Text that was not checked ends a walk early; it
// never leads outside the span.

func isString(raw []byte) bool { return len(raw) >= 2 && raw[0] == '"' && raw[len(raw)-1] == '"' }
func isObject(raw []byte) bool { return len(raw) >= 2 && raw[0] == '{' && raw[len(raw)-1] == '}' }
func isNull(raw []byte) bool   { return string(raw) == "null" }

// absent says that a member is missing or null.
func absent(raw []byte) bool { return len(raw) == 0 || isNull(raw) }

// plain says whether a JSON string has no escapes, so that its text is the span between the quotes.
func plain(raw []byte) bool { return bytes.IndexByte(raw, '\\') < 0 }

// stringIs compares the JSON string raw with text, whatever way it is escaped. An escape is longer than
// what it stands for, so most strings are told apart by their lengths.
func stringIs(raw []byte, text string) bool {
	if !isString(raw) || len(raw)-2 < len(text) {
		return false
	}
	inner := raw[1 : len(raw)-1]
	if len(inner) == len(text) {
		return string(inner) == text && plain(inner)
	}
	if plain(inner) {
		return false
	}
	decoded, ok := jsonrpc.Unquote(raw)
	return ok && string(decoded) == text
}

// stringOf returns the text of a JSON string.
func stringOf(raw []byte) (string, bool) {
	if !isString(raw) {
		return "", false
	}
	decoded, ok := jsonrpc.Unquote(raw)
	return string(decoded), ok
}

// blanks are the bytes that may stand between the tokens of JSON.
const blanks = " \t\r\n"

// members walks over the members of an object.
type members struct {
	rest []byte
}

// membersOf begins a walk; blanks around the object do no harm.
func membersOf(object []byte) members {
	if !isObject(object) {
		object = bytes.Trim(object, blanks)
	}
	if !isObject(object) {
		return members{}
	}
	return members{rest: object[1 : len(object)-1]}
}

// next returns the raw name and value of the next member.
func (m *members) next() (name, value []byte, ok bool) {
	m.skip()
	if name, ok = m.take(); !ok || !isString(name) {
		return nil, nil, false
	}
	m.skip()
	if value, ok = m.take(); !ok {
		return nil, nil, false
	}
	return name, value, true
}

// skip passes over blanks and the marks between names and values.
func (m *members) skip() {
	for i, c := range m.rest {
		switch c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			m.rest = m.rest[i:]
			return
		}
	}
	m.rest = nil
}

// take cuts one value off the front.
func (m *members) take() (value []byte, ok bool) {
	if len(m.rest) == 0 {
		return nil, false
	}
	end := valueEnd(m.rest)
	if end <= 0 {
		return nil, false
	}
	value, m.rest = m.rest[:end], m.rest[end:]
	return value, true
}

// valueEnd returns where the JSON value at the front of b ends, or -1 when it does not.
func valueEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			n := stringEnd(b[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return i + scalarEnd(b[i:])
			}
			continue
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return -1
}

// stringEnd returns where the JSON string at the front of b ends, or -1 when it does not.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// scalarEnd returns where the number or word at the front of b ends.
func scalarEnd(b []byte) int {
	for i, c := range b {
		switch c {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']':
			return i
		}
	}
	return len(b)
}

// memberOf returns the raw value of the member of that name, nil when there is none.
func memberOf(object []byte, name string) []byte {
	for walk := membersOf(object); ; {
		key, value, ok := walk.next()
		if !ok {
			return nil
		}
		if stringIs(key, name) {
			return value
		}
	}
}

// hasStrings says whether raw is an object in which each of these members is a string.
func hasStrings(raw []byte, names ...string) bool {
	for _, name := range names {
		if !isString(memberOf(raw, name)) {
			return false
		}
	}
	return true
}
