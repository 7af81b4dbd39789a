package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

func TestOutsideThePlan(t *testing.T) {
	for _, v := range []verdicts{
		{
			"exactly one alternative", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"integer","minimum":1},{"type":"number"}]}}}`,
			[]string{`{"a":"x"}`, `{"a":0}`, `{}`},
			map[string]string{`{"a":1}`: `result: expected exactly one of the alternatives of /properties/a/oneOf of the schema to fit`, `1`: `result: expected object, got 1`},
		},
		{
			"some alternative", `{"anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"}}}`,
			[]string{`{"a":"x"}`, `{"b":1}`, `[]`},
			map[string]string{`{}`: `result: expected one of the alternatives of /anyOf of the schema to fit`, `{"a":1}`: `result.a: expected string, got 1`},
		},
		{"negation", `{"not":{"type":"string"}}`, []string{`1`}, map[string]string{`"x"`: `result: expected a value that /not of the schema does not describe`}},
		{
			"conditions", `{"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]},"else":{"required":["y"]}}`,
			[]string{`{"k":"a","x":1}`, `{"k":"b","y":1}`},
			map[string]string{`{"k":"a","y":1}`: `result: refused by /then/required of the schema: missing properties: ["x"]`},
		},
		{"dependent members", `{"dependentRequired":{"a":["b"]}}`, []string{`{"a":1,"b":1}`, `{}`}, map[string]string{`{"a":1}`: `result: dependentRequired["a"]: missing properties ["b"] (the root of the schema)`}},
		{"positions", `{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}`, []string{`[1,"x"]`}, map[string]string{`[1,2]`: `result: refused by /items/type of the schema: 2 has type "integer", want "string"`}},
		{"some item", `{"contains":{"type":"integer"},"maxContains":1}`, []string{`["x",1]`}, map[string]string{`[1,2]`: `result: refused by /maxContains of the schema: contains validated 2 items, greater than 1`}},
		{"patterns of names", `{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`, []string{`{"x1":1}`}, map[string]string{`{"x1":"a"}`: `result: refused by /patternProperties/^x/type of the schema: a has type "string", want "integer"`, `{"y":1}`: `result: unexpected additional properties ["y"] (the root of the schema)`}},
		{"names", `{"propertyNames":{"maxLength":1}}`, []string{`{"世":1}`}, map[string]string{`{"世界":1}`: `result: refused by /propertyNames/maxLength of the schema: "世界" contains 2 Unicode code points, more than 1`}},
		{"unevaluated members", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, []string{`{"a":1}`}, nil},
		{"a reference with company", `{"$ref":"#/$defs/a","maximum":5,"$defs":{"a":{"type":"integer","minimum":1}}}`, []string{`3`}, map[string]string{`6`: `result: expected number ≤ 5, got 6`, `0`: `result: refused by /$defs/a/minimum of the schema: 0/1 is less than 1.000000`}},
		{"dynamic references", `{"$dynamicAnchor":"node","type":"object","properties":{"kids":{"type":"array","items":{"$dynamicRef":"#node"}}}}`, []string{`{"kids":[{"kids":[]}]}`}, map[string]string{`{"kids":[1]}`: `result: refused by /type of the schema: 1 has type "integer", want "object"`}},
		{"draft-07 tuples and dependencies", `{"$schema":"http://json-schema.org/draft-07/schema","items":[{"type":"integer"}],"additionalItems":{"type":"null"},"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, []string{`[1,null]`, `{"a":1,"b":1}`, `{"c":1,"d":1}`}, nil},
		{"keywords of 2020-12 mean nothing in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":5,"unevaluatedProperties":[],"dependentRequired":1}`, []string{`[1]`, `{}`}, nil},
		{"integers in alternatives are exact over int64 and uint64", `{"anyOf":[{"const":9007199254740992},{"minimum":18446744073709549568}]}`, []string{`9007199254740992`, `18446744073709549568`, `18446744073709551615`}, map[string]string{`9007199254740993`: `result: expected one of the alternatives of /anyOf of the schema to fit`, `18446744073709549567`: `result: expected one of the alternatives of /anyOf of the schema to fit`}},
	} {
		v.check(t)
	}
}

