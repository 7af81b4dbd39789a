package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/schema"
)

type (
	empty struct{}

	named struct {
		A string `json:"a"`
		B string
		C string `json:",omitempty"`
		D string `json:"-"`
		_ string
		F int `json:"f,omitzero"`
	}

	node struct {
		Name  string  `json:"name"`
		Left  *node   `json:"left"`
		Kids  []node  `json:"kids,omitempty"`
		Index nodeMap `json:"index,omitempty"`
	}
	nodeMap map[string]*node

	forest []forest

	Base struct {
		ID   int    `json:"id"`
		Kind string `json:"kind"`
	}
	inner struct {
		Deep string `json:"deep"`
	}
	embedding struct {
		First string `json:"first"`
		Base
		inner
		Kind string `json:"kind"`
	}
	embeddingPointer struct {
		*Base
	}

	level  int // by text
	secret struct{ S string }

	pair[K, V any] struct {
		Key   K           `json:"key"`
		Value V           `json:"value"`
		Next  *pair[K, V] `json:"next,omitempty"`
	}

	secretBox struct{ S secretText }

	secretTwin struct{ S secretText }

	secretText string

	described struct {
		City  string   `json:"city" title:"City" doc:"Where, such as 京都" enum:"oslo,京都"`
		Days  int      `json:"days" min:"1" max:"14" multipleOf:"1" default:"3"`
		Rate  float64  `json:"rate" min:"0.5"`
		Code  *string  `json:"code" pattern:"^[A-Z]+$" minLength:"2" maxLength:"3" format:"code"`
		Tags  []string `json:"tags" enum:"a,b" minItems:"1" maxItems:"2" default:"[\"a\"]"`
		Level uint8    `json:"level" enum:"1,2" optional:"true"`
		Area  string   `json:"area" header:"Area"`
	}
)

func (l level) MarshalText() ([]byte, error) { return []byte("level"), nil }
func (l *level) UnmarshalText(b []byte) error {
	*l = level(len(b))
	return nil
}

func (s secret) MarshalJSON() ([]byte, error)  { return []byte(`"s"`), nil }
func (s *secret) UnmarshalJSON(b []byte) error { s.S = string(b); return nil }

func (b secretBox) MarshalText() ([]byte, error) { return []byte(b.S), nil }

func (b secretTwin) MarshalText() ([]byte, error) { return []byte(b.S), nil }

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

