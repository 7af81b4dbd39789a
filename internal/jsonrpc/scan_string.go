package jsonrpc

import (
	"bytes"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// text reads the string whose opening quote stands at p and returns the position behind its closing
// quote, or -1, and whether it holds escapes.
func (s *scanner) text(p int) (end int, escaped bool) {
	end, escaped, fault := jsonstring.End(s.data, p)
	if fault != "" {
		return s.fail(end, fault), false
	}
	return end, escaped
}

// Unquote returns the text of raw, a JSON string with its quotes and nothing around them. The text
// aliases raw when it has no escapes. ok is false when raw is anything else.
func Unquote(raw []byte) (text []byte, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, false
	}
	if end, _, fault := jsonstring.End(raw, 0); fault != "" || end != len(raw) {
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
		return jsonstring.AppendUnescaped(make([]byte, 0, len(text)), text), true
	}
	return text, true
}
