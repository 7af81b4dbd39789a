package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/schema"
)

type sumOut struct {
	Sum  int    `json:"sum"`
	Note string `json:"note,omitempty"`
}

type word string

// toolOf registers a tool with a definition of its own.
func toolOf[Out any](def mcp.Tool, out Out) func(*mcp.Server) {
	return func(s *mcp.Server) {
		mcp.AddTool(s, described(def), func(context.Context, struct{}) (Out, error) { return out, nil })
	}
}

func texts(text string) string { return `"content":[{"type":"text","text":` + quoted(text) + `}]` }

func TestToolResultsOfEveryKind(t *testing.T) {
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		want     string // before isError
	}{
		{"a string is content", toolOf(mcp.Tool{}, "世界😀"), texts("世界😀")},
		{"a string of a type of its own is content", toolOf(mcp.Tool{}, word("世界😀")), texts("世界😀")},
		{"a struct is structured, with a text twin", toolOf(mcp.Tool{}, sumOut{3, "世界😀"}), texts(`{"sum":3,"note":"世界😀"}`) + `,"structuredContent":{"sum":3,"note":"世界😀"}`},
		{"a number", toolOf(mcp.Tool{}, 9007199254740993), texts(`9007199254740993`) + `,"structuredContent":9007199254740993`},
		{"a boolean", toolOf(mcp.Tool{}, false), texts(`false`) + `,"structuredContent":false`},
		{"a list", toolOf(mcp.Tool{}, []string{"世", "界"}), texts(`["世","界"]`) + `,"structuredContent":["世","界"]`},
		{"a nil list is an empty one", toolOf(mcp.Tool{}, []string(nil)), texts(`[]`) + `,"structuredContent":[]`},
		{"a map has one order", toolOf(mcp.Tool{}, map[string]int{"b": 1, "a": 2}), texts(`{"a":2,"b":1}`) + `,"structuredContent":{"a":2,"b":1}`},
		{"a nil pointer is null", toolOf(mcp.Tool{}, (*sumOut)(nil)), texts(`null`) + `,"structuredContent":null`},
		{"struct{} is an empty result", toolOf(mcp.Tool{}, struct{}{}), `"content":[]`},
		{"a block", toolOf(mcp.Tool{}, content.PNG([]byte("世"))), `"content":[{"type":"image","data":"5LiW","mimeType":"image/png"}]`},
		{"blocks", toolOf(mcp.Tool{}, []content.Block{content.NewText("a"), content.NewLink("n", "x://世界")}), `"content":[{"type":"text","text":"a"},{"type":"resource_link","uri":"x://世界","name":"n"}]`},
		{"no blocks", toolOf(mcp.Tool{}, []content.Block(nil)), `"content":[]`},
		{"raw JSON has no schema and is structured", toolOf(mcp.Tool{}, json.RawMessage(`{"世": [1, 2]}`)), texts(`{"世":[1,2]}`) + `,"structuredContent":{"世":[1,2]}`},
		{"any value", toolOf[any](mcp.Tool{}, "世"), texts(`"世"`) + `,"structuredContent":"世"`},
		{"any value that is nil", toolOf[any](mcp.Tool{}, nil), `"content":[]`},
		{"a value with content of its own", toolOf(mcp.Tool{}, mcp.Output[sumOut]{sumOut{Sum: 1}, []content.Block{content.NewText("one")}}), texts(`one`) + `,"structuredContent":{"sum":1}`},
		{"a value without content of its own", toolOf(mcp.Tool{}, mcp.Output[sumOut]{Value: sumOut{Sum: 1}}), texts(`{"sum":1}`) + `,"structuredContent":{"sum":1}`},
		{"everything by hand", toolOf(mcp.Tool{}, &mcp.ToolResult{Content: []content.Block{content.NewText("x")}, Structured: map[string]int{"n": 1}}), texts(`x`) + `,"structuredContent":{"n":1}`},
		{"by hand, with nothing", toolOf(mcp.Tool{}, &mcp.ToolResult{}), `"content":[]`},
		{"structured only", toolOf(mcp.Tool{Output: mcp.OutputStructured}, sumOut{Sum: 1}), `"content":[],"structuredContent":{"sum":1}`},
		{"text only", toolOf(mcp.Tool{Output: mcp.OutputText}, sumOut{Sum: 1}), texts(`{"sum":1}`)},
		{"a renderer writes the text of a value", toolOf(mcp.Tool{Render: content.PlainText()}, 5), texts(`5`) + `,"structuredContent":5`},
		{"a renderer of bytes has no structured value", toolOf(mcp.Tool{Render: content.ImageOf("image/png")}, []byte("世")), `"content":[{"type":"image","data":"5LiW","mimeType":"image/png"}]`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			k := talkTo(t, testServer(nil, c.register))
			got := k.send(callTool("1", "tool"))
			wantReply(t, got, done("1", c.want+`,"isError":false`))
			if got.size != len(got.reply) || got.status != 200 {
				t.Errorf("size %d of %d, status %d", got.size, len(got.reply), got.status)
			}
		})
	}
}