func TestInferredText(t *testing.T) {
	const (
		nodeInput = `{"type":"object","properties":{"name":{"type":"string"},"left":{"$ref":"#/$defs/node"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}},` +
			`"index":{"type":"object","additionalProperties":{"$ref":"#/$defs/node"}}},"required":["name"],"additionalProperties":false`
		nodeOutput = `{"type":"object","properties":{"name":{"type":"string"},"left":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}},` +
			`"index":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}}},"required":["name","left"],"additionalProperties":false`
	)
	for _, test := range []struct {
		rule          string
		typ           reflect.Type
		input, output string // output is input when empty
	}{
		{"bool", of[bool](), `{"type":"boolean"}`, ""},
		{"string", of[string](), `{"type":"string"}`, ""},
		{"int has no bounds", of[int](), `{"type":"integer"}`, ""},
		{"int8 has its range", of[int8](), `{"type":"integer","minimum":-128,"maximum":127}`, ""},
		{"int32 has its range", of[int32](), `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`, ""},
		{"uint is not negative", of[uint](), `{"type":"integer","minimum":0}`, ""},
		{"uint16 has its range", of[uint16](), `{"type":"integer","minimum":0,"maximum":65535}`, ""},
		{"floats are numbers", of[float32](), `{"type":"number"}`, ""},
		{"any is everything", of[any](), `{}`, ""},
		{"raw text is everything", of[json.RawMessage](), `{}`, ""},
		{"bytes are base64", of[[]byte](), `{"type":"string","contentEncoding":"base64"}`, ""},
		{"an array of bytes is base64", of[[4]byte](), `{"type":"string","contentEncoding":"base64"}`, ""},
		{"a slice", of[[]int](), `{"type":"array","items":{"type":"integer"}}`, ""},
		{"an array has its length", of[[2]bool](), `{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}`, ""},
		{"a map", of[map[string]float64](), `{"type":"object","additionalProperties":{"type":"number"}}`, ""},
		{"a map with text keys", of[map[netip.Addr]int](), `{"type":"object","additionalProperties":{"type":"integer"}}`, ""},
		{"time is a date-time", of[time.Time](), `{"type":"string","format":"date-time"}`, ""},
		{"text methods make a string", of[level](), `{"type":"string"}`, ""},
		{"JSON methods make anything", of[secret](), `{}`, ""},
		{"JSON methods win over text methods", of[big.Int](), `{}`, ""},
		{"a nil pointer in a result is null", of[*int](), `{"type":"integer"}`, `{"type":["integer","null"]}`},
		{"a nil pointer to a list is null in a result", of[*[]int](), `{"type":"array","items":{"type":"integer"}}`, `{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}`},
		{"an empty struct", of[empty](), `{"type":"object","properties":{},"additionalProperties":false}`, ""},
		{
			"json tags name fields and leave them out", of[named](),
			`{"type":"object","properties":{"a":{"type":"string"},"B":{"type":"string"},"C":{"type":"string"},"f":{"type":"integer"}},"required":["a","B"],"additionalProperties":false}`, "",
		},
		{
			"embedded structs are flattened, the shallowest name wins", of[embedding](),
			`{"type":"object","properties":{"first":{"type":"string"},"id":{"type":"integer"},"deep":{"type":"string"},"kind":{"type":"string"}},"required":["first","id","deep","kind"],"additionalProperties":false}`, "",
		},
		{
			"what an embedded pointer promotes is optional", of[embeddingPointer](),
			`{"type":"object","properties":{"id":{"type":"integer"},"kind":{"type":"string"}},"additionalProperties":false}`, "",
		},
		{"a recursive root is written in full and in $defs", of[node](), nodeInput + `,"$defs":{"node":` + nodeInput + `}}}`, nodeOutput + `,"$defs":{"node":` + nodeOutput + `}}}`},
		{"a recursive type below the root is a reference", of[[]node](), `{"type":"array","items":{"$ref":"#/$defs/node"},"$defs":{"node":` + nodeInput + `}}}`, `{"type":"array","items":{"$ref":"#/$defs/node"},"$defs":{"node":` + nodeOutput + `}}}`},
		{"a slice may contain itself", of[forest](), `{"type":"array","items":{"$ref":"#/$defs/forest"},"$defs":{"forest":{"type":"array","items":{"$ref":"#/$defs/forest"}}}}`, ""},
		{
			"a generic name is made plain", of[pair[string, []int]](),
			`{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"array","items":{"type":"integer"}},"next":{"$ref":"#/$defs/pair_string___int_"}},"required":["key","value"],"additionalProperties":false,` +
				`"$defs":{"pair_string___int_":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"array","items":{"type":"integer"}},"next":{"$ref":"#/$defs/pair_string___int_"}},"required":["key","value"],"additionalProperties":false}}}`, "",
		},
		{
			"tags describe", of[described](),
			`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Where, such as 京都","enum":["oslo","京都"]},` +
				`"days":{"type":"integer","minimum":1,"maximum":14,"multipleOf":1,"default":3},"rate":{"type":"number","minimum":0.5},` +
				`"code":{"type":"string","minLength":2,"maxLength":3,"pattern":"^[A-Z]+$","format":"code"},` +
				`"tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"default":["a"]},` +
				`"level":{"type":"integer","enum":[1,2],"minimum":0,"maximum":255},"area":{"type":"string","x-mcp-header":"Area"}},"required":["city","rate","area"],"additionalProperties":false}`,
			`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Where, such as 京都","enum":["oslo","京都"]},` +
				`"days":{"type":"integer","minimum":1,"maximum":14,"multipleOf":1,"default":3},"rate":{"type":"number","minimum":0.5},` +
				`"code":{"type":["string","null"],"minLength":2,"maxLength":3,"pattern":"^[A-Z]+$","format":"code"},` +
				`"tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"default":["a"]},` +
				`"level":{"type":"integer","enum":[1,2],"minimum":0,"maximum":255},"area":{"type":"string"}},"required":["city","days","rate","code","tags","area"],"additionalProperties":false}`,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			if test.output == "" {
				test.output = test.input
			}
			wantText(t, marshalled(t, schema.Of(test.typ)), test.input)
			wantText(t, string(compiled(t, schema.Of(test.typ), schema.Output).JSON()), test.output)
		})
	}
}

