package schema

import "strings"

// describeKind names the kind of a JSON value by its first byte.
func describeKind(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// clip shortens text for a message to 60 code points.
func clip(text string) string {
	const most = 60
	count := 0
	for i := range text {
		if count == most {
			return strings.ToValidUTF8(text[:i], "\uFFFD") + "…"
		}
		count++
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// describeValue words a JSON value: short scalars as they are, the rest by kind.
func describeValue(value []byte) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '{', '[':
		return describeKind(value[0])
	case '"':
		const prefix = 4 * 64 // bytes that hold what clip keeps
		if len(value) > prefix+2 {
			value = value[:prefix]
		}
		return clip(string(value))
	}
	return clip(string(value[:min(len(value), 64)]))
}