func TestToolResultsThatAreNone(t *testing.T) {
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		text     string
	}{
		{"a result by hand that is nil", toolOf(mcp.Tool{}, (*mcp.ToolResult)(nil)), "the handler returned neither a result nor an error"},
		{"a block that is nil", toolOf(mcp.Tool{}, content.Block(nil)), "the handler returned a nil content block"},
		{"a list with a nil block", toolOf(mcp.Tool{}, []content.Block{content.NewText("a"), nil}), "nil"},
		{"a structured value that JSON has no form for", toolOf(mcp.Tool{}, &mcp.ToolResult{Structured: make(chan int)}), "encoding the result"},
		{"a structured value that is no JSON", toolOf(mcp.Tool{}, &mcp.ToolResult{Structured: json.RawMessage(`{"a":`)}), "encoding the result"},
		{"contents with both text and bytes", toolOf[content.Block](mcp.Tool{}, content.Embed(content.Contents{URI: "x://a", Text: "a", Blob: []byte("b")})), "x://a"},
		{"a _meta that is no JSON", toolOf(mcp.Tool{}, &mcp.ToolResult{Meta: json.RawMessage(`{"a":}`)}), "_meta"},
		{"a _meta that is no object", toolOf(mcp.Tool{}, &mcp.ToolResult{Meta: json.RawMessage(`"a"`)}), "_meta"},
		{"a _meta that ends the message", toolOf(mcp.Tool{}, &mcp.ToolResult{Meta: json.RawMessage("{}}}\n{}")}), "_meta"},
		{"a block with a _meta that is no JSON", toolOf(mcp.Tool{}, content.Text{Text: "a", Meta: json.RawMessage(`{"a":}`)}), "_meta"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, testServer(nil, c.register)).send(callTool("1", "tool"))
			if !strings.Contains(got.reply, `"isError":true`) || !strings.Contains(got.reply, c.text) || !json.Valid([]byte(got.reply)) || strings.Contains(got.reply, "\n") {
				t.Errorf("got %s", got.reply)
			}
		})
	}
}

func TestMetaOfAResultIsKept(t *testing.T) {
	k := talkTo(t, testServer(nil, toolOf(mcp.Tool{}, &mcp.ToolResult{Meta: json.RawMessage(" {\"example.com/世\" :\n 1 } ")})))
	wantReply(t, k.send(callTool("1", "tool")), `{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":false,"resultType":"complete",`+
		`"_meta":{"example.com/世":1,"io.modelcontextprotocol/serverInfo":{"name":"t","version":"1"}}}}`)
	old := legacyTalk(t, testServer(nil, toolOf(mcp.Tool{}, &mcp.ToolResult{Meta: json.RawMessage(`{"a":1}`)})), "2025-11-25")
	wantReply(t, old.send(request("1", "tools/call", `"name":"tool"`)), answered("1", `"content":[],"isError":false,"_meta":{"a":1}`))
}