func TestInferredPart(t *testing.T) {
	s := schema.Object().Prop("tree", schema.For[node]().Describe("The tree")).Prop("maybe", schema.Nullable(schema.For[int8]()))
	got := string(compiled(t, s, schema.Input).JSON())
	wantText(t, got[:120], `{"type":"object","properties":{"tree":{"type":"object","description":"The tree","properties":{"name":{"type":"string"},"`)
	if c := compiled(t, s, schema.Input); c.Validate([]byte(`{"tree":{"name":"a","left":{"name":"b"}},"maybe":null}`)) != nil {
		t.Error("a definition of an inferred part is not found from inside another schema")
	}
}

func TestInferMistakes(t *testing.T) {
	type holder[T any] struct {
		V T `json:"v"`
	}
	type hidden struct {
		value int //nolint
	}
	_ = hidden{}.value
	for _, test := range []struct {
		rule string
		typ  reflect.Type
		want string
	}{
		{"a channel has no form", of[holder[chan int]](), "holder[chan int].V: the type chan int has no JSON form; leave the field out with `json:\"-\"` or use another type"},
		{"a mistake below is found by its path", of[holder[[]*struct{ V map[string]struct{ forest } }]](), "holder[[]*struct { V map[string]struct { github.com/bowline-go/mcp/schema_test.forest } }].V[].V[].forest: the embedded type schema_test.forest is no struct; name it in a json tag"},
		{"a function has no form", of[func()](), "func(): the type func() has no JSON form; leave the field out with `json:\"-\"` or use another type"},
		{"a complex number has no form", of[[]complex128](), "[]complex128[]: the type complex128 has no JSON form; leave the field out with `json:\"-\"` or use another type"},
		{"a map has text keys", of[map[int]string](), "map[int]string: a map with keys of type int has no JSON form; use string keys, or keys with text methods"},
		{"an interface has no methods", of[holder[error]](), "holder[error].V: the interface error has methods, so no value can be made for it; use a struct, any or json.RawMessage"},
		{"a duration is ambiguous", of[time.Duration](), "Duration: time.Duration has no agreed JSON form; use an int of seconds, or a string and time.ParseDuration"},
		{"a number as text is ambiguous", of[json.Number](), "Number: json.Number is written as a string; use int64, float64 or json.RawMessage"},
		{"a struct has an exported field", of[hidden](), "hidden: schema_test.hidden has no exported field; use a type that has, or leave the field out with `json:\"-\"`"},
		{"two fields have different names", reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: of[int](), Tag: `json:"x"`},
			{Name: "B", Type: of[int](), Tag: `json:"x"`},
		}), "struct { A int \"json:\\\"x\\\"\"; B int \"json:\\\"x\\\"\" }.B: the name \"x\" is already that of field A; rename one in its json tag"},
		{"an embedded type is a struct", of[struct{ forest }](), "struct { schema_test.forest }.forest: the embedded type schema_test.forest is no struct; name it in a json tag"},
		{"an embedded type has no methods of its own", of[struct{ time.Time }](), ""},
		{"an embedded type with methods is named", of[struct {
			secretBox
			secretTwin `json:"-"` // hides the method of the other, which would otherwise be that of the whole
		}](), "struct { schema_test.secretBox; schema_test.secretTwin \"json:\\\"-\\\"\" }.secretBox: the embedded type schema_test.secretBox has JSON or text methods of its own; name it in a json tag"},
		{"an embedded pointer can be filled", of[struct{ *inner }](), "struct { *schema_test.inner }.inner: the embedded pointer to the unexported type schema_test.inner cannot be filled; embed it by value"},
		{"an embedded struct is not omitted", of[struct {
			Base `json:",omitzero"`
		}](), "struct { schema_test.Base \"json:\\\",omitzero\\\"\" }.Base: an embedded struct cannot be omitted as a whole; remove the option or give the field a name"},
		{"a named embedded field is exported", of[struct {
			inner `json:"i"`
		}](), "struct { schema_test.inner \"json:\\\"i\\\"\" }.inner: an embedded field that has a name in its json tag must be exported; export its type or remove the name"},
		{"a name has no quotes", of[struct {
			A int `json:"'a'"`
		}](), "struct { A int \"json:\\\"'a'\\\"\" }.A: the name \"'a'\" in the json tag has quotes or a backslash; use plain text"},
		{"a tagged field is exported", reflect.StructOf([]reflect.StructField{
			{Name: "B", Type: of[int]()},
			{Name: "a", PkgPath: "x", Type: of[int](), Tag: `json:"a"`},
		}), "struct { B int; a int \"json:\\\"a\\\"\" }.a: the field has a json tag but is not exported; export it or remove the tag"},
		{"options that change the form are refused", of[struct {
			A int `json:"x,string"`
		}](), "struct { A int \"json:\\\"x,string\\\"\" }.A: the json option \"string\" changes the JSON form in a way that a schema cannot follow; remove it or write the schema by hand"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := schema.Of(test.typ).Compile(schema.CompileOptions{Role: schema.Output})
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, "at "+test.want)
		})
	}
}

