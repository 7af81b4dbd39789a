package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/schema"
)

type (
	numbers struct {
		I   int     `json:"i,omitzero"`
		I8  int8    `json:"i8,omitzero"`
		I64 int64   `json:"i64,omitzero"`
		U   uint    `json:"u,omitzero"`
		U64 uint64  `json:"u64,omitzero"`
		F   float64 `json:"f,omitzero"`
		F32 float32 `json:"f32,omitzero"`
	}

	everything struct {
		Text  string             `json:"text,omitzero"`
		Flag  bool               `json:"flag,omitzero"`
		Ptr   *int               `json:"ptr"`
		PPtr  **string           `json:"pptr"`
		List  []string           `json:"list,omitzero"`
		Pair  [2]int             `json:"pair,omitzero"`
		Bytes []byte             `json:"bytes,omitzero"`
		Four  [4]byte            `json:"four,omitzero"`
		Map   map[string]*int    `json:"map,omitzero"`
		Addrs map[netip.Addr]int `json:"addrs,omitzero"`
		When  time.Time          `json:"when,omitzero"`
		Addr  netip.Addr         `json:"addr,omitzero"`
		Big   *big.Int           `json:"big,omitzero"`
		Any   any                `json:"any,omitzero"`
		Raw   json.RawMessage    `json:"raw,omitzero"`
		Node  *node              `json:"node"`
		embeddingPointer
	}

	defaults struct {
		City string `json:"city" enum:"oslo,京都" default:"京都"`
		Max  int    `json:"max" default:"9007199254740993"`
		In   struct {
			Deep bool     `json:"deep" default:"true"`
			Tags []string `json:"tags" default:"[\"a\",\"b\"]"`
		} `json:"in" default:"{}"`
		Out *struct {
			Deep int `json:"deep" default:"1"`
		} `json:"out"`
	}
)