func TestOutputSchemasAreEnforced(t *testing.T) {
	number := schema.Object().Prop("n", schema.Integer())
	type open struct {
		N any `json:"n"`
	}
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		ok       bool
	}{
		{"a value that matches", toolOf(mcp.Tool{OutputSchema: number}, &mcp.ToolResult{Structured: json.RawMessage(`{"n":1}`)}), true},
		{"4.0 is an integer", toolOf(mcp.Tool{OutputSchema: number}, &mcp.ToolResult{Structured: json.RawMessage(`{"n":4.0}`)}), true},
		{"a value of another type", toolOf(mcp.Tool{OutputSchema: number}, &mcp.ToolResult{Structured: json.RawMessage(`{"n":"世"}`)}), false},
		{"a member that is missing", toolOf(mcp.Tool{OutputSchema: number}, &mcp.ToolResult{Structured: map[string]int{}}), false},
		{"no value at all", toolOf(mcp.Tool{OutputSchema: number}, &mcp.ToolResult{Content: []content.Block{content.NewText("x")}}), false},
		{"nothing", toolOf(mcp.Tool{OutputSchema: number}, struct{}{}), false},
		{"a typed value against the tool's own schema", toolOf(mcp.Tool{OutputSchema: number}, open{"世"}), false},
		{"a typed value that matches it", toolOf(mcp.Tool{OutputSchema: number}, open{7}), true},
		{"a string against the tool's own schema", toolOf(mcp.Tool{OutputSchema: schema.Enum("a", "世")}, "世"), true},
		{"a string that breaks it", toolOf(mcp.Tool{OutputSchema: schema.Enum("a", "世")}, "b"), false},
		{"a value with content of its own", toolOf(mcp.Tool{OutputSchema: number}, mcp.Output[open]{Value: open{"世"}}), false},
		{"a type whose values can break its schema", toolOf(mcp.Tool{}, struct {
			N int `json:"n" max:"3"`
		}{4}), false},
		{"an error is exempt", toolOf(mcp.Tool{OutputSchema: number}, &mcp.ToolResult{IsError: true, Structured: json.RawMessage(`{"n":"世"}`)}), true},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, testServer(nil, c.register)).send(callTool("1", "tool"))
			if broken := strings.Contains(got.reply, "does not match its output schema"); broken == c.ok || got.err != nil {
				t.Errorf("got %s", got.reply)
			}
		})
	}
}

func TestStructuredContentByRevision(t *testing.T) {
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		text     string
		modern   string // structuredContent, "" for none
		wrapped  string // that of 2025-06-18 and 2025-11-25
	}{
		{"an object", toolOf(mcp.Tool{}, sumOut{Sum: 1}), `{"sum":1}`, `{"sum":1}`, `{"sum":1}`},
		{"a number is wrapped", toolOf(mcp.Tool{}, 7), `7`, `7`, `{"result":7}`},
		{"a list is wrapped", toolOf(mcp.Tool{}, []string{"世"}), `["世"]`, `["世"]`, `{"result":["世"]}`},
		{"null is wrapped", toolOf(mcp.Tool{}, (*sumOut)(nil)), `null`, `null`, `{"result":null}`},
		{"an object that may be null is wrapped, too: the schema decides", toolOf(mcp.Tool{}, &sumOut{Sum: 1}), `{"sum":1}`, `{"sum":1}`, `{"result":{"sum":1}}`},
		{"a list without a schema is wrapped", toolOf(mcp.Tool{}, json.RawMessage(`[1]`)), `[1]`, `[1]`, `{"result":[1]}`},
		{"structured only still sends text to those who know no other", toolOf(mcp.Tool{Output: mcp.OutputStructured}, sumOut{Sum: 1}), ``, `{"sum":1}`, `{"sum":1}`},
		{"text only", toolOf(mcp.Tool{Output: mcp.OutputText}, sumOut{Sum: 1}), `{"sum":1}`, ``, ``},
	}
	structured := func(blocks, value string) string {
		if value != "" {
			blocks += `,"structuredContent":` + value
		}
		return blocks + `,"isError":false`
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			server := testServer(nil, c.register)
			blocks := `"content":[]`
			if c.text != "" {
				blocks = texts(c.text)
			}
			wantReply(t, talkTo(t, server).send(callTool("1", "tool")), done("1", structured(blocks, c.modern)))
			for _, revision := range []string{"2025-06-18", "2025-11-25"} {
				wantReply(t, legacyTalk(t, server, revision).send(request("1", "tools/call", `"name":"tool"`)), answered("1", structured(blocks, c.wrapped)))
			}
			if c.text == "" {
				blocks = texts(c.modern)
			}
			for _, revision := range []string{"2024-11-05", "2025-03-26"} {
				wantReply(t, legacyTalk(t, server, revision).send(request("1", "tools/call", `"name":"tool"`)), answered("1", structured(blocks, "")))
			}
		})
	}
}

