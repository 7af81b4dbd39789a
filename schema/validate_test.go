package schema_test

import (
	"errors"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

// verdicts lists a schema with the values that it accepts and refuses; a refused value has what is said about it.
type verdicts struct {
	rule     string
	schema   string
	accepted []string
	refused  map[string]string
}

func (v verdicts) check(t *testing.T) {
	t.Run(v.rule, func(t *testing.T) {
		c := compiled(t, schema.Text(v.schema), schema.Output)
		for _, value := range v.accepted {
			if err := c.Validate([]byte(value)); err != nil {
				t.Errorf("%s: %v", value, err)
			}
		}
		for value, want := range v.refused {
			err := c.Validate([]byte(value))
			wantError(t, err, want)
			if bad := (*schema.Violations)(nil); !errors.As(err, &bad) || bad.Len() == 0 {
				t.Errorf("%s: the error is no *Violations", value)
			}
		}
	})
}

func TestValidate(t *testing.T) {
	for _, v := range []verdicts{
		{
			"a type accepts its own values", `{"type":"string"}`,
			[]string{`"x"`, `""`, ` "世界😀" `, `"\ud83d\ude00"`},
			map[string]string{`1`: `result: expected string, got 1`, `null`: `result: expected string, got null`, `{}`: `result: expected string, got an object`, `[ ]`: `result: expected string, got an array`, `true`: `result: expected string, got true`},
		},
		{
			"an integer is a number without a fraction", `{"type":"integer"}`,
			[]string{`4`, `4.0`, `4e0`, `-0`, `40e-1`, `0.0`, `1e400`, `123456789012345678901234567890`},
			map[string]string{`2.5`: `result: expected integer, got 2.5`, `4e-1`: `result: expected integer, got 4e-1`, `1e-400`: `result: expected integer, got 1e-400`, `"4"`: `result: expected integer, got "4"`},
		},
		{
			"several types", `{"type":["integer","string","null"]}`,
			[]string{`1`, `"x"`, `null`},
			map[string]string{`1.5`: `result: expected string or integer or null, got 1.5`, `true`: `result: expected string or integer or null, got true`},
		},
		{
			"bounds are exact beyond float64", `{"minimum":9007199254740993,"exclusiveMaximum":18446744073709551616.5}`,
			[]string{`9007199254740993`, `18446744073709551616`, `9007199254740993.0`, `"x"`},
			map[string]string{`9007199254740992`: `result: expected number ≥ 9007199254740993, got 9007199254740992`, `9007199254740992.9`: `result: expected number ≥ 9007199254740993, got 9007199254740992.9`, `18446744073709551616.5`: `result: expected number < 18446744073709551616.5, got 18446744073709551616.5`},
		},
		{
			"an exclusive bound refuses itself", `{"type":"integer","exclusiveMinimum":1,"maximum":2.5}`,
			[]string{`2`, `2.0`},
			map[string]string{`1`: `result: expected integer > 1, got 1`, `1.0`: `result: expected integer > 1, got 1.0`, `3`: `result: expected integer ≤ 2.5, got 3`},
		},
		{
			"multiples are exact decimals", `{"multipleOf":0.01}`,
			[]string{`0`, `0.01`, `1.13`, `4.35`, `1e300`, `-19.99`, `123456789012345678901234567890.12`},
			map[string]string{`0.001`: `result: expected number that is a multiple of 0.01, got 0.001`, `1e-300`: `result: expected number that is a multiple of 0.01, got 1e-300`},
		},
		{
			"multiples of an integer", `{"type":"integer","multipleOf":7}`,
			[]string{`0`, `-14`, `7e0`, `9223372036854775807`, `7e400`},
			map[string]string{`8`: `result: expected integer that is a multiple of 7, got 8`, `1e400`: `result: expected integer that is a multiple of 7, got 1e400`, `-9223372036854775808`: `result: expected integer that is a multiple of 7, got -9223372036854775808`},
		},
		{
			"lengths count code points", `{"minLength":2,"maxLength":3}`,
			[]string{`"世界"`, `"😀😀"`, `"\ud83d\ude00\ud83d\ude00"`, `"a\nb"`, `5`},
			map[string]string{`"😀"`: `result: expected string of at least 2 characters, got "😀"`, `"世界世界"`: `result: expected string of at most 3 characters, got "世界世界"`, `"\u4e16"`: `result: expected string of at least 2 characters, got "\u4e16"`},
		},
		{
			"a pattern matches anywhere unless it is anchored", `{"pattern":"^世+$"}`,
			[]string{`"世世"`, `"\u4e16"`, `1`},
			map[string]string{`"a世"`: `result: expected string that matches ^世+$, got "a世"`},
		},
		{
			"format informs", `{"type":"string","format":"date-time"}`,
			[]string{`"never"`},
			nil,
		},
		{
			"an enum compares exactly and case-sensitively", `{"enum":["a","世界",1,null,{"b":[1,{}],"c":2.0},true]}`,
			[]string{`"a"`, `"\u4e16\u754c"`, `1.0`, `10e-1`, `null`, `true`, ` { "c" : 2 , "b" : [ 1.0 , {} ] } `},
			map[string]string{`"A"`: `result: expected one of "a","世界",1,null,{"b":[1,{}],"c":2.0},true, got "A"`, `false`: `result: expected one of "a","世界",1,null,{"b":[1,{}],"c":2.0},true, got false`, `{"b":[1,{}]}`: `result: expected one of "a","世界",1,null,{"b":[1,{}],"c":2.0},true, got an object`},
		},
		{
			"a long enum", `{"enum":["a","b","c","d","e","f","g","h","i","j","k","l","m\n"]}`,
			[]string{`"a"`, `"m\n"`, `"\u006c"`},
			map[string]string{`"z"`: `result: expected one of "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", … (13 in all), got "z"`},
		},
		{"two lists must both name the value", `{"enum":["a","b"],"const":"b"}`, []string{`"b"`}, map[string]string{`"a"`: `result: expected "b", got "a"`, `1`: `result: expected one of "a", "b", got 1`}},
		{"short escapes", `{"const":"\b\f\r\t\/\\"}`, []string{`"\b\f\r\t/\\"`, `"\u0008\u000C\u000d\u0009\u002f\u005c"`}, nil},
		{"an empty enum accepts nothing", `{"enum":[]}`, nil, map[string]string{`1`: `result: expected none of any value: the enum is empty, got 1`, `"a"`: `result: expected none of any value: the enum is empty, got "a"`}},
		{"a constant", `{"const":9007199254740993}`, []string{`9007199254740993`, `9007199254740993.0`}, map[string]string{`9007199254740992`: `result: expected 9007199254740993, got 9007199254740992`}},
		{"a constant null", `{"const":null}`, []string{`null`}, map[string]string{`0`: `result: expected null, got 0`}},
		{"titled choices", `{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}`, []string{`"r"`}, map[string]string{`"Red"`: `result: expected one of "r", "g", got "Red"`}},
		{"nullable titled choices", `{"type":["string","null"],"anyOf":[{"const":"r"},{"type":"null"}]}`, []string{`"r"`, `null`}, map[string]string{`"x"`: `result: expected one of "r",null, got "x"`}},
		{"a nullable object", `{"oneOf":[{"type":"object","required":["a"]},{"type":"null"}]}`, []string{`null`, `{"a":1}`}, map[string]string{`{}`: `missing required property "a"`, `1`: `result: expected object, got 1`}},
		{
			"an array", `{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":2}`,
			[]string{`[1]`, `[ 1 , 2 ]`},
			map[string]string{`[]`: `result: expected at least 1 items, got 0`, `[1,2,3]`: `result: expected at most 2 items, got 3`, `[1,"x"]`: `result[1]: expected integer, got "x"`},
		},
		{
			"unique items compare by value", `{"uniqueItems":true}`,
			[]string{`[]`, `[1,"1",true,null,[1],{"a":1}]`, `[{"a":1},{"a":2}]`, `["a","b"]`, `"x"`},
			map[string]string{
				`[1,2,1.0]`:                           `result: expected different items, but [2] equals [0]`,
				`[{"a":1,"b":2},{"b":2.0,"a":10e-1}]`: `result: expected different items, but [1] equals [0]`,
				`["\u4e16","世"]`:                      `result: expected different items, but [1] equals [0]`,
			},
		},
		{
			"an object", `{"type":"object","properties":{"a":{"type":"integer"},"b c":{"type":"object","properties":{"d":{"type":"null"}}}},"required":["a","z"]}`,
			[]string{`{"a":1,"z":[]}`, `{"z":0,"a":1,"other":{}}`, `{"\u0061":1,"z":{}}`},
			map[string]string{
				`{"b c":{"d":1},"z":1}`: `result["b c"].d: expected null, got 1; missing required property "a" (integer)`,
				`{"a":1}`:               `missing required property "z"`,
			},
		},
		{
			"members that are not declared are refused", `{"properties":{"limit":{},"offset":{}},"additionalProperties":false,"required":["x"]}`,
			nil,
			map[string]string{`{"limt":1,"x":1}`: `unknown property "limt"; did you mean "limit"?; unknown property "x"; known: "limit", "offset"`},
		},
		{
			"members that are not declared have a schema", `{"properties":{"a":{}},"additionalProperties":{"type":"integer"},"required":["b"]}`,
			[]string{`{"a":"x","b":1,"世界":2}`},
			map[string]string{`{"b":"x","世界":"y"}`: `result.b: expected integer, got "x"; result.世界: expected integer, got "y"`, `{}`: `missing required property "b" (integer)`},
		},
		{"the number of members", `{"minProperties":1,"maxProperties":2}`, []string{`{"a":1}`, `1`}, map[string]string{`{}`: `result: expected at least 1 properties, got 0`, `{"a":1,"b":1,"c":1}`: `result: expected at most 2 properties, got 3`}},
		{"a member is given once", `{"properties":{"a":{}}}`, nil, map[string]string{`{"a":1,"\u0061":2}`: `result.a: given twice; send it once`}},
		{"false accepts nothing", `{"properties":{"a":false}}`, []string{`{}`, `{"b":1}`}, map[string]string{`{"a":[1]}`: `result.a: expected no value here, got an array`}},
		{
			"references", `{"$ref":"#/$defs/a~1b%25","$defs":{"a/b%":{"type":"array","items":{"$ref":"#named"}},"x":{"$anchor":"named","type":"null"}}}`,
			[]string{`[null]`},
			map[string]string{`[1]`: `result[0]: expected null, got 1`},
		},
		{
			"references by identifier", `{"$id":"https://example.com/root","properties":{"a":{"$ref":"item"},"b":{"$ref":"https://example.com/item#/$defs/n"}},"$defs":{"i":{"$id":"item","type":"integer","$defs":{"n":{"type":"null"}}}}}`,
			[]string{`{"a":1,"b":null}`},
			map[string]string{`{"a":"x","b":1}`: `result.a: expected integer, got "x"; result.b: expected null, got 1`},
		},
		{
			"a recursive schema", `{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"additionalProperties":false}`,
			[]string{`{"kids":[{},{"kids":[]}]}`},
			map[string]string{`{"kids":[{},{"kids":[{"kid":1}]}]}`: `result.kids[1].kids[0]: unknown property "kid"; did you mean "kids"?`},
		},
		{
			"draft-07 ignores what stands beside a reference", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","type":"string","definitions":{"a":{"type":"integer"}}}`,
			[]string{`1`},
			map[string]string{`"x"`: `result: expected integer, got "x"`},
		},
	} {
		v.check(t)
	}
}