func TestDecode(t *testing.T) {
	one, text := 1, "世界😀"
	pointer := &text
	for _, test := range []struct {
		rule string
		args string
		want any // a value of the type to decode into
	}{
		{"integers are exact over int64", `{"i64":-9223372036854775808,"i":9007199254740993}`, numbers{I64: math.MinInt64, I: 9007199254740993}},
		{"integers are exact over uint64", `{"u64":18446744073709551615,"u":9007199254740993.0}`, numbers{U64: math.MaxUint64, U: 9007199254740993}},
		{"a number without a fraction is an integer", `{"i":4.0,"i8":-1.2e1,"u":4e0,"i64":9223372036854775807e0,"u64":0.0}`, numbers{I: 4, I8: -12, U: 4, I64: math.MaxInt64}},
		{"numbers become the nearest float", `{"f":0.1,"f32":0.1}`, numbers{F: 0.1, F32: 0.1}},
		{"integers become floats", `{"f":9007199254740993,"f32":16777217}`, numbers{F: 9007199254740992, F32: 16777216}},
		{"negative zero", `{"f":-0.0,"u":-0,"i":-0}`, numbers{F: math.Copysign(0, -1)}},
		{"text is unescaped", `{"text":"a\n\"\u4e16界\ud83d\ude00\/"}`, everything{Text: "a\n\"世界😀/"}},
		{"plain text", `{"text":"世界😀","flag":true}`, everything{Text: "世界😀", Flag: true}},
		{"pointers are made", `{"ptr":1,"pptr":"世界😀"}`, everything{Ptr: &one, PPtr: &pointer}},
		{"an empty list is not nil", `{"list":[]}`, everything{List: []string{}}},
		{"lists and arrays", `{"list":["a","b"],"pair":[1,2]}`, everything{List: []string{"a", "b"}, Pair: [2]int{1, 2}}},
		{"base64", `{"bytes":"5LiW","four":"AAECAw=="}`, everything{Bytes: []byte("世"), Four: [4]byte{0, 1, 2, 3}}},
		{"empty base64 is not nil", `{"bytes":""}`, everything{Bytes: []byte{}}},
		{"maps", `{"map":{"\u4e16":1},"addrs":{"::1":2}}`, everything{Map: map[string]*int{"世": &one}, Addrs: map[netip.Addr]int{netip.IPv6Loopback(): 2}}},
		{"text methods", `{"when":"2026-07-28T12:00:00.5Z","addr":"10.0.0.1"}`, everything{When: time.Date(2026, 7, 28, 12, 0, 0, 5e8, time.UTC), Addr: netip.MustParseAddr("10.0.0.1")}},
		{"JSON methods", `{"big":123456789012345678901234567890}`, everything{Big: bigInt("123456789012345678901234567890")}},
		{"any has exact numbers", `{"any":{"a":[1,9007199254740993,18446744073709551615,0.5,1e2,null,true,"\u4e16"]}}`, everything{Any: map[string]any{"a": []any{int64(1), int64(9007199254740993), uint64(math.MaxUint64), 0.5, 100.0, nil, true, "世"}}}},
		{"any null is nil", `{"any":null}`, everything{}},
		{"raw text is kept as it is", `{"raw": { "a" : 1.0 } }`, everything{Raw: json.RawMessage(`{ "a" : 1.0 }`)}},
		{"recursion", `{"node":{"name":"a","left":{"name":"b"},"kids":[{"name":"c"}],"index":{"x":{"name":"d"}}}}`, everything{Node: &node{Name: "a", Left: &node{Name: "b"}, Kids: []node{{Name: "c"}}, Index: nodeMap{"x": {Name: "d"}}}}},
		{"an embedded pointer is made for its members", `{"kind":"k"}`, everything{embeddingPointer: embeddingPointer{&Base{Kind: "k"}}}},
		{"white space is allowed anywhere", " \n{ \t\"text\" : \"x\" ,\r\"list\" : [ \"a\" , \"b\" ] } ", everything{Text: "x", List: []string{"a", "b"}}},
		{
			"defaults fill absent members, at any depth", `{"out":{}}`,
			defaults{
				City: "京都", Max: 9007199254740993,
				In: struct {
					Deep bool     `json:"deep" default:"true"`
					Tags []string `json:"tags" default:"[\"a\",\"b\"]"`
				}{true, []string{"a", "b"}},
				Out: &struct {
					Deep int `json:"deep" default:"1"`
				}{1},
			},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			typ := reflect.TypeOf(test.want)
			c := compiled(t, schema.Of(typ), schema.Input)
			got := reflect.New(typ)
			if err := c.Decode([]byte(test.args), got.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Elem().Interface(), test.want) {
				t.Errorf("\n got %+v\nwant %+v", got.Elem().Interface(), test.want)
			}
			if err := c.Validate([]byte(test.args)); err != nil {
				t.Errorf("Validate disagrees: %v", err)
			}
		})
	}
}