func TestBlocksByRevision(t *testing.T) {
	server := testServer(nil, toolOf(mcp.Tool{}, []content.Block{
		content.Audio{Data: []byte("世"), MIMEType: "audio/wav"}, content.Link{URI: "x://世界", Name: "n", Title: "T"},
	}))
	audio, link := `{"type":"audio","data":"5LiW","mimeType":"audio/wav"}`, `{"type":"resource_link","uri":"x://世界","name":"n","title":"T"}`
	for revision, want := range map[string]string{
		"2024-11-05": `{"type":"resource","resource":{"uri":"`, // audio becomes an embedded resource
		"2025-03-26": audio + `,{"type":"text","text":"n: x://世界"}`,
		"2025-06-18": audio + `,` + link,
		"2025-11-25": audio + `,` + link,
	} {
		got := legacyTalk(t, server, revision).send(request("1", "tools/call", `"name":"tool"`))
		if !strings.Contains(got.reply, `"content":[`+want) {
			t.Errorf("%s: %s", revision, got.reply)
		}
	}
}

func TestDefinitionsByRevision(t *testing.T) {
	server := testServer(nil, toolOf(mcp.Tool{
		Title: "T 世界", ReadOnly: new(true), Destructive: new(false), Icons: []mcp.Icon{{Source: "https://example.com/i.png"}},
		Meta: json.RawMessage(`{"example.com/k":1}`),
	}, 7))
	const input = `"inputSchema":{"type":"object","properties":{},"additionalProperties":false}`
	for revision, want := range map[string]string{
		"2024-11-05": `{"name":"tool","description":"Described",` + input + `}`,
		"2025-03-26": `{"name":"tool","description":"Described",` + input + `,"annotations":{"title":"T 世界","readOnlyHint":true,"destructiveHint":false}}`,
		"2025-06-18": `{"name":"tool","title":"T 世界","description":"Described",` + input + `,"outputSchema":{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]}`,
		"2025-11-25": `{"name":"tool","title":"T 世界","description":"Described",` + input + `,"outputSchema":{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]}`,
		"2026-07-28": `{"name":"tool","title":"T 世界","description":"Described",` + input + `,"outputSchema":{"type":"integer"}`,
	} {
		var got *tape
		if revision == "2026-07-28" {
			got = talkTo(t, server).send(modern("1", "tools/list", ""))
		} else {
			got = legacyTalk(t, server, revision).send(request("1", "tools/list", ""))
		}
		if !strings.Contains(got.reply, `"tools":[`+want) {
			t.Errorf("%s: got %s\nwant %s", revision, got.reply, want)
		}
		for member, since := range map[string]string{`"icons"`: "2025-11-25", `"_meta":{"example.com/k"`: "2025-06-18", `"execution"`: "never"} {
			if has := strings.Contains(got.reply, member); has != (revision >= since && since != "never") {
				t.Errorf("%s: %s is there: %v", revision, member, has)
			}
		}
	}
}

