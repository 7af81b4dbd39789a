package twin_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	santhosh "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/bowline-go/mcp/schema"
)

// A writer makes random schemas of the whole vocabulary, and values.
type writer struct {
	*rand.Rand
	b strings.Builder
}

func (w *writer) pick(of ...string) string { return of[w.IntN(len(of))] }

func (w *writer) list(from, below int, one func()) {
	w.b.WriteByte('[')
	for i := range from + w.IntN(below-from) {
		if i > 0 {
			w.b.WriteByte(',')
		}
		one()
	}
	w.b.WriteByte(']')
}

func (w *writer) object(one func()) {
	w.b.WriteByte('{')
	first := true
	for _, name := range []string{"a", "b", "世", "😀"} {
		if w.IntN(2) == 0 {
			continue
		}
		if !first {
			w.b.WriteByte(',')
		}
		first = false
		w.b.WriteString(strconv.Quote(name) + ":")
		one()
	}
	w.b.WriteByte('}')
}

func (w *writer) value(depth int) {
	switch n := w.IntN(9); {
	case n < 3:
		w.b.WriteString(w.pick("0", "1", "-1", "2", "2.0", "2.5", "7", "1e1", "0.3", "9007199254740992"))
	case n < 5:
		w.b.WriteString(w.pick(`""`, `"a"`, `"ab"`, `"世"`, `"世界"`, `"😀"`, `"\n"`))
	case n == 5 || depth == 0:
		w.b.WriteString(w.pick("true", "false", "null"))
	case n == 6:
		w.list(0, 4, func() { w.value(depth - 1) })
	default:
		w.object(func() { w.value(depth - 1) })
	}
}

func (w *writer) schema(depth int) {
	if w.IntN(20) == 0 {
		w.b.WriteString(w.pick("true", "false"))
		return
	}
	w.b.WriteByte('{')
	first := true
	word := func(percent int, name string, value func()) {
		if w.IntN(100) >= percent {
			return
		}
		if !first {
			w.b.WriteByte(',')
		}
		first = false
		w.b.WriteString(strconv.Quote(name) + ":")
		value()
	}
	text := func(of ...string) func() { return func() { w.b.WriteString(w.pick(of...)) } }
	word(40, "type", text(`"string"`, `"integer"`, `"number"`, `"object"`, `"array"`, `["object","array"]`, `["string","null"]`))
	word(8, "enum", func() { w.list(1, 4, func() { w.value(1) }) })
	word(5, "const", func() { w.value(1) })
	word(10, "minimum", text("0", "1", "2.5"))
	word(5, "exclusiveMaximum", text("2", "7", "0.3"))
	word(6, "multipleOf", text("1", "2", "0.5"))
	word(8, "minLength", text("1", "2"))
	word(6, "pattern", text(`"^a"`, `"世"`))
	word(10, "required", text(`["a"]`, `["世","b"]`))
	word(5, "maxProperties", text("1", "2"))
	word(5, "uniqueItems", text("true"))
	word(5, "minItems", text("1", "2"))
	word(5, "dependentRequired", text(`{"a":["b"]}`, `{"世":["😀","a"]}`))
	if depth > 0 {
		below := func() { w.schema(depth - 1) }
		for _, keyword := range []string{"items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems"} {
			word(9, keyword, below)
		}
		for _, keyword := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
			word(10, keyword, func() { w.list(1, 4, below) })
		}
		word(30, "properties", func() { w.object(below) })
		word(6, "dependentSchemas", func() { w.object(below) })
		word(8, "patternProperties", func() { w.b.WriteString(w.pick(`{"^a":`, `{"世|😀":`)); below(); w.b.WriteByte('}') })
	}
	w.b.WriteByte('}')
}

// santhoshDecides is the verdict of the other validator.
func santhoshDecides(t *testing.T, text, value string) bool {
	document, err := santhosh.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	compiler := santhosh.NewCompiler()
	if err := compiler.AddResource("s.json", document); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	other, err := compiler.Compile("s.json")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	instance, err := santhosh.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return other.Validate(instance) == nil
}

func compare(t *testing.T, seed uint64) bool {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 11))}
	w.schema(2)
	text := w.b.String()
	w.b.Reset()
	w.value(2)
	value := w.b.String()
	c, err := schema.Text(text).Compile(schema.CompileOptions{Role: schema.Output})
	if err != nil {
		t.Fatalf("seed %d: %s: %v", seed, text, err)
	}
	got, want := c.Validate([]byte(value)), santhoshDecides(t, text, value)
	if (got == nil) != want {
		t.Errorf("seed %d\nschema %s\nvalue  %s\ngot %v, want %v", seed, text, value, got, want)
	}
	return got == nil
}

func TestRandomSchemas(t *testing.T) {
	const runs = 3000
	accepted := 0
	for seed := range uint64(runs) {
		if compare(t, seed) {
			accepted++
		}
		if t.Failed() {
			return
		}
	}
	if accepted < runs/10 || accepted > runs*9/10 {
		t.Errorf("%d of %d values were accepted: the generator no longer tests both", accepted, runs)
	}
}

func FuzzRandomSchemas(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compare(t, seed) })
}
