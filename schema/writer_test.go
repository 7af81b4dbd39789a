package schema_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// A writer makes random schemas and values from one seed. The values are close to what the schemas ask for.
type writer struct {
	*rand.Rand
	b     strings.Builder
	exact bool // numbers are exact as float64
}

func newWriter(seed uint64) *writer { return &writer{Rand: rand.New(rand.NewPCG(seed, 7))} }

func (w *writer) chance(percent int) bool { return w.IntN(100) < percent }

func (w *writer) pick(of ...string) string { return of[w.IntN(len(of))] }

func (w *writer) take() string {
	text := w.b.String()
	w.b.Reset()
	return text
}

var memberNames = []string{"a", "b", "世", "😀", "a b"}

func (w *writer) number() string {
	if w.exact {
		return w.bound()
	}
	return w.pick("0", "-0", "1", "-1", "2", "3", "7", "1.0", "2.5", "-2.5", "0.5", "1e1", "1e0", "25e-1", "100e-2", "9007199254740993", "9007199254740992",
		"-9223372036854775808", "9223372036854775807", "18446744073709551615", "1e18", "4611686018427387904", "1e300", "-1e300", "5e-324")
}

// bound is a number that the general validator, which has float64 bounds, knows exactly.
func (w *writer) bound() string {
	return w.pick("0", "1", "2", "-1", "2.5", "0.5", "7", "1e1", "9007199254740992", "4611686018427387904", "1e300")
}

func (w *writer) text() string {
	return w.pick(`""`, `"a"`, `"ab"`, `"abc"`, `"世"`, `"世界"`, `"\u4e16"`, `"😀"`, `"\ud83d\ude00x"`, `"a\nb"`, `"A"`, `"null"`, `"1"`)
}

func (w *writer) value(depth int) {
	switch n := w.IntN(10); {
	case n < 3:
		w.b.WriteString(w.number())
	case n < 6:
		w.b.WriteString(w.text())
	case n == 6:
		w.b.WriteString(w.pick("true", "false", "null"))
	case depth <= 0:
		w.b.WriteString(w.pick("[]", "{}", " [ ] ", "{ }"))
	case n == 7:
		w.b.WriteByte('[')
		for i := range w.IntN(4) {
			if i > 0 {
				w.b.WriteString(w.pick(",", " , "))
			}
			w.value(depth - 1)
		}
		w.b.WriteByte(']')
	default:
		w.object(func(string) { w.value(depth - 1) })
	}
}

func (w *writer) object(value func(name string)) {
	w.b.WriteByte('{')
	first := true
	for _, name := range memberNames {
		if w.chance(50) {
			continue
		}
		if !first {
			w.b.WriteByte(',')
		}
		first = false
		quoted := strconv.QuoteToASCII(name) // escapes what is not ASCII
		if w.chance(70) || strings.Contains(quoted, `\U`) {
			quoted = strconv.Quote(name)
		}
		w.b.WriteString(quoted + w.pick(":", " : "))
		value(name)
	}
	w.b.WriteByte('}')
}

func (w *writer) schema(depth int) {
	w.b.WriteByte('{')
	first := true
	word := func(percent int, name string, value func()) {
		if !w.chance(percent) {
			return
		}
		if !first {
			w.b.WriteByte(',')
		}
		first = false
		w.b.WriteString(strconv.Quote(name) + ":")
		value()
	}
	put := func(text string) func() { return func() { w.b.WriteString(text) } }
	word(70, "type", put(w.pick(`"string"`, `"integer"`, `"number"`, `"object"`, `"object"`, `"array"`, `"boolean"`, `"null"`, `["string","null"]`, `["integer","object"]`, `["number","array","boolean"]`)))
	w.exact = true // the twin reads what a schema lists as float64
	word(10, "enum", func() { w.list(depth) })
	word(5, "const", func() { w.value(1) })
	w.exact = false
	word(15, "minimum", put(w.bound()))
	word(15, "maximum", put(w.bound()))
	word(5, "exclusiveMinimum", put(w.bound()))
	word(5, "exclusiveMaximum", put(w.bound()))
	word(8, "multipleOf", put(w.pick("1", "2", "0.5", "4.0")))
	word(10, "minLength", put(w.pick("0", "1", "2")))
	word(10, "maxLength", put(w.pick("0", "1", "2.0")))
	word(8, "pattern", put(w.pick(`"^a"`, `"世"`, `"^.$"`, `"^$"`)))
	word(5, "format", put(`"date-time"`))
	word(8, "minItems", put(w.pick("1", "2")))
	word(8, "maxItems", put(w.pick("0", "1", "2")))
	word(10, "uniqueItems", put(w.pick("true", "false")))
	word(5, "minProperties", put(w.pick("1", "2")))
	word(5, "maxProperties", put(w.pick("0", "1", "3")))
	word(20, "required", put(w.pick(`[]`, `["a"]`, `["a","世"]`, `["b","😀"]`)))
	word(5, "description", put(`"D"`))
	if depth > 0 {
		word(50, "properties", func() { w.object(func(string) { w.schema(depth - 1) }) })
		word(30, "additionalProperties", func() {
			if w.chance(50) {
				w.b.WriteString(w.pick("false", "true"))
				return
			}
			w.schema(depth - 1)
		})
		word(30, "items", func() { w.schema(depth - 1) })
	}
	w.b.WriteByte('}')
}

func (w *writer) list(depth int) {
	w.b.WriteByte('[')
	for i := range w.IntN(4) {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.value(min(depth, 1))
	}
	w.b.WriteByte(']')
}

// root is a schema, sometimes with a definition that it and itself refer to, and sometimes nullable.
func (w *writer) root() string {
	w.schema(2)
	text := w.take()
	switch w.IntN(4) {
	case 0:
		w.schema(1)
		definition := strings.TrimSuffix(strings.ReplaceAll(w.take(), `"b":{`, `"b":{"$ref":"#/$defs/d"},"c":{`), "}")
		comma := ","
		if definition == "{" {
			comma = ""
		}
		definition += comma + `"title":"T"}`
		return `{"type":["object","array","null","integer"],"properties":{"a":{"$ref":"#/$defs/d"},"世":` + text + `},"items":{"$ref":"#"},"$defs":{"d":` + definition + `}}`
	case 1:
		return w.pick(`{"anyOf":[`, `{"oneOf":[`) + text + `,{"type":"null"}]}`
	}
	return text
}