func bigInt(text string) *big.Int {
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

func TestDecodeRefuses(t *testing.T) {
	c := compiled(t, schema.For[everything](), schema.Input)
	n := compiled(t, schema.For[numbers](), schema.Input)
	for _, test := range []struct{ rule, args, want string }{
		{"the wrong kind", `{"text":[],"flag":{},"list":{},"node":[]}`, `arguments.text: expected string, got an array; arguments.flag: expected boolean, got an object; arguments.list: expected array, got an object; arguments.node: expected object, got an array`},
		{"null for a pointer", `{"ptr":null}`, `arguments.ptr: expected integer, got null`},
		{"a missing member below", `{"node":{"left":{}}}`, `arguments.node.left: missing required property "name" (string); arguments.node: missing required property "name" (string)`},
		{"an unknown argument", `{"texts":"x"}`, `unknown argument "texts"; did you mean "text"?`},
		{"an unknown argument far from all", `{"zzzzzz":"x"}`, `unknown argument "zzzzzz"; known: "text", "flag", "ptr", "pptr", "list", "pair", "bytes", "four", "map", "addrs", "when", "addr", … (18 in all)`},
		{"text that is no base64", `{"bytes":"5LiW=","four":"AAEC"}`, `arguments.bytes: expected base64 text (RFC 4648, section 4, with padding), got "5LiW="; arguments.four: expected base64 text of 4 bytes, got "AAEC"`},
		{"text that is no time", `{"when":"tomorrow"}`, `arguments.when: expected date-time (RFC 3339, such as 2006-01-02T15:04:05Z), got "tomorrow"`},
		{"text that its type cannot read", `{"addr":"localhost"}`, `arguments.addr: expected text that netip.Addr reads (ParseAddr("localhost"): unable to parse IP), got "localhost"`},
		{"a name that its type cannot read", `{"addrs":{"x":1}}`, `arguments.addrs.x: expected a name that netip.Addr reads (ParseAddr("x"): unable to parse IP), got "x"`},
		{"JSON that its type cannot read", `{"big":"x"}`, `arguments.big: expected a value that big.Int reads (math/big: cannot unmarshal "\"x\"" into a *big.Int), got "x"`},
		{"a short array", `{"pair":[1]}`, `arguments.pair: expected at least 2 items, got 1`},
		{"a long array", `{"pair":[1,2,3]}`, `arguments.pair: expected at most 2 items, got 3`},
		{"a number that any cannot hold", `{"any":[1e999]}`, `arguments.any: expected numbers within the range of float64, got an array`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			wantError(t, c.Decode([]byte(test.args), &everything{}), test.want)
		})
	}
	for _, test := range []struct{ rule, args, want string }{
		{"a fraction", `{"i":2.5}`, `arguments.i: expected integer, got 2.5`},
		{"more than int64", `{"i64":9223372036854775808}`, `arguments.i64: expected integer from -9223372036854775808 to 9223372036854775807, got 9223372036854775808`},
		{"more than uint64", `{"u64":18446744073709551616}`, `arguments.u64: expected integer from 0 to 18446744073709551615, got 18446744073709551616`},
		{"less than zero", `{"u":-1,"u64":-1e0}`, `arguments.u: expected integer ≥ 0, got -1; arguments.u64: expected integer ≥ 0, got -1e0`},
		{"more than int8", `{"i8":128}`, `arguments.i8: expected integer ≤ 127, got 128`},
		{"more than float64", `{"f":1e999}`, `arguments.f: expected number within the range of float64, got 1e999`},
		{"more than float32", `{"f32":1e39}`, `arguments.f32: expected number within the range of float32, got 1e39`},
		{"text for a number", `{"i":"1"}`, `arguments.i: expected integer, got "1"`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			wantError(t, n.Decode([]byte(test.args), &numbers{}), test.want)
		})
	}
	wantError(t, c.Decode([]byte(`{}`), everything{}), "cannot decode into schema_test.everything; pass a pointer to a value")
	wantError(t, c.Decode([]byte(`{}`), (*everything)(nil)), "cannot decode into *schema_test.everything; pass a pointer to a value")
}

func TestViolationsAreBounded(t *testing.T) {
	c := compiled(t, schema.Array(schema.Integer()), schema.Output)
	err := c.Validate([]byte("[" + strings.Repeat(`"x",`, 99) + `"x"]`))
	var bad *schema.Violations
	if !errors.As(err, &bad) || bad.Len() != 100 || strings.Count(err.Error(), "expected") != 10 || !strings.HasSuffix(err.Error(), `; result[9]: expected integer, got "x"; and 90 more`) {
		t.Errorf("got %v", err)
	}
	err = compiled(t, schema.Integer(), schema.Output).Validate([]byte(`"` + strings.Repeat("世", 100000) + `"`))
	wantText(t, err.Error(), `result: expected integer, got "`+strings.Repeat("世", 59)+"…")
}