func TestTagMistakes(t *testing.T) {
	type mistakes struct {
		A string `json:"a" min:"1"`
		B int    `json:"b" max:"x"`
		C int    `json:"c" maxLength:"1"`
		D string `json:"d" minLength:"-1"`
		E bool   `json:"e" enum:"true"`
		F int    `json:"f" pattern:"x"`
		G int    `json:"g" default:"x"`
		H int    `json:"h" optional:"yes"`
		I int    `json:"i" enum:"1,x"`
		J []int  `json:"j" minItems:"x"`
		K string `json:"k" enum:"世, 界"`
		L int    `json:"l" jsonschema:"the number"`
		M int    `json:"m" description:"the number"`
		N int    `json:"n" doc:"The number" jsonschema:"the number"`
		//lint:ignore SA5008 the unknown option is the mistake
		O int    `json:"o,omitemtpy"`
		P string `json:"p" enum:"x,y,x"`
	}
	_, err := schema.For[mistakes]().Compile(schema.CompileOptions{})
	wantError(t, err, `at mistakes.O: the json option "omitemtpy" is unknown; use omitempty or omitzero
at mistakes.A: the tag min applies to numbers, not to string; remove it
at mistakes.B: the tag max is "x", which is no JSON number; write one such as 10 or 0.5
at mistakes.C: the tag maxLength applies to a string, not to int; remove it
at mistakes.D: the tag minLength is "-1"; write a number of 0 or more
at mistakes.E: the enum value "true" does not fit the type bool; enum lists strings or numbers
at mistakes.F: the tag pattern applies to a string, not to int; remove it
at mistakes.G: the default "x" is not JSON; write a JSON value that fits int
at mistakes.H: the tag optional is "yes"; write optional:"true" or leave it out
at mistakes.I: the enum value "x" does not fit the type int; enum lists strings or numbers
at mistakes.J: the tag minItems is "x"; write a number of 0 or more
at mistakes.K: the enum value " 界" begins or ends with a blank; write enum:"a,b" without any
at mistakes.L: the tag jsonschema is not read; write doc:"…"
at mistakes.M: the tag description is not read; write doc:"…"
at mistakes.P: the enum value "x" is listed twice; remove one`)
	_, err = schema.For[struct {
		A int `json:"a" default:"\"x\""`
	}]().Compile(schema.CompileOptions{})
	wantError(t, err, `at /properties/a/default: the default does not satisfy its own schema (the default: expected integer, got "x"); correct one of the two`)
}

// field is a struct with one field of a type and a tag, whatever stands in it.
func field(typ reflect.Type, tag reflect.StructTag) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "A", Type: typ, Tag: tag}})
}

