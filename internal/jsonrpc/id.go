package jsonrpc

import "strconv"

// ID is the id of a request: a JSON string or an integer literal, kept as its exact text, so that
// an answer echoes what the peer wrote whatever its size. The zero ID is no id. IDs are comparable;
// 7 and "7" are different ids, and so are two spellings of one string.
type ID struct{ text string }

// IDFromNumber returns the id whose text is n in decimal.
func IDFromNumber(n int64) ID { return ID{strconv.FormatInt(n, 10)} }

// IDFromText returns the id with the JSON text given, for instance `7` or `"a"`. It returns the zero
// ID when text is not a JSON string or an integer literal.
func IDFromText(text string) ID {
	if !IsIntegerOrString([]byte(text)) {
		return ID{}
	}
	return ID{text}
}

// Text returns the exact JSON text: `7`, `"a"`, or nothing for the zero ID.
func (id ID) Text() string { return id.text }

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.text == "" }

// IsIntegerOrString reports whether raw is a JSON string or an integer literal and nothing else,
// blanks included: the rule for ids and for progress tokens. Numbers with a fraction or an exponent
// are refused even where their value is whole.
func IsIntegerOrString(raw []byte) bool {
	if len(raw) == 0 {
		return false
	}
	s := scanner{data: raw}
	if raw[0] == '"' {
		end, _ := s.text(0)
		return end == len(raw)
	}
	digits := 0
	if raw[0] == '-' {
		digits = 1
	}
	return s.integer(digits) == len(raw)
}
