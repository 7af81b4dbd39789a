package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

func TestKeywordMistakes(t *testing.T) {
	const types = "one of the types null, boolean, object, array, string, number, integer, or an array of different ones"
	for _, test := range []struct{ text, want string }{
		{`{"type":"text"}`, `at /type: expected ` + types + `, got "text"; correct the keyword or remove it`},
		{`{"type":["null","null"]}`, `at /type: expected ` + types + `, got ["null","null"]; correct the keyword or remove it`},
		{`{"type":[]}`, `at /type: expected ` + types + `, got []; correct the keyword or remove it`},
		{`{"enum":"a"}`, `at /enum: expected an array of values, got "a"; correct the keyword or remove it`},
		{`{"minimum":"1"}`, `at /minimum: expected a number, got "1"; correct the keyword or remove it`},
		{`{"multipleOf":0}`, `at /multipleOf: expected a number above 0, got 0; correct the keyword or remove it`},
		{`{"multipleOf":1.2345678901234567891}`, `at /multipleOf: expected a number of at most 18 significant digits, got 1.2345678901234567891; correct the keyword or remove it`},
		{`{"minLength":-1}`, `at /minLength: expected an integer from 0 to 2147483647, got -1; correct the keyword or remove it`},
		{`{"maxItems":1.5}`, `at /maxItems: expected an integer from 0 to 2147483647, got 1.5; correct the keyword or remove it`},
		{`{"maxItems":1e99}`, `at /maxItems: expected an integer from 0 to 2147483647, got 1e99; correct the keyword or remove it`},
		{`{"title":1}`, `at /title: expected a string, got 1; correct the keyword or remove it`},
		{`{"uniqueItems":1}`, `at /uniqueItems: expected true or false, got 1; correct the keyword or remove it`},
		{`{"required":["a","a"]}`, `at /required: expected an array of different strings, got ["a","a"]; correct the keyword or remove it`},
		{`{"required":"a"}`, `at /required: expected an array of different strings, got "a"; correct the keyword or remove it`},
		{`{"properties":[]}`, `at /properties: expected an object of schemas, got []; correct the keyword or remove it`},
		{`{"properties":{"a":1}}`, `at /properties/a: a schema is an object, got a number; write an object`},
		{`{"items":[{}]}`, `at /items: a schema is an object, got an array; write an object`},
		{`{"allOf":[]}`, `at /allOf: expected a non-empty array of schemas, got []; correct the keyword or remove it`},
		{`{"dependentRequired":{"a":["b","b"]}}`, `at /dependentRequired: expected an object of arrays of different strings, got {"a":["b","b"]}; correct the keyword or remove it`},
		{`{"pattern":"(?=a)"}`, "at /pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`; use the syntax of Go's regexp, which has no look-around and no back-references"},
		{`{"pattern":1}`, `at /pattern: expected a regular expression, got 1; write a string`},
		{`{"patternProperties":{"a/(":{}}}`, "at /patternProperties/a~1(: error parsing regexp: missing closing ): `a/(`; use the syntax of Go's regexp, which has no look-around and no back-references"},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, `at /$schema: the dialect "http://json-schema.org/draft-04/schema#" is not supported; use "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#"`},
		{`{"$ref":"#/$defs/a"}`, `at /$ref: "#/$defs/a" names no schema here; correct it or add the definition`},
		{`{"$ref":"#/const","const":{}}`, `at /$ref: "#/const" names no schema here; correct it or add the definition`},
		{`{"$ref":"https://example.com/s.json"}`, `at /$ref: "https://example.com/s.json" is not in this schema, and references are never fetched; copy what it names into $defs`},
		{`{"$ref":":%"}`, `at /$ref: ":%" is no URI reference; correct it`},
		{`{"$id":"a#b"}`, `at /$id: the $id "a#b" has a fragment; name the fragment with $anchor`},
		{`{"$defs":{"a":{"$id":"x:a"},"b":{"$id":"x:a"}}}`, `at /$defs/b/$id: the $id "x:a" is already that of /$defs/a; use another`},
		{`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, `at /$defs/b: the anchor "x" is already that of /$defs/a; use another`},
		{`{"$ref":"#"}`, `at the root: the schema refers to itself for the same value, so it can never be decided; remove the cycle of references`},
		{`{"$anchor":"a","anyOf":[{"$ref":"#a"},{}]}`, `at the root: the schema refers to itself for the same value, so it can never be decided; remove the cycle of references`},
		{`{"$dynamicAnchor":"a","if":{"$dynamicRef":"#a"}}`, "at the root: the schema refers to itself for the same value, so it can never be decided; remove the cycle of references\nat the root: the schema refers to itself for the same value, so it can never be decided; remove the cycle of references"},
		{`{"properties":{"a":{"type":"integer","default":"x"}}}`, `at /properties/a/default: the default does not satisfy its own schema (the default: expected integer, got "x"); correct one of the two`},
		{`{"type":1,"minimum":"a"}`, `at /type: expected ` + types + ", got 1; correct the keyword or remove it\nat /minimum: expected a number, got \"a\"; correct the keyword or remove it"},
		{`[]`, `at the root: a schema is a JSON object, got an array; write an object`},
		{``, `at the root: the text cannot be read: the text is empty`},
		{`{} {}`, `at the root: the text cannot be read: more text follows the JSON value; a schema is one value`},
		{`{"a":1,"a":2}`, `at the root: the text is not strict JSON near byte 7: duplicate object member name; correct the text`},
	} {
		t.Run(test.text, func(t *testing.T) {
			_, err := schema.Text(test.text).Compile(schema.CompileOptions{Role: schema.Output})
			wantError(t, err, test.want)
		})
	}
}

func TestBoundsThatLeaveNothing(t *testing.T) {
	for _, test := range []struct {
		rule string
		of   *schema.Schema
		want string // empty: no mistake
	}{
		{"bounds may meet", schema.Number().Min(5).Max(5), ""},
		{"open bounds may come near", schema.Number().ExclusiveMin(5).ExclusiveMax(5.5), ""},
		{"text may accept nothing", schema.Text(`{"minimum":9,"maximum":5}`), ""},
		{"a minimum above the maximum", schema.Integer().Min(9).Max(5), "at the root: no value is between minimum 9 and maximum 5; correct one of the two"},
		{"open bounds that meet", schema.Number().Min(5).ExclusiveMax(5), "at the root: no value is between minimum 5 and exclusiveMaximum 5; correct one of the two"},
		{"lengths below", schema.Object().Prop("größe", schema.String().MinLength(2).MaxLength(1)), "at /properties/größe: no value is between minLength 2 and maxLength 1; correct one of the two"},
		{"a tag and the range of its type", schema.Of(field(of[int8](), `json:"a" min:"300"`)), `at struct { A int8 "json:\"a\" min:\"300\"" }.A: no value is between minimum 300 and maximum 127; correct one of the two`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := test.of.Compile(schema.CompileOptions{Role: schema.Output})
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, test.want)
		})
	}
}

func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	if _, err := schema.Text("{\"title\":\"\xff\"}").Compile(schema.CompileOptions{Role: schema.Output}); err == nil {
		t.Error("accepted")
	}
}

func TestTextCutAnywhereIsRefused(t *testing.T) {
	const text = `{"type":["object","null"],"title":"世界 😀 \ud83d\ude00","properties":{"a":{"maximum":1.5e3}},"x":[true,false,null]}`
	if _, err := schema.Text(text).Compile(schema.CompileOptions{Role: schema.Output}); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		if _, err := schema.Text(text[:i]).Compile(schema.CompileOptions{Role: schema.Output}); err == nil {
			t.Errorf("accepted %q", text[:i])
		}
	}
	for _, tail := range []string{"x", "{}", ",", "\x00"} {
		if _, err := schema.Text(text + tail).Compile(schema.CompileOptions{Role: schema.Output}); err == nil {
			t.Errorf("accepted %q behind the schema", tail)
		}
	}
}

func TestInputRootIsAnObject(t *testing.T) {
	const want = `at the root: an input schema must have "type": "object"; make the root an object, such as a struct or schema.Object()`
	for _, text := range []string{`{}`, `true`, `{"type":"string"}`, `{"type":["object","null"]}`, `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`} {
		_, err := schema.Text(text).Compile(schema.CompileOptions{})
		wantError(t, err, want)
		if c := compiled(t, schema.Text(text), schema.Output); c.PlainObject() {
			t.Errorf("%s is taken for a plain object", text)
		}
	}
	if c := compiled(t, schema.Text(`{"type":"object"}`), schema.Input); !c.PlainObject() || c.Wrapped() != nil {
		t.Error("a plain object is not seen as one")
	}
}

func TestPublishedText(t *testing.T) {
	for _, test := range []struct{ rule, text, want string }{
		{"white space goes, order stays", ` { "type" : "string", "minLength" : 1e0 } `, `{"type":"string","minLength":1e0}`},
		{"boolean sub-schemas are written in full", `{"properties":{"a":true,"b":false},"items":true,"unevaluatedProperties":false}`, `{"properties":{"a":{},"b":{"not":{}}},"items":{},"unevaluatedProperties":{"not":{}}}`},
		{"a boolean root is written in full", `false`, `{"not":{}}`},
		{"additionalProperties keeps the short form", `{"additionalProperties":false}`, `{"additionalProperties":false}`},
		{"unknown keywords stay", `{"x-vendor":[1,{"type":true}],"title":"世界😀\u00e9\/"}`, `{"x-vendor":[1,{"type":true}],"title":"世界😀é/"}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			wantText(t, string(compiled(t, schema.Text(test.text), schema.Output).JSON()), test.want)
		})
	}
}

