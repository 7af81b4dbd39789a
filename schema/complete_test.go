package schema_test

import (
	"fmt"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

func TestComplete(t *testing.T) {
	c := compiled(t, schema.For[defaults](), schema.Input)
	for _, test := range []struct{ rule, args, want string }{
		{"nothing sent", ``, `{"city":"京都","max":9007199254740993,"in":{"deep":true,"tags":["a","b"]}}`},
		{"an empty object", `{ }`, `{ "city":"京都","max":9007199254740993,"in":{"deep":true,"tags":["a","b"]}}`},
		{"what is sent stays as it is", `{"max": 1e0 , "out":{ } }`, `{"max": 1e0 , "out":{ "deep":1} ,"city":"京都","in":{"deep":true,"tags":["a","b"]}}`},
		{"nested objects are completed", `{"city":"oslo","max":2,"in":{"tags":[]},"out":{"deep":2}}`, `{"city":"oslo","max":2,"in":{"tags":[],"deep":true},"out":{"deep":2}}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			got, err := c.Complete([]byte(test.args))
			if err != nil {
				t.Fatal(err)
			}
			wantText(t, string(got), test.want)
			again, err := c.Complete(got)
			if err != nil || &again[0] != &got[0] || len(again) != len(got) {
				t.Errorf("a complete value was copied: %v", err)
			}
		})
	}
	_, err := c.Complete([]byte(`{"max":"x"}`))
	wantError(t, err, `arguments.max: expected integer, got "x"`)

	required := schema.Object().Prop("a", schema.Integer().Default(1)).Prop("b", schema.Array(schema.Object().Prop("c", schema.Integer().Default(2)).Optional("c")))
	c = compiled(t, required, schema.Input)
	_, err = c.Complete([]byte(`{"b":[]}`))
	wantError(t, err, `missing required argument "a" (integer)`)
	got, err := c.Complete([]byte(`{"a":0,"b":[{},{"c":3}]}`))
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, string(got), `{"a":0,"b":[{"c":2},{"c":3}]}`)
}

func TestLenient(t *testing.T) {
	s := schema.Object().Prop("n", schema.Integer().Max(9)).Prop("b", schema.Boolean()).Prop("s", schema.String()).Prop("x", schema.Array(schema.Nullable(schema.Number()))).Optional("n", "b", "s", "x")
	c, err := s.Compile(schema.CompileOptions{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Complete([]byte(`{"n": "5" ,"b":"true","s":"7","x":["1.5",2,null,"-3e2"]}`))
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, string(got), `{"n": 5 ,"b":true,"s":"7","x":[1.5,2,null,-3e2]}`)

	var typed struct {
		N int       `json:"n"`
		B bool      `json:"b"`
		S string    `json:"s"`
		X []float64 `json:"x"`
	}
	if err := c.Decode([]byte(`{"n":"5","b":"false","s":"7","x":["1.5"]}`), &typed); err != nil || fmt.Sprint(typed) != "{5 false 7 [1.5]}" {
		t.Errorf("got %v, %v", typed, err)
	}
	var loose map[string]any
	if err := c.Decode([]byte(`{"n":"5","b":"false"}`), &loose); err != nil || fmt.Sprintf("%#v", loose["n"]) != "5" || loose["b"] != false {
		t.Errorf("got %#v, %v", loose, err)
	}
	for _, test := range []struct{ args, want string }{
		{`{"n":"10"}`, `arguments.n: expected integer ≤ 9, got 10`},
		{`{"n":"5.5"}`, `arguments.n: expected integer, got 5.5`},
		{`{"n":"true"}`, `arguments.n: expected integer, got "true"`},
		{`{"n":" 5"}`, `arguments.n: expected integer, got " 5"`},
		{`{"n":"5x"}`, `arguments.n: expected integer, got "5x"`},
		{`{"n":""}`, `arguments.n: expected integer, got ""`},
		{`{"n":"\u0035"}`, `arguments.n: expected integer, got "\u0035"`},
		{`{"b":"1"}`, `arguments.b: expected boolean, got "1"`},
		{`{"b":"TRUE"}`, `arguments.b: expected boolean, got "TRUE"`},
		{`{"b":1}`, `arguments.b: expected boolean, got 1`},
		{`{"s":7}`, `arguments.s: expected string, got 7`},
		{`{"x":"[1]"}`, `arguments.x: expected array, got "[1]"`},
	} {
		wantError(t, c.Validate([]byte(test.args)), test.want)
	}
}
