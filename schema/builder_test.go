package schema_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

func TestBuilderText(t *testing.T) {
	object := func() *schema.Schema { return schema.Object() }
	for _, test := range []struct {
		rule   string
		schema *schema.Schema
		want   string
	}{
		{"null", schema.Null(), `{"type":"null"}`},
		{"null is described", schema.Null().Describe("D"), `{"type":"null","description":"D"}`},
		{"integer", schema.Integer(), `{"type":"integer"}`},
		{"integer is described", schema.Integer().Describe("D"), `{"type":"integer","description":"D"}`},
		{"number", schema.Number(), `{"type":"number"}`},
		{"string", schema.String(), `{"type":"string"}`},
		{"boolean", schema.Boolean(), `{"type":"boolean"}`},
		{"any value", schema.Any(), `{}`},
		{"any value is described", schema.Any().Describe("D"), `{"description":"D"}`},
		{"an empty object lists nothing as required", object(), `{"type":"object","properties":{},"required":[]}`},
		{"an object's description follows its type", object().Describe("D"), `{"type":"object","description":"D","properties":{},"required":[]}`},
		{"strict comes last", object().Strict(), `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{"title comes before description", schema.String().Describe("D").Title("T"), `{"type":"string","title":"T","description":"D"}`},
		{"an array", schema.Array(schema.String()), `{"type":"array","items":{"type":"string"}}`},
		{"items keep their own description", schema.Array(schema.String().Describe("I")).Describe("D"), `{"type":"array","description":"D","items":{"type":"string","description":"I"}}`},
		{"a map", schema.Map(schema.Integer()), `{"type":"object","additionalProperties":{"type":"integer"}}`},
		{"an enum", schema.Enum("a", "b").Describe("D"), `{"type":"string","description":"D","enum":["a","b"]}`},
		{"an empty enum", schema.Enum(), `{"type":"string","enum":[]}`},
		{"a nullable primitive has two types", schema.Nullable(schema.String()).Describe("D"), `{"type":["string","null"],"description":"D"}`},
		{"a nullable enum keeps its list", schema.Nullable(schema.Enum("a", "b")), `{"type":["string","null"],"enum":["a","b",null]}`},
		{"nullable null is null", schema.Nullable(schema.Null()), `{"type":"null"}`},
		{"nullable any is any", schema.Nullable(schema.Any()), `{}`},
		{"nullable is idempotent", schema.Nullable(schema.Nullable(object())), `{"oneOf":[{"type":"object","properties":{},"required":[]},{"type":"null"}]}`},
		{"a nullable object's description comes last", schema.Nullable(schema.Array(schema.Nullable(schema.Integer()))).Describe("D"), `{"oneOf":[{"type":"array","items":{"type":["integer","null"]}},{"type":"null"}],"description":"D"}`},
		{"titled choices are branches", schema.Choices(schema.Choice{Value: "r", Title: "Red"}, schema.Choice{Value: "g"}), `{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g"}]}`},
		{"nullable titled choices have a null branch", schema.Nullable(schema.Choices(schema.Choice{Value: "r", Title: "Red"})), `{"type":["string","null"],"oneOf":[{"const":"r","title":"Red"},{"type":"null"}]}`},
		{
			"members and required keep the order of declaration",
			object().Prop("name", schema.String().Describe("Name to look up")).Prop("limit", schema.Integer().Describe("Maximum rows")).Optional("limit").Describe("Search parameters"),
			`{"type":"object","description":"Search parameters","properties":{"name":{"type":"string","description":"Name to look up"},"limit":{"type":"integer","description":"Maximum rows"}},"required":["name"]}`,
		},
		{"bounds of a number", schema.Number().Min(0.5).Max(1e21).ExclusiveMin(-1).ExclusiveMax(2).MultipleOf(0.1), `{"type":"number","minimum":0.5,"maximum":1e+21,"exclusiveMinimum":-1,"exclusiveMaximum":2,"multipleOf":0.1}`},
		{"rules of a string", schema.String().MinLength(1).MaxLength(9).Pattern(`^\d+$`).Format("date"), `{"type":"string","minLength":1,"maxLength":9,"pattern":"^\\d+$","format":"date"}`},
		{"rules of an array", schema.Array(schema.Any()).MinItems(1).MaxItems(2).Unique(), `{"type":"array","items":{},"minItems":1,"maxItems":2,"uniqueItems":true}`},
		{"a keyword that is set again is replaced", schema.Integer().Min(1).Max(2).Min(0), `{"type":"integer","minimum":0,"maximum":2}`},
		{"default and header come last", schema.Integer().Header("Region").Default(5).Describe("D"), `{"type":"integer","description":"D","x-mcp-header":"Region","default":5}`},
		{"text is escaped", object().Prop("a\"\n", schema.Enum("\\", "世界", "😀").Describe("\"世界😀\"")), `{"type":"object","properties":{"a\"\n":{"type":"string","description":"\"世界😀\"","enum":["\\","世界","😀"]}},"required":["a\"\n"]}`},
	} {
		t.Run(test.rule, func(t *testing.T) { wantText(t, marshalled(t, test.schema), test.want) })
	}
}

func TestBuilderCopies(t *testing.T) {
	base := schema.Object().Prop("a", schema.String())
	left := base.Prop("b", schema.Integer()).Optional("a")
	right := base.Prop("c", schema.Boolean()).Strict()
	wantText(t, marshalled(t, base), `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)
	wantText(t, marshalled(t, left), `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`)
	wantText(t, marshalled(t, right), `{"type":"object","properties":{"a":{"type":"string"},"c":{"type":"boolean"}},"required":["a","c"],"additionalProperties":false}`)

	number := schema.Integer().Min(1)
	low, high := number.Min(0), number.Min(9)
	wantText(t, marshalled(t, low)+marshalled(t, high)+marshalled(t, number), `{"type":"integer","minimum":0}{"type":"integer","minimum":9}{"type":"integer","minimum":1}`)
}

func TestBuilderMistakes(t *testing.T) {
	var none *schema.Schema
	for _, test := range []struct {
		rule   string
		schema *schema.Schema
		want   string
	}{
		{"a name is declared once", schema.Object().Prop("x", schema.String()).Prop("x", schema.Any()), `at the root: property "x" is already defined; rename or remove one of the two`},
		{"only objects have members", schema.String().Prop("x", schema.String()), `at the root: Prop("x") declares a member of a string; only schema.Object() has members`},
		{"optional names a declared member", schema.Object().Optional("x"), `at the root: Optional("x") names no property; declare it with Prop first`},
		{"strict is for objects", schema.Integer().Strict(), `at the root: Strict applies to an object, not to an integer`},
		{"an enum lists a value once", schema.Enum("a", "a"), `at the root: the value "a" is listed twice; remove one`},
		{"a mistake is placed by a pointer", schema.Object().Prop("a/b", schema.Array(schema.String().Min(1))), `at /properties/a~1b/items: Min does not apply to a string; it applies to an integer`},
		{"a rule stands inside nullable", schema.Nullable(schema.String()).MinLength(1), `at the root: MinLength stands outside schema.Nullable; call it on the schema inside`},
		{"a bound is finite", schema.Number().Max(math.Inf(1)), `at the root: Max(+Inf) is no JSON number; use a finite one`},
		{"a length is not negative", schema.String().MaxLength(-1), `at the root: MaxLength(-1) is negative; use 0 or more`},
		{"a default can be encoded", schema.Any().Default(func() {}), "at the root: the default, a func(), does not encode as JSON; use a value that does"},
		{"nil is no schema", none.Describe("D"), `at the root: the schema is nil; build one, for example with schema.String()`},
		{"nil is no part", schema.Array(nil), `at /items: the schema is nil; build one, for example with schema.String()`},
		{"nil is not nullable", schema.Nullable(nil), `at the root: the schema is nil; build one, for example with schema.String()`},
		{"nil is no type", schema.Of(nil), `at the root: the schema is nil; build one, for example with schema.String()`},
		{"all mistakes are told", schema.Object().Prop("a", nil).Prop("b", schema.Null().Min(1)), "at /properties/a: the schema is nil; build one, for example with schema.String()\nat /properties/b: Min does not apply to null; it applies to an integer"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := test.schema.MarshalJSON()
			wantError(t, err, test.want)
			_, err = test.schema.Compile(schema.CompileOptions{Role: schema.Output})
			wantError(t, err, test.want)
		})
	}
}

func TestZeroSchemaAcceptsEverything(t *testing.T) {
	text, err := json.Marshal(&schema.Schema{})
	if err != nil || string(text) != `{}` {
		t.Errorf("got %s, %v", text, err)
	}
}
