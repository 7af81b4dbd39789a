package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/schema"
)

type argsIn struct {
	Text  string   `json:"text"`
	Count int8     `json:"count,omitempty" default:"7" min:"1"`
	Big   uint64   `json:"big,omitempty"`
	Mode  string   `json:"mode,omitempty" enum:"fast,slow,世界"`
	On    bool     `json:"on,omitempty"`
	Ratio float64  `json:"ratio,omitempty"`
	List  []string `json:"list,omitempty"`
	Inner *echoIn  `json:"inner,omitempty"`
}

func showArgs(lenient bool) func(*mcp.Server) {
	return func(s *mcp.Server) {
		mcp.AddTool(s, mcp.Tool{Name: "show", Description: "Shows", Lenient: lenient}, func(_ context.Context, in argsIn) (string, error) {
			inner := ""
			if in.Inner != nil {
				inner = in.Inner.Text
			}
			return fmt.Sprintf("%s|%d|%d|%s|%v|%v|%v|%s", in.Text, in.Count, in.Big, in.Mode, in.On, in.Ratio, in.List, inner), nil
		})
	}
}

func TestTypedArguments(t *testing.T) {
	for _, c := range []struct {
		rule, arguments string
		lenient         bool
		text            string
		wrong           bool // the text is what is wrong
	}{
		{"defaults fill what is absent", `{"text":"世界😀"}`, false, `世界😀|7|0||false|0|[]|`, false},
		{"escapes are decoded", `{"text":"\u4e16\u754c\ud83d\ude00\n"}`, false, "世界😀\n|7|0||false|0|[]|", false},
		{"integers are exact", `{"text":"","big":18446744073709551615}`, false, `|7|18446744073709551615||false|0|[]|`, false},
		{"4.0 is an integer", `{"text":"","count":4.0,"big":1e3}`, false, `|4|1000||false|0|[]|`, false},
		{"every type", `{"text":"","count":2,"mode":"世界","on":true,"ratio":2.5,"list":["a","世"],"inner":{"text":"x"}}`, false, `|2|0|世界|true|2.5|[a 世]|x`, false},
		{"a missing argument is named", `{}`, false, `missing required argument "text" (string)`, true},
		{"2.5 is no integer", `{"text":"","count":2.5}`, false, `arguments.count: expected integer`, true},
		{"bounds of the schema", `{"text":"","count":0}`, false, `≥ 1`, true},
		{"bounds of the Go type", `{"text":"","count":128}`, false, `127`, true},
		{"beyond uint64", `{"text":"","big":18446744073709551616}`, false, `18446744073709551615`, true},
		{"below zero", `{"text":"","big":-1}`, false, `arguments.big`, true},
		{"a wrong type", `{"text":7}`, false, `arguments.text: expected string, got 7`, true},
		{"null is no string", `{"text":null}`, false, `arguments.text`, true},
		{"enums are case-sensitive", `{"text":"","mode":"Fast"}`, false, `arguments.mode`, true},
		{"an unknown argument and its neighbour", `{"text":"","cuont":1}`, false, `unknown argument "cuont"; did you mean "count"?`, true},
		{"names are case-sensitive", `{"Text":""}`, false, `unknown argument "Text"`, true},
		{"an unknown argument of an inner object", `{"text":"","inner":{"text":"","世":1}}`, false, `世`, true},
		{"all that is wrong is told", `{"count":"x","on":1}`, false, `arguments.on`, true},
		{"a number as a string is no number", `{"text":"","count":"4"}`, false, `arguments.count`, true},
		{"leniency takes a number as a string", `{"text":"","count":"4","big":"18446744073709551615","ratio":"0.5"}`, true, `|4|18446744073709551615||false|0.5|[]|`, false},
		{"leniency takes a boolean as a string", `{"text":"","on":"true"}`, true, `|7|0||true|0|[]|`, false},
		{"leniency is driven by the declared type", `{"text":"4","list":["5"]}`, true, `4|7|0||false|0|[5]|`, false},
		{"leniency takes nothing else", `{"text":7}`, true, `arguments.text: expected string, got 7`, true},
		{"leniency knows what is no number", `{"text":"","count":"four"}`, true, `arguments.count`, true},
		{"leniency keeps bounds", `{"text":"","count":"0"}`, true, `≥ 1`, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := testServer(&mcp.Options{RedactErrors: true}, showArgs(c.lenient))
			got := talkTo(t, server).send(modern("1", "tools/call", `"name":"show","arguments":`+c.arguments))
			if !c.wrong {
				var reply struct {
					Result struct{ Content []struct{ Text string } }
				}
				if err := json.Unmarshal([]byte(got.reply), &reply); err != nil || len(reply.Result.Content) != 1 || reply.Result.Content[0].Text != c.text {
					t.Errorf("got %s, want %s", got.reply, c.text)
				}
				return
			}
			for _, revision := range []string{"2024-11-05", "2025-11-25"} { // in band in every revision, never redacted
				old := legacyTalk(t, server, revision).send(request("1", "tools/call", `"name":"show","arguments":`+c.arguments))
				if !strings.Contains(old.reply, `"isError":true`) {
					t.Errorf("%s: %s", revision, old.reply)
				}
			}
			text := strings.ReplaceAll(c.text, `"`, `\"`)
			if !strings.Contains(got.reply, `"isError":true`) || !strings.Contains(got.reply, text) || got.status != 200 {
				t.Errorf("got %s, want %s", got.reply, text)
			}
		})
	}
}

