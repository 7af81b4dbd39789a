package schema_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/schema"
)

// The dialects of forms: 2025-06-18, and what came after it.
var (
	oldForm = schema.FormDialect{}
	newForm = schema.FormDialect{Titled: true, Multi: true, Defaults: true}
)

func formOf(t *testing.T, s *schema.Schema, d schema.FormDialect) (string, error) {
	t.Helper()
	c, err := s.Compile(schema.CompileOptions{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	form, err := c.Form(d)
	return string(form), err
}

func TestFormsHoldWhatTheSpecificationLists(t *testing.T) {
	for _, test := range []struct{ rule, field, old, new string }{
		{"text", `{"type":"string","title":"名","description":"d 😀","minLength":3,"maxLength":50}`, "", ""},
		{"text with a default", `{"type":"string","default":"世界"}`, `{"type":"string"}`, ""},
		{"e-mail", `{"type":"string","format":"email"}`, "", ""},
		{"URI", `{"type":"string","format":"uri"}`, "", ""},
		{"date", `{"type":"string","format":"date"}`, "", ""},
		{"date and time", `{"type":"string","format":"date-time"}`, "", ""},
		{"number", `{"type":"number","minimum":0.5,"maximum":100}`, "", ""},
		{"number with a default", `{"type":"number","default":50}`, `{"type":"number"}`, ""},
		{"integer", `{"type":"integer","title":"n","minimum":-9007199254740993,"maximum":9007199254740993}`, "", ""},
		{"switch, whose default every revision has", `{"type":"boolean","title":"t","description":"d","default":false}`, "", ""},
		{"choice", `{"type":"string","title":"t","enum":["Red","青"]}`, "", ""},
		{"choice with a default", `{"type":"string","enum":["Red","青"],"default":"青"}`, `{"type":"string","enum":["Red","青"]}`, ""},
		{"choice with the older titles", `{"type":"string","enum":["r","g"],"enumNames":["Red","緑 😀"]}`, "", ""},
		{"choice with titles", `{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"緑 😀"}]}`, `{"type":"string","enum":["r","g"],"enumNames":["Red","緑 😀"]}`, ""},
		{"choices", `{"type":"array","title":"t","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","世"]},"default":["a"]}`, "!no lists of choices", ""},
		{"choices with titles", `{"type":"array","items":{"anyOf":[{"const":"a","title":"A 😀"}]}}`, "!no lists of choices", ""},
		{"choices with titles as the builder makes them", `{"type":"array","items":{"type":"string","oneOf":[{"const":"a","title":"A"}]}}`, "!no lists of choices", `{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			for _, as := range []struct {
				dialect schema.FormDialect
				want    string
			}{{oldForm, test.old}, {newForm, test.new}} {
				form, err := formOf(t, schema.Text(`{"type":"object","properties":{"x":`+test.field+`},"required":["x"]}`), as.dialect)
				if fails, ok := strings.CutPrefix(as.want, "!"); ok {
					if err == nil || !strings.Contains(err.Error(), `field "x": `) || !strings.Contains(err.Error(), fails) {
						t.Errorf("%+v: %v, want an error with %q", as.dialect, err, fails)
					}
					continue
				}
				if as.want == "" {
					as.want = test.field
				}
				if want := `{"type":"object","properties":{"x":` + as.want + `},"required":["x"]}`; err != nil || form != want {
					t.Errorf("%+v: %v\n got %s\nwant %s", as.dialect, err, form, want)
				}
			}
		})
	}
}

func TestFormsRefuseEverythingElseByTheNameOfTheField(t *testing.T) {
	const oneType = "a form field has one type"
	for _, test := range []struct{ rule, field, want string }{
		{"a nested object", `{"type":"object","properties":{"a":{"type":"string"}}}`, `cannot be "object"`},
		{"null", `{"type":"null"}`, `cannot be "null"`},
		{"several types", `{"type":["string","null"]}`, oneType},
		{"no type", `{}`, oneType},
		{"a reference", `{"$ref":"#/properties/y"}`, oneType},
		{"a pattern", `{"type":"string","pattern":"a"}`, `of type string cannot have the keyword "pattern"; leave it out`},
		{"a constant", `{"type":"string","const":"a"}`, `the keyword "const"`},
		{"an encoding", `{"type":"string","contentEncoding":"base64"}`, `the keyword "contentEncoding"`},
		{"an unknown format", `{"type":"string","format":"uuid"}`, `a form does not know the format "uuid"; use one of ["email" "uri" "date" "date-time"]`},
		{"an exclusive bound", `{"type":"integer","exclusiveMinimum":1}`, `of type integer cannot have the keyword "exclusiveMinimum"`},
		{"multiples", `{"type":"number","multipleOf":2}`, `of type number cannot have the keyword "multipleOf"`},
		{"a choice of numbers", `{"type":"integer","enum":[1,2]}`, `of type integer cannot have the keyword "enum"`},
		{"a choice of switches", `{"type":"boolean","enum":[true]}`, `of type boolean cannot have the keyword "enum"`},
		{"composition", `{"type":"string","anyOf":[{"minLength":1}]}`, `the keyword "anyOf"`},
		{"an unknown keyword", `{"type":"string","x-mcp-header":"A"}`, `the keyword "x-mcp-header"`},
		{"a choice of something else than text", `{"type":"string","enum":["a",1]}`, "choices, which are text"},
		{"a choice with a length", `{"type":"string","enum":["a"],"minLength":1}`, `a choice in a form cannot have the keyword "minLength"`},
		{"a choice with a format", `{"type":"string","oneOf":[{"const":"a","title":"A"}],"format":"uri"}`, `a choice in a form cannot have the keyword "format"`},
		{"two lists of choices", `{"type":"string","enum":["a"],"oneOf":[{"const":"a","title":"A"}]}`, "enum or oneOf, not both"},
		{"older titles without values", `{"type":"string","enumNames":["A"]}`, "choices, which are text"},
		{"older titles beside newer ones", `{"type":"string","oneOf":[{"const":"a","title":"A"}],"enumNames":["A"]}`, "enumNames belongs to enum"},
		{"fewer titles than values", `{"type":"string","enum":["a","b"],"enumNames":["A"]}`, "one text for each value"},
		{"a choice without a title", `{"type":"string","oneOf":[{"const":"a"}]}`, `{"const": text, "title": text}`},
		{"a choice of a number with a title", `{"type":"string","oneOf":[{"const":1,"title":"A"}]}`, `{"const": text, "title": text}`},
		{"a choice with more than a title", `{"type":"string","oneOf":[{"const":"a","title":"A","description":"d"}]}`, "nothing else"},
		{"a list of free text", `{"type":"array","items":{"type":"string"}}`, "give its items an enum"},
		{"a list of anything", `{"type":"array"}`, "give its items an enum"},
		{"a list of numbers", `{"type":"array","items":{"type":"integer","enum":[1]}}`, "choices, which are text"},
		{"a list of objects", `{"type":"array","items":{"type":"object"}}`, "choices, which are text"},
		{"a list without repetition", `{"type":"array","uniqueItems":true,"items":{"type":"string","enum":["a"]}}`, `the keyword "uniqueItems"`},
		{"a list of choices with a length", `{"type":"array","items":{"type":"string","enum":["a"],"minLength":1}}`, `items of a list of choices cannot have the keyword "minLength"`},
		{"a list with two lists of choices", `{"type":"array","items":{"enum":["a"],"anyOf":[{"const":"a","title":"A"}]}}`, "choices, which are text"},
		{"a list of choices with half titles", `{"type":"array","items":{"anyOf":[{"title":"A"}]}}`, `{"const": text, "title": text}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			form, err := formOf(t, schema.Text(`{"type":"object","properties":{"y":{"type":"string"},"世":`+test.field+`}}`), newForm)
			if err == nil || !strings.HasPrefix(err.Error(), `field "世": `) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %v; want an error with %s", form, err, test.want)
			}
		})
	}
}

