package schema_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/schema"
)

// FuzzText takes any text for a schema, and what it publishes for another.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"oneOf":[{"type":"string"},{"type":"null"}]}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[true],"dependencies":{"a":["b"]}}`,
		`{"$id":"https://example.com/","$anchor":"a","$dynamicRef":"#a","unevaluatedItems":false}`,
		`{"type":["integer","null"],"minimum":1e2,"multipleOf":0.1,"enum":[1,"😀"],"pattern":"世"}`, `true`, `{"not":{}}`, `{"$ref":"#"}`,
	} {
		f.Add([]byte(seed), []byte(`{"a":[1,"世界",null]}`))
	}
	f.Fuzz(func(t *testing.T, text, value []byte) {
		c, err := schema.Raw(text).Compile(schema.CompileOptions{Role: schema.Output})
		if err != nil {
			return
		}
		again, err := schema.Raw(c.JSON()).Compile(schema.CompileOptions{Role: schema.Output})
		if err != nil || !bytes.Equal(again.JSON(), c.JSON()) {
			t.Errorf("what is published is not a schema: %s, %v", c.JSON(), err)
		}
		verdict := c.Validate(value) == nil
		if c.Wrapped() != nil {
			wrapped, err := schema.Raw(c.Wrapped()).Compile(schema.CompileOptions{Role: schema.Output})
			if err != nil {
				t.Fatalf("the wrapped schema %s: %v", c.Wrapped(), err)
			}
			inside := append(append([]byte(`{"result":`), value...), '}')
			if json.Valid(value) && (wrapped.Validate(inside) == nil) != verdict && len(value) < 64 {
				t.Errorf("%s: %s decides differently for %s", text, c.Wrapped(), value)
			}
		}
		completed, err := c.Complete(value)
		if (err == nil) != verdict {
			t.Errorf("%s: %s: Validate says %v, Complete %v", text, value, verdict, err)
		}
		if verdict && !jsontext.Value(completed).IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Errorf("%s was completed to %s", value, completed)
		}
	})
}

// fuzzed has a field of each kind that the JSON library decodes as this package does.
type fuzzed struct {
	Text string             `json:"text,omitzero"`
	Flag bool               `json:"flag,omitzero"`
	N    int64              `json:"n,omitzero"`
	U    uint8              `json:"u,omitzero"`
	F    float64            `json:"f,omitzero"`
	Ptr  *int               `json:"ptr"`
	List []string           `json:"list,omitzero"`
	Pair [2]bool            `json:"pair,omitzero"`
	Data []byte             `json:"data,omitzero"`
	Map  map[string]float32 `json:"map,omitzero"`
	Self *fuzzed            `json:"self"`
}

// FuzzDecode compares the decoder with the JSON library, which is strict in the same ways but for integers with a
// fraction of zero or an exponent, and for null.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"text":"世界\ud83d\ude00","flag":true,"n":-9223372036854775808,"u":255,"f":1.5e3}`, `{"ptr":1,"list":["a","\n"],"pair":[true,false]}`,
		`{"data":"AAEC","map":{"世":0.5,"\u0061":1e10}}`, `{"self":{"self":{"text":""}}}`, `{"n":1.0}`, `{"text":null}`, `{ "n" : 1 , "n" : 2 }`, `{"text":"\ud800"}`, "{\"text\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	c := compiled(f, schema.For[fuzzed](), schema.Input)
	trusting := trustingOf[fuzzed](f)
	f.Fuzz(func(t *testing.T, args []byte) {
		sameWhenTrusted(t, c, trusting, args)
		if len(args) == 0 || bytes.Contains(args, []byte("null")) {
			return
		}
		var got, want fuzzed
		err := c.Decode(args, &got)
		twinErr := jsonv2.Unmarshal(args, &want, jsonv2.RejectUnknownMembers(true))
		switch {
		case err == nil && twinErr != nil:
			if bytes.ContainsAny(args, ".eE") {
				return // an integer in another spelling
			}
			if bytes.Contains(args, []byte(`"map"`)) {
				return // a name twice in an open object is refused before arguments come here
			}
			t.Errorf("%s: accepted, want %v", args, twinErr)
		case err != nil && twinErr == nil:
			t.Errorf("%s: %v, want %+v", args, err, want)
		case err == nil && !reflect.DeepEqual(got, want):
			t.Errorf("%s:\n got %+v\nwant %+v", args, got, want)
		}
		if (c.Validate(args) == nil) != (err == nil) && !bytes.Contains(args, []byte(`"data"`)) && !bytes.ContainsAny(args, "0123456789") {
			t.Errorf("%s: Validate disagrees with %v", args, err)
		}
	})
}