func TestManyUnknownNamesAreCheap(t *testing.T) {
	s := schema.Object().Strict()
	for i := range 500 {
		s = s.Prop(fmt.Sprintf("a_rather_long_name_of_a_property_%d", i), schema.Any())
	}
	c := compiled(t, s, schema.Input)
	var args strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&args, `,"a_rather_long_name_of_a_property%d":1`, i)
	}
	err := c.Validate([]byte("{" + args.String()[1:] + "}"))
	if bad := (*schema.Violations)(nil); !errors.As(err, &bad) || bad.Len() != 100_500 {
		t.Errorf("got %.100v", err)
	}
}

func TestMalformedTextIsRefused(t *testing.T) {
	c := compiled(t, schema.For[everything](), schema.Input)
	open := compiled(t, schema.Object(), schema.Input)
	const args = `{"text":"a\u4e16\ud83d\ude00","list":["世",""],"pair":[1,-2.0e1],"any":{"a":[true,false,null,{}],"b":"\n"},"node":{"name":"😀"}}`
	if err := c.Decode([]byte(args), &everything{}); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(args); i++ {
		if c.Decode([]byte(args[:i]), &everything{}) == nil || c.Validate([]byte(args[:i])) == nil || open.Validate([]byte(args[:i])) == nil {
			t.Errorf("accepted %s", args[:i])
		}
	}
	for _, tail := range []string{"x", "{}", ",", "}", "\x00"} {
		if c.Decode([]byte(args+tail), &everything{}) == nil || open.Validate([]byte(args+tail)) == nil {
			t.Errorf("accepted %q behind the value", tail)
		}
	}
	for _, value := range []string{
		`{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`, `{"a":1e}`, `{"a":-}`, `{"a":NaN}`, `{"a":tru}`, `{"a":nul}`, `{"a" 1}`, `{"a":1,}`, `{,}`, `{a:1}`, `{'a':1}`,
		`{"a":[1,]}`, `{"a":[,]}`, `{"a":[1 2]}`, `{"a":"` + "\n" + `"}`, `{"a":"\x"}`, `{"a":"\u12"}`, `{"a":"\u12g4"}`, `{"a":"\ud83d"}`, `{"a":"\ude00"}`, `{"a":"\ud83d\u0041"}`,
		"{\"a\":\"\xff\"}", "{\"a\":\"12345678\xe4\xb8\"}", "{\"\xff\":1}", `{"a":"` + "12345678\x1f" + `"}`, `{"a":}`, `{"a"}`, `{1:2}`, `nil`, ``, " ",
	} {
		for _, c := range []*schema.Compiled{open, compiled(t, schema.Map(schema.Nullable(schema.Integer())), schema.Output)} {
			if value == "" && c == open {
				continue // no arguments at all
			}
			err := c.Validate([]byte(value))
			if err == nil || !strings.Contains(err.Error(), "not valid JSON") {
				t.Errorf("%q: got %v", value, err)
			}
		}
	}
	deep := strings.Repeat("[", 100000)
	wantError(t, compiled(t, schema.Any(), schema.Output).Validate([]byte(deep)), "result: not valid JSON, or nested too deeply, near byte 512 of 100000; send one JSON value")
	wantError(t, compiled(t, schema.For[forest](), schema.Output).Validate([]byte(deep)), "result: not valid JSON, or nested too deeply, near byte 512 of 100000; send one JSON value")
}