func TestRawArguments(t *testing.T) {
	raw := func(def mcp.Tool) func(*mcp.Server) {
		return func(s *mcp.Server) {
			mcp.AddRawTool(s, described(def), func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
		}
	}
	declared := schema.Text(`{"type":"object","properties":{"n":{"type":"integer","default":7},"s":{"type":"string"}},"required":["s"]}`)
	general := schema.Text(`{"type":"object","properties":{"n":{"type":"integer","multipleOf":3}},"patternProperties":{"^x-":{"type":"boolean"}},"minProperties":1}`)
	for _, c := range []struct {
		rule      string
		def       mcp.Tool
		arguments string
		want      string // structuredContent, or a part of what is wrong
		wrong     bool
	}{
		{"defaults are filled in", mcp.Tool{InputSchema: declared}, `{"s":"世"}`, `{"s":"世","n":7}`, false},
		{"what came is passed on exactly", mcp.Tool{InputSchema: declared}, `{"s":"世","n":9007199254740993,"x":[1,"😀"]}`, `{"s":"世","n":9007199254740993,"x":[1,"😀"]}`, false},
		{"an open schema ignores what it does not know", mcp.Tool{InputSchema: declared}, `{"s":"","S":1}`, `{"s":"","S":1,"n":7}`, false},
		{"a missing argument", mcp.Tool{InputSchema: declared}, `{}`, `missing required argument "s"`, true},
		{"a schema beyond the plan", mcp.Tool{InputSchema: general}, `{"n":6,"x-a":true}`, `{"n":6,"x-a":true}`, false},
		{"a schema beyond the plan that is broken", mcp.Tool{InputSchema: general}, `{"n":7}`, `n`, true},
		{"a schema beyond the plan, another keyword", mcp.Tool{InputSchema: general}, `{}`, ``, true},
		{"a schema that is not enforced", mcp.Tool{InputSchema: declared, ApplicationValidated: true}, `{"n":"世"}`, `{"n":"世"}`, false},
		{"no arguments are an empty object", mcp.Tool{InputSchema: schema.Object()}, ``, `{}`, false},
		{"no arguments are an empty object, unchecked", mcp.Tool{InputSchema: declared, ApplicationValidated: true}, ``, `{}`, false},
		{"a strict schema", mcp.Tool{InputSchema: schema.Object().Strict()}, `{"a":1}`, `unknown argument "a"`, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			params := `"name":"tool"`
			if c.arguments != "" {
				params += `,"arguments":` + c.arguments
			}
			got := talkTo(t, testServer(nil, raw(c.def))).send(modern("1", "tools/call", params))
			want := `"structuredContent":` + c.want + `,"isError":false`
			if c.wrong {
				want = `"isError":true`
				if !strings.Contains(got.reply, strings.ReplaceAll(c.want, `"`, `\"`)) {
					t.Errorf("got %s, want %s", got.reply, c.want)
				}
			}
			if !strings.Contains(got.reply, want) {
				t.Errorf("got %s, want %s", got.reply, want)
			}
		})
	}
}

func TestArgumentsAreGoneWhenTheHandlerHasReturned(t *testing.T) {
	var kept *mcp.Request
	k := talkTo(t, testServer(nil, func(s *mcp.Server) {
		mcp.AddRawTool(s, mcp.Tool{Name: "keep", Description: "D", InputSchema: schema.Object()}, func(ctx context.Context, _ json.RawMessage) (string, error) {
			kept = mcp.RequestFrom(ctx)
			return string(kept.Arguments()), nil
		})
	}))
	wantReply(t, k.send(modern("1", "tools/call", `"name":"keep","arguments":{"世":1}`)), said("1", `{"世":1}`))
	if kept.Arguments() != nil {
		t.Errorf("the arguments are still %s", kept.Arguments())
	}
}