func TestTextInsideAnotherSchema(t *testing.T) {
	part := schema.Text(`{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"},"all":{"$ref":"#"}}}}}`)
	got := compiled(t, schema.Object().Prop("a b", part).Prop("c", schema.Nullable(part)), schema.Input)
	wantText(t, string(got.JSON()), `{"type":"object","properties":{`+
		`"a b":{"$ref":"#/properties/a%20b/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/properties/a%20b/$defs/n"},"all":{"$ref":"#/properties/a%20b"}}}}},`+
		`"c":{"anyOf":[{"$ref":"#/properties/c/anyOf/0/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/properties/c/anyOf/0/$defs/n"},"all":{"$ref":"#/properties/c/anyOf/0"}}}}},{"type":"null"}]}`+
		`},"required":["a b","c"]}`)
	wantError(t, got.Validate([]byte(`{"a b":{"next":{"next":1}},"c":null}`)), `arguments["a b"].next.next: expected object, got 1`)

	draft7 := schema.Text(`{"$schema":"http://json-schema.org/draft-07/schema#"}`)
	_, err := schema.Object().Prop("a", draft7).Compile(schema.CompileOptions{})
	wantError(t, err, `at /properties/a: a part of a schema cannot have a dialect of its own ("http://json-schema.org/draft-07/schema#"); use 2020-12 in both`)
}

