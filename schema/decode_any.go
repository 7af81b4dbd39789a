package schema

import (
	"math"
	"strconv"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// goValue takes any value as nil, bool, string, []any, map[string]any or a number: an int64, a uint64 when only that holds
// it, or else a float64. It returns false for a number that none of them holds, and for text that is not JSON.
func (l *lexer) goValue(depth int) (any, bool) {
	switch c := l.peek(); c {
	case '{':
		return l.goMap(depth)
	case '[':
		return l.goSlice(depth)
	case '"':
		raw, escaped, ok := l.text()
		if escaped && ok {
			return jsonstring.Unescape(raw), true
		}
		return string(raw), ok
	case 't':
		return true, l.literal("true")
	case 'f':
		return false, l.literal("false")
	case 'n':
		return nil, l.literal("null")
	}
	literal, integer, ok := l.number()
	if !ok {
		return nil, false
	}
	return goNumber(literal, integer)
}

func goNumber(literal []byte, integer bool) (any, bool) {
	if integer {
		if n, ok := parseInt(literal); ok {
			return n, true
		}
		if n, ok := parseDecimal(literal, nil).uint64(); ok && literal[0] != '-' {
			return n, true
		}
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

func (l *lexer) goMap(depth int) (any, bool) {
	made := map[string]any{}
	if l.pos++; depth <= 0 {
		return nil, false
	}
	for first := true; ; first = false {
		another, ok := l.more('}', first)
		if !ok || !another {
			return made, ok
		}
		name, ok := l.name()
		if !ok {
			return nil, false
		}
		if made[name], ok = l.goValue(depth - 1); !ok {
			return nil, false
		}
	}
}

func (l *lexer) goSlice(depth int) (any, bool) {
	made := []any{}
	if l.pos++; depth <= 0 {
		return nil, false
	}
	for first := true; ; first = false {
		another, ok := l.more(']', first)
		if !ok || !another {
			return made, ok
		}
		item, ok := l.goValue(depth - 1)
		if !ok {
			return nil, false
		}
		made = append(made, item)
	}
}
