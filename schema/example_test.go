package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp/schema"
)

func ExampleFor() {
	type Search struct {
		Query string   `json:"query" doc:"What to look for" minLength:"1"`
		Kinds []string `json:"kinds,omitempty" enum:"file,folder"`
		Limit int      `json:"limit" min:"1" max:"100" default:"20"`
	}
	compiled, err := schema.For[Search]().Compile(schema.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var in Search
	fmt.Println(compiled.Decode([]byte(`{"query":"世界"}`), &in), in)
	fmt.Println(compiled.Decode([]byte(`{"query":"x","limt":5,"kinds":["File"]}`), &in))
	// Output:
	// <nil> {世界 [] 20}
	// unknown argument "limt"; did you mean "limit"?; arguments.kinds[0]: expected one of "file", "folder", got "File"
}

func ExampleObject() {
	query := schema.Object().
		Prop("name", schema.String().Describe("Name to look up")).
		Prop("limit", schema.Integer().Describe("Maximum rows")).
		Optional("limit").
		Strict()
	text, err := json.Marshal(query)
	fmt.Println(string(text), err)
	// Output:
	// {"type":"object","properties":{"name":{"type":"string","description":"Name to look up"},"limit":{"type":"integer","description":"Maximum rows"}},"required":["name"],"additionalProperties":false} <nil>
}

func ExampleCompiled_Complete() {
	size := schema.Object().Prop("width", schema.Integer().Default(80)).Optional("width")
	compiled, err := schema.Object().Prop("text", schema.String()).Prop("size", size).Compile(schema.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	args, err := compiled.Complete([]byte(`{"text":"😀","size":{}}`))
	fmt.Println(string(args), err)
	// Output:
	// {"text":"😀","size":{"width":80}} <nil>
}

func ExampleText() {
	_, err := schema.Text(`{"type":"object","properties":{"n":{"type":"int"},"p":{"pattern":"(?<!a)b"}}}`).Compile(schema.CompileOptions{})
	fmt.Println(err)
	// Output:
	// at /properties/n/type: expected one of the types null, boolean, object, array, string, number, integer, or an array of different ones, got "int"; correct the keyword or remove it
	// at /properties/p/pattern: error parsing regexp: invalid named capture: `(?<!a)b`; use the syntax of Go's regexp, which has no look-around and no back-references
}
