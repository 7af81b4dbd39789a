package procedure_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

type window struct {
	From int    `json:"from"`
	Unit string `json:"unit"`
}

// bound is a server with one tool for each kind of parameter.
func bound(t *testing.T) peer {
	t.Helper()
	var table procedure.Table
	register(
		t, &table,
		"sub", func(a, b int) int { return a - b },
		"wide", func(n int64) int64 { return n },
		"unsigned", func(n uint64) uint64 { return n },
		"small", func(n int8) int8 { return n },
		"float", func(f float64) string { return fmt.Sprint(f) },
		"text", func(s string) string { return s },
		"flag", func(b bool) string { return fmt.Sprint(b) },
		"bytes", func(b []byte) string { return string(b) },
		"any", func(v any) string { return fmt.Sprintf("%T", v) },
		"raw", func(r json.RawMessage) string { return string(r) },
		"list", func(l []int8) string { return fmt.Sprint(l) },
		"object", func(w window) string { return fmt.Sprintf("%+v", w) },
		"optional", func(a int, b string, c *int, d []string) string {
			return fmt.Sprint(a, " ", b, " ", c != nil, " ", d == nil)
		},
		"nullable", func(s *string) string { return fmt.Sprint(s == nil) },
		"odd", func(a, b string, c int8) string { return fmt.Sprint(a, "|", b, "|", c) },
	)
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("sub")).Param("left", schema.Integer(), "").Param("right", schema.Integer(), "")
	for name, s := range map[string]*schema.Schema{
		"wide": schema.Integer(), "unsigned": schema.Integer(), "small": schema.Integer(), "float": schema.Number(),
		"text": schema.String(), "flag": schema.Boolean(), "bytes": schema.String(), "any": schema.Any(), "raw": schema.Any(),
		"list": schema.Array(schema.Integer()), "nullable": schema.Nullable(schema.String()),
		"object": schema.Object().Prop("from", schema.Integer().Min(1)).Prop("unit", schema.Enum("h", "d").Default("h")).Optional("unit").Strict(),
	} {
		d.AddTool(tool(name)).Param("v", s, "")
	}
	d.AddTool(tool("optional")).
		Param("a", schema.Integer(), "").Param("b", schema.String().Default("世界"), "").
		Param("c", schema.Integer(), "").Param("d", schema.Array(schema.String()), "").
		Optional("a", "b", "c", "d")
	d.AddTool(tool("odd")).
		Param(`a"'`, schema.String().Default("😀"), "").Param("", schema.String(), "").Param("-", schema.Integer(), "").
		Optional(`a"'`, "-")
	if err := d.Verify(&table); err != nil {
		t.Fatal(err)
	}
	return connect(t, procedure.NewServer(d, &table, nil))
}

func TestArguments(t *testing.T) {
	p := bound(t)
	cases := []struct{ rule, tool, arguments, want string }{
		{"names are bound to positions", "sub", `{"left":5,"right":3}`, "2"},
		{"whatever their order in the call", "sub", `{"right":3,"left":5}`, "2"},
		{"integers are exact above 2^53", "wide", `{"v":9007199254740993}`, "9007199254740993"},
		{"the least int64", "wide", `{"v":-9223372036854775808}`, "-9223372036854775808"},
		{"the greatest uint64", "unsigned", `{"v":18446744073709551615}`, "18446744073709551615"},
		{"4.0 is an integer", "wide", `{"v":4.0}`, "4"},
		{"4e0 is an integer", "wide", `{"v":4e0}`, "4"},
		{"an integer is a number", "float", `{"v":2}`, "2"},
		{"non-ASCII text", "text", `{"v":"世界😀\ud83d\ude00"}`, "世界😀😀"},
		{"bytes are base64", "bytes", `{"v":"UE5HREFUQQ=="}`, "PNGDATA"},
		{"any integer is an int64", "any", `{"v":7}`, "int64"},
		{"raw JSON is as it came", "raw", `{"v":{"b":1.50,"a":[]}}`, `{"b":1.50,"a":[]}`},
		{"a list", "list", `{"v":[1,-2]}`, "[1 -2]"},
		{"an object with a nested default", "object", `{"v":{"from":2}}`, "{From:2 Unit:h}"},
		{"absent: zero value, default, nil, nil", "optional", `{}`, "0 世界 false true"},
		{"all of them", "optional", `{"a":1,"b":"x","c":0,"d":[]}`, "1 x true false"},
		{"null where it is declared", "nullable", `{"v":null}`, "true"},
		{"names that no Go field can have", "odd", `{"a\"'":"1","":"2","-":3}`, "1|2|3"},
		{"their defaults", "odd", `{"":"2"}`, "😀|2|0"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) { p.call(c.tool, c.arguments).returns(t, c.want) })
	}
}