func TestInexactNumbersOutsideThePlanAreRefused(t *testing.T) {
	for _, literal := range []string{"9007199254740993", "-9007199254740993", "12345678901234567890123", "1e400"} {
		_, err := schema.Text(fmt.Sprintf(`{"anyOf":[{"enum":[{"a":%s}]},{"minimum":%[1]s}]}`, literal)).Compile(schema.CompileOptions{Role: schema.Output})
		const tail = ` is not exact as a float64, and this schema uses keywords that need it to be; use a smaller one, or remove composition and conditions`
		wantError(t, err, "at /anyOf/0/enum: the number "+literal+tail+"\nat /anyOf/1/minimum: the number "+literal+tail)
	}
	for _, literal := range []string{"0.1", "9007199254740992", "1e300", "-0", "1e-400", "1e1", "25e-1"} {
		if _, err := schema.Text(fmt.Sprintf(`{"anyOf":[{"minimum":%s},{"type":"null"}]}`, literal)).Compile(schema.CompileOptions{Role: schema.Output}); err != nil {
			t.Errorf("%s: %v", literal, err)
		}
	}
	c := compiled(t, schema.Text(`{"not":{"type":"string"}}`), schema.Output)
	wantError(t, c.Validate([]byte(`1e400`)), `result: expected numbers within the range of float64; send smaller ones`)
}

func TestOutsideThePlanIsCompletedAndDecoded(t *testing.T) {
	s := schema.Text(`{"type":"object","properties":{"n":{"type":"integer","default":7},"k":{"type":"string"}},"dependentRequired":{"n":["k"]}}`)
	c, err := s.Compile(schema.CompileOptions{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	// The default does not trigger the dependency: what was sent is checked, not what it becomes.
	got, err := c.Complete([]byte(`{}`))
	if err != nil || string(got) != `{"n":7}` {
		t.Errorf("got %s, %v", got, err)
	}
	var v struct {
		N int    `json:"n"`
		K string `json:"k"`
	}
	if err := c.Decode([]byte(`{"n":"3","k":"世界"}`), &v); err != nil || v.N != 3 || v.K != "世界" {
		t.Errorf("got %v, %v", v, err)
	}
	wantError(t, c.Decode([]byte(`{"n":"3"}`), &v), `arguments: dependentRequired["n"]: missing properties ["k"] (the root of the schema)`)
	_, err = c.Complete([]byte(`{"n":3}`))
	wantError(t, err, `arguments: dependentRequired["n"]: missing properties ["k"] (the root of the schema)`)
	wantError(t, c.Validate([]byte(`{"k":1}`)), `arguments.k: expected string, got 1`)
	wantError(t, c.Validate([]byte(`{"k":`)), `arguments: not valid JSON, or nested too deeply, near byte 5 of 5; send one JSON value`)
}

func TestExponentialSchemasAreRefused(t *testing.T) {
	var defs strings.Builder
	for i := range 20 {
		fmt.Fprintf(&defs, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%[2]d"}]},`, i, i+1)
	}
	_, err := schema.Text(`{"$ref":"#/$defs/d0","$defs":{` + defs.String() + `"d20":{}},"minimum":1}`).Compile(schema.CompileOptions{Role: schema.Output})
	wantError(t, err, "at the root: the schema has more than 100000 sub-schemas once its references are followed; refer less")
}

func TestExponentialValuesAreRefused(t *testing.T) {
	const expression = `{"$defs":{"e":{"anyOf":[{"type":"integer"},
		{"type":"object","properties":{"op":{"const":"and"},"of":{"type":"array","items":{"$ref":"#/$defs/e"}}},"required":["op"]},
		{"type":"object","properties":{"op":{"const":"or"},"of":{"type":"array","items":{"$ref":"#/$defs/e"}}},"required":["op"]}]}},"$ref":"#/$defs/e"}`
	c := compiled(t, schema.Text(expression), schema.Output)
	nested := func(depth int) []byte {
		return []byte(strings.Repeat(`{"of":[`, depth) + "1" + strings.Repeat(`],"op":"or"}`, depth))
	}
	if err := c.Validate(nested(8)); err != nil {
		t.Errorf("an ordinary value: %v", err)
	}
	wantError(t, c.Validate(nested(60)), "result: too large or too deeply nested to be checked; send less")
}