func TestWordsOnText(t *testing.T) {
	s := schema.Text(`{"$ref":"#/$defs/a","$defs":{"a":{}}}`).Title("T").Describe("D").Default(1)
	wantText(t, marshalled(t, s), `{"$ref":"#/$defs/a","title":"T","description":"D","$defs":{"a":{}},"default":1}`)
}

func TestWrapped(t *testing.T) {
	for _, test := range []struct{ rule, text, want string }{
		{"a simple result", `{"type":"integer"}`, `{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]}`},
		{
			"definitions move up and references follow, data does not",
			`{"type":"array","items":{"$ref":"#/$defs/a"},"contains":{"$ref":"#/items"},"default":[{"$ref":"#"}],"$defs":{"a":{"const":{"$ref":"#"},"items":{"$ref":"#"}}}}`,
			`{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/a"},"contains":{"$ref":"#/properties/result/items"},"default":[{"$ref":"#"}]}},"required":["result"],"$defs":{"a":{"const":{"$ref":"#"},"items":{"$ref":"#/properties/result"}}}}`,
		},
		{
			"the dialect moves up",
			`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","definitions":{"a":{"type":"array","items":{"$ref":"#"}}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"result":{"$ref":"#/definitions/a"}},"required":["result"],"definitions":{"a":{"type":"array","items":{"$ref":"#/properties/result"}}}}`,
		},
		{
			"a document with an $id is left as it is",
			`{"$id":"https://example.com/s","$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","items":{"$ref":"#/$defs/a"},"$defs":{"a":{}}}`,
			`{"type":"object","properties":{"result":{"$id":"https://example.com/s","$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","items":{"$ref":"#/$defs/a"},"$defs":{"a":{}}}},"required":["result"]}`,
		},
		{
			"a property may be called $ref, and one may be called $defs",
			`{"type":"array","items":{"properties":{"$ref":{"type":"string"},"$defs":{"$ref":"#/items"}}}}`,
			`{"type":"object","properties":{"result":{"type":"array","items":{"properties":{"$ref":{"type":"string"},"$defs":{"$ref":"#/properties/result/items"}}}}},"required":["result"]}`,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			plain := compiled(t, schema.Text(test.text), schema.Output)
			wantText(t, string(plain.Wrapped()), test.want)
			wrapped := compiled(t, schema.Raw(plain.Wrapped()), schema.Output)
			for _, value := range []string{`1`, `[]`, `[[[]]]`, `[1]`, `{"$ref":1}`, `null`, `[{"$ref":"a"}]`, `"x"`} {
				if (plain.Validate([]byte(value)) == nil) != (wrapped.Validate([]byte(`{"result":`+value+`}`)) == nil) {
					t.Errorf("%s: the wrapped schema decides differently", value)
				}
			}
		})
	}
	if compiled(t, schema.For[node](), schema.Output).Wrapped() != nil {
		t.Error("a plain object is wrapped")
	}
}