func TestDecodeIntoAnotherType(t *testing.T) {
	c := compiled(t, schema.Text(`{"type":"object","properties":{"a":{"type":"integer"},"b":{},"c":{"type":"array","items":{"type":"string"}}}}`), schema.Input)
	args := []byte(`{"a":4.0,"b":[1],"c":["x"],"d":true}`)
	var s struct {
		A int            `json:"a"`
		B []int          `json:"b"`
		C []string       `json:"c"`
		D bool           `json:"d"`
		E map[string]any `json:"e"`
	}
	if err := c.Decode(args, &s); err != nil || fmt.Sprint(s) != "{4 [1] [x] true map[]}" {
		t.Errorf("got %v, %v", s, err)
	}
	var m map[string]any
	if err := c.Decode(args, &m); err != nil || fmt.Sprint(m) != "map[a:4 b:[1] c:[x] d:true]" {
		t.Errorf("got %v, %v", m, err)
	}
	var a any
	if err := c.Decode(args, &a); err != nil || fmt.Sprint(a) != "map[a:4 b:[1] c:[x] d:true]" {
		t.Errorf("got %v, %v", a, err)
	}
	for _, into := range []any{new(int), new([]int), &map[string]bool{}, &struct {
		A string `json:"a"`
	}{}, &struct {
		A chan int `json:"a"`
	}{}, &struct {
		C [2]string `json:"c"`
	}{}} {
		if err := c.Decode(args, into); err == nil {
			t.Errorf("%T was filled", into)
		}
	}
}

func TestManyMembers(t *testing.T) {
	s := schema.Object()
	var args strings.Builder
	for i := range 300 {
		name := fmt.Sprintf("n%03d", i)
		s = s.Prop(name, schema.Integer())
		if i != 7 && i != 299 {
			fmt.Fprintf(&args, `,%q:%d`, name, i)
		}
	}
	c := compiled(t, s, schema.Input)
	wantError(t, c.Validate([]byte("{"+args.String()[1:]+"}")), `missing required argument "n007" (integer); missing required argument "n299" (integer)`)
	var m map[string]int
	if err := c.Decode([]byte(`{"n007":7,"n299":299`+args.String()+"}"), &m); err != nil || len(m) != 300 || m["n298"] != 298 {
		t.Errorf("got %d members, %v", len(m), err)
	}
	wantError(t, c.Validate([]byte(`{"n007":7,"n299":299`+args.String()+`,"n299":1}`)), `arguments.n299: given twice; send it once`)
}

func TestDefaultsOfAMap(t *testing.T) {
	c := compiled(t, schema.Object().Prop("a", schema.Integer().Default(5)).Optional("a"), schema.Input)
	var m map[string]int8
	if err := c.Decode(nil, &m); err != nil || m["a"] != 5 {
		t.Errorf("got %v, %v", m, err)
	}
	var s map[string]string
	wantError(t, c.Decode(nil, &s), `arguments.a: expected a value that fits the Go type string, got 5`)
}

func TestDecodeAllocates(t *testing.T) {
	add := compiled(t, schema.For[addIn](), schema.Input)
	var in addIn
	args := []byte(`{"a":1234567,"b":1000003}`)
	if n := testing.AllocsPerRun(100, func() { _ = add.Decode(args, &in) }); n != 0 {
		t.Errorf("two integers: %v allocations, want none", n)
	}
	echo := compiled(t, schema.For[echoIn](), schema.Input)
	var said echoIn
	for _, text := range []string{strings.Repeat("x", 64<<10), strings.Repeat(`世\n`, 10<<10)} {
		args = []byte(`{"text":"` + text + `"}`)
		if n := testing.AllocsPerRun(100, func() { _ = echo.Decode(args, &said) }); n != 1 {
			t.Errorf("a string: %v allocations, want its own", n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = echo.Validate(args) }); n != 0 {
		t.Errorf("validating a string: %v allocations, want none", n)
	}
	pick := compiled(t, schema.Object().Prop("c", schema.Enum("red", "green")), schema.Input)
	args = []byte(`{"c":"green"}`)
	var m struct {
		C string `json:"c"`
	}
	if n := testing.AllocsPerRun(100, func() { _ = pick.Decode(args, &m) }); n != 0 {
		t.Errorf("an enum: %v allocations, want none", n)
	}
}

type (
	addIn struct {
		A int `json:"a" doc:"First operand"`
		B int `json:"b" doc:"Second operand"`
	}
	echoIn struct {
		Text string `json:"text"`
	}
)
