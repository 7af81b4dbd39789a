package procedure_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

// TestSchemas holds the builders to the shapes that clients of procedures know, byte for byte.
func TestSchemas(t *testing.T) {
	object, list := schema.Object(), schema.Array(schema.Integer())
	cases := []struct {
		rule  string
		of    *schema.Schema
		plain string
		with  string // with a description
	}{
		{"null", schema.Null(), `{"type":"null"}`, `{"type":"null","description":"D"}`},
		{"integer", schema.Integer(), `{"type":"integer"}`, `{"type":"integer","description":"D"}`},
		{"number", schema.Number(), `{"type":"number"}`, `{"type":"number","description":"D"}`},
		{"string", schema.String(), `{"type":"string"}`, `{"type":"string","description":"D"}`},
		{"boolean", schema.Boolean(), `{"type":"boolean"}`, `{"type":"boolean","description":"D"}`},
		{"empty object", object, `{"type":"object","properties":{},"required":[]}`, `{"type":"object","description":"D","properties":{},"required":[]}`},
		{"strict empty object", object.Strict(), `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, `{"type":"object","description":"D","properties":{},"required":[],"additionalProperties":false}`},
		{"array", list, `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","description":"D","items":{"type":"integer"}}`},
		{"enum", schema.Enum("a", "b"), `{"type":"string","enum":["a","b"]}`, `{"type":"string","description":"D","enum":["a","b"]}`},
		{"empty enum", schema.Enum(), `{"type":"string","enum":[]}`, `{"type":"string","description":"D","enum":[]}`},
		{"nullable primitive", schema.Nullable(schema.String()), `{"type":["string","null"]}`, `{"type":["string","null"],"description":"D"}`},
		{"nullable integer", schema.Nullable(schema.Integer()), `{"type":["integer","null"]}`, `{"type":["integer","null"],"description":"D"}`},
		{"nullable enum keeps its values", schema.Nullable(schema.Enum("a", "b")), `{"type":["string","null"],"enum":["a","b",null]}`, `{"type":["string","null"],"description":"D","enum":["a","b",null]}`},
		{"nullable object", schema.Nullable(object), `{"oneOf":[{"type":"object","properties":{},"required":[]},{"type":"null"}]}`, `{"oneOf":[{"type":"object","properties":{},"required":[]},{"type":"null"}],"description":"D"}`},
		{"nullable array", schema.Nullable(list), `{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}`, `{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}],"description":"D"}`},
		{"nullable null collapses", schema.Nullable(schema.Null()), `{"type":"null"}`, `{"type":"null","description":"D"}`},
		{"nullable is idempotent", schema.Nullable(schema.Nullable(schema.String())), `{"type":["string","null"]}`, `{"type":["string","null"],"description":"D"}`},
		{"nullable is idempotent for objects", schema.Nullable(schema.Nullable(object)), `{"oneOf":[{"type":"object","properties":{},"required":[]},{"type":"null"}]}`, `{"oneOf":[{"type":"object","properties":{},"required":[]},{"type":"null"}],"description":"D"}`},
		{
			"nullable array of nullable integers", schema.Nullable(schema.Array(schema.Nullable(schema.Integer()))),
			`{"oneOf":[{"type":"array","items":{"type":["integer","null"]}},{"type":"null"}]}`,
			`{"oneOf":[{"type":"array","items":{"type":["integer","null"]}},{"type":"null"}],"description":"D"}`,
		},
		{
			"required and optional properties keep their order and their descriptions",
			schema.Object().Prop("name", schema.String().Describe("Name to look up")).Prop("limit", schema.Integer().Describe("Maximum rows")).Optional("limit"),
			`{"type":"object","properties":{"name":{"type":"string","description":"Name to look up"},"limit":{"type":"integer","description":"Maximum rows"}},"required":["name"]}`,
			`{"type":"object","description":"D","properties":{"name":{"type":"string","description":"Name to look up"},"limit":{"type":"integer","description":"Maximum rows"}},"required":["name"]}`,
		},
		{
			"descriptions stay inside what they describe",
			schema.Array(schema.Nullable(schema.Object().Prop("a", schema.Null().Describe("世界")))),
			`{"type":"array","items":{"oneOf":[{"type":"object","properties":{"a":{"type":"null","description":"世界"}},"required":["a"]},{"type":"null"}]}}`,
			`{"type":"array","description":"D","items":{"oneOf":[{"type":"object","properties":{"a":{"type":"null","description":"世界"}},"required":["a"]},{"type":"null"}]}}`,
		},
		{"strict comes last", object.Prop("a", schema.Boolean()).Strict(), `{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false}`, `{"type":"object","description":"D","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false}`},
		{"values keep their order, the empty one too", schema.Enum("b", "", "a"), `{"type":"string","enum":["b","","a"]}`, `{"type":"string","description":"D","enum":["b","","a"]}`},
		{"an empty description is left out", schema.String().Describe(""), `{"type":"string"}`, `{"type":"string","description":"D"}`},
		{"everything is escaped", schema.Object().Prop("a\"\\\n世😀", schema.Enum("x\"\t")), `{"type":"object","properties":{"a\"\\\n世😀":{"type":"string","enum":["x\"\t"]}},"required":["a\"\\\n世😀"]}`, `{"type":"object","description":"D","properties":{"a\"\\\n世😀":{"type":"string","enum":["x\"\t"]}},"required":["a\"\\\n世😀"]}`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			for text, s := range map[string]*schema.Schema{c.plain: c.of, c.with: c.of.Describe("D")} {
				got, err := s.MarshalJSON()
				if err != nil || string(got) != text {
					t.Errorf("got %s (%v)\nwant %s", got, err, text)
				}
				if !json.Valid(got) {
					t.Error("no valid JSON")
				}
			}
		})
	}
}

func TestASchemaIsSharedSafely(t *testing.T) {
	shared := schema.Object().Prop("a", schema.String())
	_ = shared.Prop("b", schema.String())
	_ = shared.Optional("a").Strict().Describe("changed")
	got, err := shared.MarshalJSON()
	if want := `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`; err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s: every method returns a copy", got, err, want)
	}
}

func TestMistakesInASchemaAreReported(t *testing.T) {
	for want, s := range map[string]*schema.Schema{
		`property "a" is already defined`:  schema.Object().Prop("a", schema.String()).Prop("a", schema.Integer()),
		`Optional("x") names no property`:  schema.Object().Optional("x"),
		`the value "a" is listed twice`:    schema.Enum("a", "a"),
		"only schema.Object() has members": schema.String().Prop("a", schema.String()),
	} {
		if _, err := s.MarshalJSON(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestACompiledSchemaCanBeInspected(t *testing.T) {
	c, err := schema.Object().
		Prop("unit", schema.Enum("c", "f").Describe("D")).
		Prop("n", schema.Integer()).Optional("n").
		Compile(schema.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := c.Properties()
	if len(got) != 2 || got[0].Name != "unit" || got[0].Type != "string" || got[0].Description != "D" || !got[0].Required ||
		!slices.Equal(got[0].Enum, []string{"c", "f"}) || got[1].Name != "n" || got[1].Type != "integer" || got[1].Required {
		t.Errorf("got %+v", got)
	}
}