func TestErrorsOfHandlers(t *testing.T) {
	fails := func(err error) func(*mcp.Server) {
		return tool("tool", func(context.Context) (string, error) { return "ignored", err })
	}
	for _, c := range []struct {
		rule string
		err  error
		want string
	}{
		{"an error is in band", errors.New("no 世界"), failed("1", "no 世界")},
		{"an error for the user is in band", mcp.UserErrorf("pick %s: %w", "世界", io.EOF), failed("1", "pick 世界: EOF")},
		{"ErrNotFound means nothing here", mcp.ErrNotFound, failed("1", "mcp: resource not found")},
		{"an Error is a JSON-RPC error", &mcp.Error{Code: 4711, Message: "no 世界", Data: map[string]any{"b": "😀", "a": 1}}, `{"jsonrpc":"2.0","id":1,"error":{"code":4711,"message":"no 世界","data":{"a":1,"b":"😀"}}}`},
		{"a wrapped Error, too", fmt.Errorf("deep: %w", &mcp.Error{Code: -32602, Message: "bad"}), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad"}}`},
		{"an Error with data that JSON has no form for", &mcp.Error{Code: 1, Message: "m", Data: make(chan int)}, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			wantReply(t, talkTo(t, testServer(nil, fails(c.err))).send(callTool("1", "tool")), c.want)
		})
	}
	for _, code := range []int{-32700, -32600, -32601, -32002, -32042, -32020, -32021, -32022, -32050, -32099} {
		got := talkTo(t, testServer(nil, fails(&mcp.Error{Code: code, Message: "mine"}))).send(callTool("1", "tool"))
		wantReply(t, got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"mine"}}`)
	}
}

func TestToolCallsThatAreRefused(t *testing.T) {
	server := testServer(nil, echo)
	for _, c := range []struct {
		rule, params string
		text         string
	}{
		{"no name", ``, "missing name"},
		{"a name that is no string", `"name":7`, "name must be a string"},
		{"an unknown tool", `"name":"世界"`, "unknown tool: 世界"},
		{"names are case-sensitive", `"name":"Echo","arguments":{"text":"x"}`, "unknown tool: Echo"},
		{"arguments that are a list", `"name":"echo","arguments":["x"]`, "arguments must be an object"},
		{"arguments that are null", `"name":"echo","arguments":null`, "arguments must be an object"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			wantError(t, talkTo(t, server).send(modern("1", "tools/call", c.params)), "1", -32602, c.text)
			for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
				wantError(t, legacyTalk(t, server, revision).send(request("1", "tools/call", c.params)), "1", -32602, c.text)
			}
		})
	}
	wantReply(t, talkTo(t, server).send(modern("1", "tools/call", `"name":"\u0065cho","arguments":{"\u0074ext":"x"}`)), said("1", "x"))
	wantReply(t, legacyTalk(t, server, "2025-11-25").send(request("1", "tools/call", echoHi+`,"task":{"ttl":1}`)), echoedHi) // tasks are not served
}

func TestADeadlineIsAnInBandError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer(&mcp.Options{RedactErrors: true}, func(s *mcp.Server) {
			wait := func(ctx context.Context, _ struct{}) (string, error) {
				<-ctx.Done()
				return "", ctx.Err()
			}
			mcp.AddTool(s, mcp.Tool{Name: "slow", Description: "D", Timeout: time.Second}, wait)
			mcp.AddTool(s, mcp.Tool{Name: "quick", Description: "D", Timeout: time.Second}, func(ctx context.Context, _ struct{}) (string, error) {
				_, limited := ctx.Deadline()
				return fmt.Sprint(limited), nil
			})
		})
		k := talkTo(t, server)
		begun := time.Now()
		wantReply(t, k.send(callTool("1", "slow")), failed("1", "the tool did not finish within 1s"))
		if took := time.Since(begun); took != time.Second {
			t.Errorf("it took %v", took)
		}
		wantReply(t, k.send(callTool("1", "quick")), said("1", "true"))
	})
}

func TestNeedsAreCheckedBeforeTheHandler(t *testing.T) {
	server := testServer(nil, func(s *mcp.Server) {
		for name, needs := range map[string][]mcp.Capability{
			"form": {mcp.CapabilityElicitation}, "url": {mcp.CapabilityElicitationURL}, "model": {mcp.CapabilitySamplingTools},
			"both": {mcp.CapabilityElicitation, mcp.CapabilityRoots},
		} {
			mcp.AddTool(s, mcp.Tool{Name: name, Description: "D", Needs: needs}, func(context.Context, struct{}) (string, error) { return "ran", nil })
		}
	})
	for _, c := range []struct {
		rule, tool, declared string
		missing              string // "": served
	}{
		{"nothing is declared", "form", `{}`, `{"elicitation":{}}`},
		{"an empty declaration means forms", "form", `{"elicitation":{}}`, ``},
		{"forms are declared", "form", `{"elicitation":{"form":{}}}`, ``},
		{"forms are no URLs", "url", `{"elicitation":{}}`, `{"elicitation":{"url":{}}}`},
		{"URLs are declared", "url", `{"elicitation":{"url":{}}}`, ``},
		{"URLs are no forms", "form", `{"elicitation":{"url":{}}}`, `{"elicitation":{"form":{}}}`},
		{"sampling without tools", "model", `{"sampling":{}}`, `{"sampling":{"tools":{}}}`},
		{"only what is missing is named", "both", `{"elicitation":{}}`, `{"roots":{}}`},
		{"a declaration that is no object is none", "form", `{"elicitation":true}`, `{"elicitation":{}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, server).send(request("1", "tools/call", metaOpen+c.declared+`},"name":"`+c.tool+`"`))
			if c.missing == "" {
				wantReply(t, got, said("1", "ran"))
				return
			}
			wantError(t, got, "1", -32021, `"data":{"requiredCapabilities":`+c.missing+`}`)
		})
	}
	old := legacyTalk(t, server, "2025-11-25").send(request("1", "tools/call", `"name":"form"`))
	wantReply(t, old, answered("1", texts("this tool needs the client capability elicitation, which the client did not declare")+`,"isError":true`))
}