func TestLimits(t *testing.T) {
	deep := schema.String()
	for range 70 {
		deep = schema.Array(deep)
	}
	_, err := deep.Compile(schema.CompileOptions{Role: schema.Output})
	wantError(t, err, "at "+strings.Repeat("/items", 64)+": more than 64 levels of sub-schemas; flatten the schema")

	text := strings.Repeat(`{"items":`, 70) + `{}` + strings.Repeat(`}`, 70)
	_, err = schema.Text(text).Compile(schema.CompileOptions{Role: schema.Output})
	wantError(t, err, "at "+strings.Repeat("/items", 64)+": more than 64 levels of sub-schemas; flatten the schema")

	_, err = schema.Text(strings.Repeat(`[`, 1000)).Compile(schema.CompileOptions{Role: schema.Output})
	wantError(t, err, "at the root: the text cannot be read: nested deeper than 192 levels")

	_, err = schema.Text(strings.Repeat(" ", 256<<10) + "{}").Compile(schema.CompileOptions{Role: schema.Output})
	wantError(t, err, "at the root: the text has 262146 bytes, more than 262144; split the schema")

	wide := schema.Object()
	for i := range 4096 {
		wide = wide.Prop(fmt.Sprint(i), schema.Any())
	}
	_, err = wide.Compile(schema.CompileOptions{})
	wantError(t, err, "at /properties/4095: more than 4096 sub-schemas; split the schema")

	long := schema.Object()
	for i := range 3 {
		long = long.Prop(fmt.Sprint(i), schema.String().Describe(strings.Repeat("x", 100<<10)))
	}
	_, err = long.Compile(schema.CompileOptions{})
	wantError(t, err, "at the root: the schema has 307374 bytes, more than 262144; split it")
}

func TestProperties(t *testing.T) {
	got := compiled(t, schema.For[described](), schema.Input).Properties()
	want := []schema.Property{
		{Name: "city", Title: "City", Description: "Where, such as 京都", Type: "string", Enum: []string{"oslo", "京都"}, Required: true},
		{Name: "days", Type: "integer"},
		{Name: "rate", Type: "number", Required: true},
		{Name: "code", Type: "string"},
		{Name: "tags", Type: "array"},
		{Name: "level", Type: "integer"},
		{Name: "area", Type: "string", Required: true},
	}
	if !slices.EqualFunc(got, want, func(a, b schema.Property) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		t.Errorf("got %+v", got)
	}
	titled := schema.Object().Prop("c", schema.Choices(schema.Choice{Value: "r", Title: "Red"}, schema.Choice{Value: "g"}))
	if got := compiled(t, titled, schema.Input).Properties()[0].Enum; !slices.Equal(got, []string{"r", "g"}) {
		t.Errorf("titled choices: got %q", got)
	}
	if compiled(t, schema.Integer(), schema.Output).Properties() != nil {
		t.Error("a number has properties")
	}
}