func TestTheRootOfAFormIsAPlainObject(t *testing.T) {
	for _, test := range []struct{ rule, text, want string }{
		{"no fields", `{"type":"object"}`, "at least one field"},
		{"an empty list of fields", `{"type":"object","properties":{}}`, "at least one field"},
		{"definitions", `{"type":"object","properties":{"a":{"type":"string"}},"$defs":{}}`, `cannot have the keyword "$defs"`},
		{"composition", `{"type":"object","properties":{"a":{"type":"string"}},"allOf":[{}]}`, `cannot have the keyword "allOf"`},
		{"fields by pattern", `{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"b":{}}}`, `cannot have the keyword "patternProperties"`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			if form, err := formOf(t, schema.Text(test.text), newForm); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %v; want an error with %s", form, err, test.want)
			}
		})
	}
	form, err := formOf(t, schema.Text(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"t","description":"d","type":"object","properties":{"b":{"type":"string"},"a":{"type":"boolean"}},"required":[],"additionalProperties":false}`), newForm)
	if want := `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"boolean"}}}`; err != nil || form != want {
		t.Errorf("%v\n got %s\nwant %s: fields in order, and nothing that clients need not know", err, form, want)
	}
}

func TestAStructIsAForm(t *testing.T) {
	type answers struct {
		Name  string    `json:"name" doc:"Who 世界?" minLength:"1" default:"Ann"`
		Age   *int8     `json:"age" min:"0"`
		Ratio float64   `json:"ratio,omitempty"`
		Sure  bool      `json:"sure" title:"Sure 😀?"`
		Size  string    `json:"size" enum:"S,M"`
		Tags  []string  `json:"tags,omitempty" enum:"a,b" maxItems:"2"`
		When  time.Time `json:"when"`
	}
	form, err := formOf(t, schema.For[answers](), newForm)
	want := `{"type":"object","properties":{"name":{"type":"string","description":"Who 世界?","minLength":1,"default":"Ann"},` +
		`"age":{"type":"integer","minimum":0,"maximum":127},"ratio":{"type":"number"},"sure":{"type":"boolean","title":"Sure 😀?"},` +
		`"size":{"type":"string","enum":["S","M"]},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":2},` +
		`"when":{"type":"string","format":"date-time"}},"required":["sure","size","when"]}`
	if err != nil || form != want {
		t.Errorf("%v\n got %s\nwant %s", err, form, want)
	}
	type nested struct {
		Inner struct {
			A string `json:"a"`
		} `json:"inner"`
	}
	if _, err := formOf(t, schema.For[nested](), newForm); err == nil || !strings.Contains(err.Error(), `field "inner"`) {
		t.Errorf("a nested struct: %v", err)
	}
}

func TestFormsOfTheBuilder(t *testing.T) {
	s := schema.Object().
		Prop("color", schema.Choices(schema.Choice{Value: "r", Title: "Red"}, schema.Choice{Value: "青", Title: "青い"}).Default("r")).
		Prop("sizes", schema.Array(schema.Choices(schema.Choice{Value: "s", Title: "Small"})).MinItems(1)).
		Optional("sizes").Strict()
	form, err := formOf(t, s, newForm)
	want := `{"type":"object","properties":{"color":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"青","title":"青い"}],"default":"r"},` +
		`"sizes":{"type":"array","items":{"anyOf":[{"const":"s","title":"Small"}]},"minItems":1}},"required":["color"]}`
	if err != nil || form != want {
		t.Errorf("%v\n got %s\nwant %s", err, form, want)
	}
	again, err := formOf(t, s, newForm)
	if err != nil || again != form {
		t.Errorf("a second time it is %s, %v", again, err)
	}
}

func TestWhatIsWrongWithAFormIsToldOfItsFields(t *testing.T) {
	c := compiled(t, schema.Object().Prop("名", schema.String()).Prop("n", schema.Integer().Max(9)).Strict(), schema.Form)
	for answer, want := range map[string]string{
		`{"名":"😀","n":10}`: `form.n: expected integer ≤ 9, got 10`,
		`{"n":1,"名前":"😀"}`: `unknown field "名前"; known: "名", "n"; missing required field "名" (string)`,
		``:                 `missing required field "名" (string); missing required field "n" (integer)`,
		`[]`:               `form: expected object, got an array`,
	} {
		wantError(t, c.Validate([]byte(answer)), want)
	}
	_, err := schema.String().Compile(schema.CompileOptions{Role: schema.Form})
	wantError(t, err, `at the root: the schema of a form must have "type": "object"; make the root an object, such as a struct or schema.Object()`)
}