func TestArgumentsThatDoNotFitAreNamed(t *testing.T) {
	p := bound(t)
	cases := []struct {
		rule, tool, arguments string
		want                  []string
	}{
		{"unknown, with the nearest known name", "sub", `{"lefd":1,"right":2}`, []string{`unknown argument "lefd"; did you mean "left"?`, `missing required argument "left" (integer)`}},
		{"missing", "sub", `{"left":1}`, []string{`missing required argument "right" (integer)`}},
		{"all missing", "sub", `{}`, []string{`"left"`, `"right"`}},
		{"names are case-sensitive", "sub", `{"Left":1,"left":1,"right":1}`, []string{`unknown argument "Left"`}},
		{"no text for an integer", "wide", `{"v":"12"}`, []string{`arguments.v: expected integer, got "12"`}},
		{"no fraction for an integer", "wide", `{"v":6.9}`, []string{`arguments.v: expected integer, got 6.9`}},
		{"no boolean for an integer", "wide", `{"v":true}`, []string{`arguments.v: expected integer, got true`}},
		{"no null for an integer", "wide", `{"v":null}`, []string{`arguments.v: expected integer, got null`}},
		{"2^63 is too large for int64", "wide", `{"v":9223372036854775808}`, []string{"arguments.v: expected integer from -9223372036854775808 to 9223372036854775807, got 9223372036854775808"}},
		{"2^64 is too large for uint64", "unsigned", `{"v":18446744073709551616}`, []string{"arguments.v: expected integer from 0"}},
		{"no negative for unsigned", "unsigned", `{"v":-1}`, []string{"arguments.v: expected integer from 0"}},
		{"1e400 is too large", "wide", `{"v":1e400}`, []string{"arguments.v: expected integer"}},
		{"1e400 is no float64", "float", `{"v":1e400}`, []string{"arguments.v: expected number within the range of float64"}},
		{"128 is too large for int8", "small", `{"v":128}`, []string{"arguments.v: expected integer from -128 to 127, got 128"}},
		{"no number for text", "text", `{"v":5}`, []string{"arguments.v: expected string, got 5"}},
		{"no number for a boolean", "flag", `{"v":1}`, []string{"arguments.v: expected boolean, got 1"}},
		{"no object for text", "text", `{"v":{}}`, []string{"arguments.v: expected string, got an object"}},
		{"no base64", "bytes", `{"v":"*"}`, []string{"arguments.v: expected base64"}},
		{"an element of a list", "list", `{"v":[1,300]}`, []string{"arguments.v[1]: expected integer from -128 to 127, got 300"}},
		{"inside an object", "object", `{"v":{"from":0,"unit":"D","x":1}}`, []string{"arguments.v.from: expected integer ≥ 1", "arguments.v.unit", `unknown property "x"`}},
		{"null for an optional parameter", "optional", `{"a":null}`, []string{"arguments.a: expected integer, got null"}},
		{"a name that no Go field can have", "odd", `{"":1}`, []string{`arguments[""]: expected string, got 1`}},
		{"and its Go type", "odd", `{"":"","-":128}`, []string{`arguments["-"]: expected integer from -128 to 127, got 128`}},
		{"and it missing", "odd", `{}`, []string{`missing required argument "" (string)`}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) { p.call(c.tool, c.arguments).tells(t, c.want...) })
	}
}

func TestArgumentsThatAreNoObjectAreAnError(t *testing.T) {
	p := bound(t)
	for _, arguments := range []string{`null`, `[]`, `"x"`, `7`, `[{"v":1}]`} {
		p.call("wide", arguments).fails(t, mcp.CodeInvalidParams, "arguments")
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+modernMeta+`,"name":"wide"}}`).tells(t, `missing required argument "v"`)
}

func TestDuplicateArgumentsRunNothing(t *testing.T) {
	if got := bound(t).call("wide", `{"v":1,"v":2}`).String(); !strings.Contains(got, `"code":-32700`) {
		t.Errorf("got %s, want an error", got)
	}
}

func TestLenientToolsTakeNumbersAsText(t *testing.T) {
	for _, name := range []string{"n", `"`} {
		var table procedure.Table
		register(t, &table, "x", func(n int) int { return n })
		d := procedure.NewDeclaration("s", "1")
		def := tool("x")
		def.Lenient = true
		d.AddTool(def).Param(name, schema.Integer(), "")
		quoted, _ := json.Marshal(name)
		p := connect(t, procedure.NewServer(d, &table, nil))
		p.call("x", `{`+string(quoted)+`:"12"}`).returns(t, "12")
		p.call("x", `{`+string(quoted)+`:"a"}`).tells(t, "expected integer")
	}
}

// FuzzArguments holds the two ways of decoding to the same verdict: arguments together, and one by one.
func FuzzArguments(f *testing.F) {
	var table procedure.Table
	register(
		f, &table,
		"together", func(a int8, b []string, c *bool, d any) string { return fmt.Sprint(a, b, c != nil && *c, d) },
		"separate", func(a int8, b []string, c *bool, d any, _ int) string { return fmt.Sprint(a, b, c != nil && *c, d) },
	)
	d := procedure.NewDeclaration("s", "1")
	for _, name := range []string{"together", "separate"} {
		tl := d.AddTool(tool(name)).
			Param("a", schema.Integer().Default(7), "").Param("b", schema.Array(schema.String()), "").
			Param("c", schema.Nullable(schema.Boolean()), "").Param("d", schema.Any(), "").Optional("a", "c", "d")
		if name == "separate" {
			tl.Param(`"`, schema.Integer(), "").Optional(`"`)
		}
	}
	server := procedure.NewServer(d, &table, nil)
	for _, seed := range []string{`{}`, `{"b":["世界😀"],"a":-128}`, `{"b":[],"c":null,"d":{"x":1e3}}`, `{"a":128,"b":3}`, `{"b":[],"z":1}`, `{"b":[],"c":true,"d":null}`} {
		f.Add(seed)
	}
	session := connect(f, server).session
	f.Fuzz(func(t *testing.T, arguments string) {
		p := peer{t, session}
		if !json.Valid([]byte(arguments)) {
			return
		}
		together, apart := p.call("together", arguments).String(), p.call("separate", arguments).String()
		if strings.Contains(together, `"isError":true`) && strings.Contains(apart, `"isError":true`) {
			return // one way finds more of what is wrong than the other
		}
		if together != apart {
			t.Fatalf("%s: together %s, apart %s", arguments, together, apart)
		}
	})
}