func TestTagsThatSayNothingAreMistakes(t *testing.T) {
	for _, test := range []struct {
		rule string
		typ  reflect.Type
		want string // behind the field; empty: no mistake
	}{
		{"tags without a blank between them are read", field(of[int](), `json:"a"doc:"世界"  min:"1"`), ""},
		{"tags of other libraries are theirs", field(of[int](), `json:"a" db:"größe" validate:"min=1" example:"3"`), ""},
		{"a comma between tags", field(of[int](), `json:"a", doc:"世界"`), "the tag cannot be read from `, doc:\"世界\"` on; write name:\"value\" pairs with a blank between them"},
		{"a blank behind the colon", field(of[int](), `json: "a" doc:"世界"`), "the tag cannot be read from `json: \"a\" doc:\"世界\"` on; write"},
		{"a value without quotes", field(of[int](), `json:"a" doc:世界`), "the tag cannot be read from `doc:世界` on; write"},
		{"an equals sign", field(of[int](), `json:"a" doc="世界"`), "the tag cannot be read from `doc=\"世界\"` on; write"},
		{"a quote that does not end", field(of[int](), `json:"a" doc:"世界`), "the tag cannot be read from `doc:\"世界` on; write"},
		{"words without a name", field(of[int](), `die größe`), "the tag cannot be read from `die größe` on; write"},
		{"a field that is left out may say anything", field(of[int](), `json:"-" doc:世界`), ""},
		{"a tag twice", field(of[int](), `json:"a" doc:"世" doc:"界"`), `the tag doc is given twice, and only the first is read; remove one`},
		{"another case", field(of[int](), `json:"a" Doc:"世界"`), `the tag Doc is not read; write doc`},
		{"underscores", field(of[string](), `json:"a" min_length:"2"`), `the tag min_length is not read; write minLength`},
		{"another library's bound", field(of[int](), `json:"a" minimum:"2"`), `the tag minimum is not read; write min:"…"`},
		{"another library's bound beside ours", field(of[int](), `json:"a" minimum:"2" min:"2"`), ""},
		{"another library's description", field(of[int](), `json:"a" desc:"世界"`), `the tag desc is not read; write doc:"…"`},
		{"required, as the field is", field(of[int](), `json:"a" required:"true"`), ""},
		{"required, as the field is not", field(of[*int](), `json:"a" required:"true"`), `the tag required is not read, and the field is optional`},
		{"not required, as the field is", field(of[int](), `json:"a" required:"false"`), `the tag required is not read; write optional:"true"`},
		{"not required, as the field is not", field(of[int](), `json:"a,omitzero" required:"false"`), ""},
		{"an enum of nothing", field(of[string](), `json:"a" enum:""`), `the tag enum is empty, so only the empty text is accepted; list the values or remove it`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := schema.Of(test.typ).Compile(schema.CompileOptions{})
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), ".A: "+test.want)) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if _, err := schema.Of(field(of[int](), `json:"a" minimum:"2"`)).Compile(schema.CompileOptions{Role: schema.Output}); err != nil {
		t.Errorf("tags of other libraries on a result do no harm, got %v", err)
	}
}

func TestInfallible(t *testing.T) {
	for _, test := range []struct {
		rule string
		typ  reflect.Type
		want bool
	}{
		{"plain fields keep their promise", of[Base](), true},
		{"pointers, slices, maps and times do", of[node](), true},
		{"raw text and own methods accept everything", of[struct {
			A json.RawMessage
			B secret
			C []time.Time
		}](), true},
		{"an integer keeps the range of its type", of[uint8](), true},
		{"an enum may be violated", of[struct {
			A string `enum:"a"`
		}](), false},
		{"a bound may be violated", of[struct {
			A int `max:"1"`
		}](), false},
		{"a pattern may be violated", of[struct {
			A string `pattern:"x"`
		}](), false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			if got := compiled(t, schema.Of(test.typ), schema.Output).Infallible(); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
	if compiled(t, schema.Integer(), schema.Output).Infallible() || compiled(t, schema.For[Base](), schema.Input).Infallible() {
		t.Error("only an inferred output schema is infallible")
	}
}
