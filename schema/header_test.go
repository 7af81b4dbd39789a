package schema_test

import (
	"fmt"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

func TestHeaders(t *testing.T) {
	s := schema.Object().
		Prop("region", schema.String().Header("Region")).
		Prop("where", schema.Object().Prop("zone", schema.Integer().Header("Zone-ID")).Prop("on", schema.Boolean().Header("On")))
	got := compiled(t, s, schema.Input).Headers()
	wantText(t, fmt.Sprint(got), `[{Region [region] string} {Zone-ID [where zone] integer} {On [where on] boolean}]`)
	if compiled(t, s, schema.Output).Headers() != nil {
		t.Error("an output schema has headers")
	}
}

func TestHeaderMistakes(t *testing.T) {
	const (
		token  = ` is no HTTP token; use letters, digits and - alone`
		reach  = `: a header can mirror only a property that the root reaches through properties alone; move the annotation or remove it`
		typing = `: a header can mirror only a string, an integer or a boolean; give the property one of these types, or remove the annotation`
	)
	in := func(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }
	for _, test := range []struct{ rule, text, want string }{
		{"a name is not empty", in(`{"type":"string","x-mcp-header":""}`), `at /properties/a/x-mcp-header: the header name ""` + token},
		{"a name has no space", in(`{"type":"string","x-mcp-header":"a b"}`), `at /properties/a/x-mcp-header: the header name "a b"` + token},
		{"a name has no line feed", in(`{"type":"string","x-mcp-header":"a\n"}`), `at /properties/a/x-mcp-header: the header name "a\n"` + token},
		{"a name is ASCII", in(`{"type":"string","x-mcp-header":"世界"}`), `at /properties/a/x-mcp-header: the header name "世界"` + token},
		{"a name is a string", in(`{"type":"string","x-mcp-header":1}`), "at /properties/a/x-mcp-header: the header name 1" + token + "\nat /properties/a/x-mcp-header: expected a string, got 1; correct the keyword or remove it"},
		{"names differ whatever their case", `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}}`, `at /properties/b/x-mcp-header: the header "x" is already that of /properties/a, and case does not count; use another name`},
		{"a number has no header", in(`{"type":"number","x-mcp-header":"X"}`), `at /properties/a/x-mcp-header` + typing},
		{"an object has no header", in(`{"type":"object","x-mcp-header":"X"}`), `at /properties/a/x-mcp-header` + typing},
		{"two types are no primitive", in(`{"type":["string","null"],"x-mcp-header":"X"}`), `at /properties/a/x-mcp-header` + typing},
		{"the type stands beside the annotation", in(`{"x-mcp-header":"X"}`), `at /properties/a/x-mcp-header` + typing},
		{"the root has no header", `{"type":"object","x-mcp-header":"X"}`, `at /x-mcp-header` + reach},
		{"items have no header", in(`{"type":"array","items":{"type":"string","x-mcp-header":"X"}}`), `at /properties/a/items/x-mcp-header` + reach},
		{"what stands below items has none", in(`{"type":"array","items":{"properties":{"b":{"type":"string","x-mcp-header":"X"}}}}`), `at /properties/a/items/properties/b/x-mcp-header` + reach},
		{"branches have none", in(`{"anyOf":[{"type":"string","x-mcp-header":"X"},{}]}`), `at /properties/a/anyOf/0/x-mcp-header` + reach},
		{"conditions have none", in(`{"if":{"type":"string","x-mcp-header":"X"}}`), `at /properties/a/if/x-mcp-header` + reach},
		{"definitions have none", `{"type":"object","$defs":{"a":{"type":"string","x-mcp-header":"X"}},"properties":{"a":{"$ref":"#/$defs/a"}}}`, `at /$defs/a/x-mcp-header` + reach},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := schema.Text(test.text).Compile(schema.CompileOptions{})
			wantError(t, err, test.want)
		})
	}
	for _, text := range []string{
		`{"type":"object","properties":{"x-mcp-header":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"default":{"x-mcp-header":""},"enum":[{"x-mcp-header":""}]}}}`,
		`{"type":"object","x-vendor":{"x-mcp-header":1}}`,
	} {
		if _, err := schema.Text(text).Compile(schema.CompileOptions{}); err != nil {
			t.Errorf("%s: data is taken for an annotation: %v", text, err)
		}
	}
}
