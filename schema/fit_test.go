package schema_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/bowline-go/mcp/schema"
)

type place struct {
	Name  string            `json:"name"`
	Size  int               `json:"größe,omitempty"`
	At    *time.Time        `json:"at,omitempty"`
	Near  []place           `json:"near,omitempty"`
	Notes map[string]string `json:"notes,omitempty"`
	Free  any               `json:"free,omitempty"`
}

func TestCheckTypeOfArguments(t *testing.T) {
	text, number := schema.String(), schema.Integer()
	for _, test := range []struct {
		rule   string
		schema *schema.Schema
		typ    reflect.Type
		want   string
	}{
		{"the schema of the type", schema.For[place](), of[place](), ""},
		{"fewer members", schema.Object().Prop("name", text.MinLength(2)), of[place](), ""},
		{"narrower values", schema.Object().Prop("name", schema.Enum("京都")).Prop("größe", number.Min(0).Max(9)), of[place](), ""},
		{"a type that holds anything", schema.Object().Prop("x", number), of[any](), ""},
		{"a map of anything", schema.Object().Prop("x", number), of[map[string]any](), ""},
		{"null beside the value", schema.Object().Prop("at", schema.Nullable(text)), of[place](), ""},
		{"a field of any type", schema.Object().Prop("free", schema.Array(number)), of[place](), ""},
		{"a schema that is wrong", schema.Text(`{"type":`), of[place](), ""},
		{"a type that is wrong", text, of[chan int](), ""},
		{"another kind", schema.Object().Prop("name", number), of[place](), "at .name: the schema has integer, but the Go type holds string; change one of the two"},
		{"fractions for an integer", schema.Object().Prop("größe", schema.Number()), of[place](), "at .größe: the schema has number, but the Go type holds integer; change one of the two"},
		{"a member without a field", schema.Object().Prop("town", text), of[place](), `the schema has property "town", but the Go type has no field for it; change one of the two`},
		{"elements", schema.Object().Prop("near", schema.Array(schema.Object().Prop("town", text))), of[place](), `at .near[]: the schema has property "town", but the Go type has no field for it; change one of the two`},
		{"values of a map", schema.Object().Prop("notes", schema.Map(number)), of[place](), "at .notes[]: the schema has integer, but the Go type holds string; change one of the two"},
		{"members of a map", schema.Object().Prop("notes", schema.Object().Prop("世界", number)), of[place](), "at .notes.世界: the schema has integer, but the Go type holds string; change one of the two"},
		{"a choice", schema.Text(`{"properties":{"name":{"anyOf":[{"type":"string"},{"type":"boolean"}]}}}`), of[place](), "at .name: the schema has boolean, but the Go type holds string; change one of the two"},
		{"a definition", schema.Text(`{"$ref":"#/$defs/p","$defs":{"p":{"type":"object","properties":{"near":{"items":{"$ref":"#/$defs/p"}}}}}}`), of[struct {
			Near []string `json:"near"`
		}](), "at .near[]: the schema has object, but the Go type holds string; change one of the two"},
		{"a document that refers to itself", schema.Text(`{"properties":{"near":{"items":{"$ref":"#"}},"name":{"type":"null"}}}`), of[place](), ""},
	} {
		t.Run(test.rule, func(t *testing.T) { wantFit(t, test.schema.CheckType(test.typ, schema.Input), test.want) })
	}
}

func TestCheckTypeOfResults(t *testing.T) {
	text, number := schema.String(), schema.Integer()
	for _, test := range []struct {
		rule   string
		schema *schema.Schema
		typ    reflect.Type
		want   string
	}{
		{"the schema of the type", schema.For[place](), of[place](), ""},
		{"less than the type gives", schema.Object().Prop("name", text), of[place](), ""},
		{"an enum of the type's kind", schema.Enum("京都"), of[string](), ""},
		{"an integer for a float", number, of[float64](), ""},
		{"raw JSON", number, of[json.RawMessage](), ""},
		{"a pointer that may be null", schema.Object().Prop("name", text), of[*place](), ""},
		{"a map may give any member", schema.Object().Prop("name", text).Strict(), of[map[string]string](), ""},
		{"another kind", text, of[int](), "the schema has string, but the Go type gives integer; change one of the two"},
		{"another kind behind a pointer", text, of[*place](), "the schema has string, but the Go type gives object; change one of the two"},
		{"a member that nothing gives", schema.Object().Prop("town", text), of[place](), `the schema requires property "town", but the Go type has no field for it; change one of the two`},
		{"a member that may be left out", schema.Object().Prop("town", text).Optional("town"), of[place](), ""},
		{"a member of another kind", schema.Object().Prop("name", number), of[place](), "at .name: the schema has integer, but the Go type gives string; change one of the two"},
		{"elements", schema.Array(number), of[[]string](), "at []: the schema has integer, but the Go type gives string; change one of the two"},
		{"a field that is not allowed", schema.Object().Prop("a", number).Strict(), of[struct {
			A int `json:"a"`
			B int `json:"größe"`
		}](), `the Go type has a field for "größe", but the schema allows no such property; change one of the two`},
	} {
		t.Run(test.rule, func(t *testing.T) { wantFit(t, test.schema.CheckType(test.typ, schema.Output), test.want) })
	}
}

func TestCheckTypeTellsEverything(t *testing.T) {
	err := schema.Object().Prop("a", schema.String()).Prop("name", schema.Boolean()).CheckType(of[place](), schema.Input)
	wantFit(t, err, "the schema has property \"a\", but the Go type has no field for it; change one of the two\nat .name: the schema has boolean, but the Go type holds string; change one of the two")
}

func wantFit(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
