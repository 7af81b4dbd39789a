package procedure_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

// upstream is the server of the suite that procedures were first written for: its clients know no handshake.
func upstream(tb testing.TB) *mcp.Server {
	tb.Helper()
	var table procedure.Table
	register(tb, &table,
		"add", func(a, b int) int { return a + b },
		"getImage", func() []byte { return []byte("PNGDATA") },
		"stop", func() (string, error) { return "", mcp.UserErrorf(`tool says "stop"`) },
		"fault", func() (string, error) { return "", errors.New("remoting fault") },
		"refuse", func() (string, error) { return "", &mcp.Error{Code: mcp.CodeInvalidParams, Message: `tool says "no"`} },
	)
	d := procedure.NewDeclaration("test-server", "1.0.0")
	d.AddTool(mcp.Tool{Name: "add", Description: "Add two integers"}).
		Param("a", schema.Integer(), "First operand").
		Param("b", schema.Integer(), "Second operand")
	d.AddTool(mcp.Tool{Name: "getImage", Description: "Get an image"}).Render(content.ImageOf(""))
	d.AddTool(mcp.Tool{Name: "stop", Description: "Fail for the model"})
	d.AddTool(mcp.Tool{Name: "fault", Description: "Fail"})
	d.AddTool(mcp.Tool{Name: "refuse", Description: "Fail the request"})
	if err := d.Verify(&table); err != nil {
		tb.Fatal(err)
	}
	return procedure.NewServer(d, &table, &mcp.Options{Legacy: mcp.LegacySessionless, DisableLogging: true})
}

func TestUpstream(t *testing.T) {
	cases := []struct {
		rule, message string
		want          []string // nil: no answer
		without       string
	}{
		{
			"1 initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
			[]string{`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"test-server","version":"1.0.0"}}}`},
			"",
		},
		{
			"2 tools/list", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
			[]string{`"id":2,"result":{"tools":[{"name":"add","description":"Add two integers","inputSchema":{"type":"object","properties":{"a":{"type":"integer","description":"First operand"},"b":{"type":"integer","description":"Second operand"}},"required":["a","b"]}},{"name":"getImage","description":"Get an image","inputSchema":{"type":"object","properties":{},"required":[]}},`},
			"nextCursor",
		},
		{
			"3 tools/call", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"b":7}}}`,
			[]string{`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"13"}],"isError":false}}`},
			"",
		},
		{
			"4 arguments before the name", `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"arguments":{"a":6,"b":7},"name":"add"}}`,
			[]string{`"isError":false`, `"13"`},
			"",
		},
		{
			"5 an unknown argument is told in band", `{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"c":7}}}`,
			[]string{`unknown argument \"c\"`, `missing required argument \"b\" (integer)`, `"isError":true`},
			"",
		},
		{"6 ping", `{"jsonrpc":"2.0","id":4,"method":"ping"}`, []string{`{"jsonrpc":"2.0","id":4,"result":{}}`}, ""},
		{"7 a notification has no answer", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, ""},
		{
			"10 version negotiation", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
			[]string{`"protocolVersion":"2025-03-26"`},
			"",
		},
		{
			"10 an unknown version becomes the newest that has a handshake", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"9.9","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
			[]string{`"protocolVersion":"2025-11-25"`},
			"",
		},
		{
			"12 image content", `{"jsonrpc":"2.0","id":20,"method":"tools/call","params":{"name":"getImage","arguments":{}}}`,
			[]string{`{"jsonrpc":"2.0","id":20,"result":{"content":[{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}],"isError":false}}`},
			"",
		},
		{"13 a request without an id is a notification", `{"jsonrpc":"2.0","method":"initialize","params":{}}`, nil, ""},
		{"13 a notification runs no tool", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add","arguments":{"a":6,"b":7}}}`, nil, ""},
		{
			"14 a fault for the model", `{"jsonrpc":"2.0","id":30,"method":"tools/call","params":{"name":"stop"}}`,
			[]string{`{"jsonrpc":"2.0","id":30,"result":{"content":[{"type":"text","text":"tool says \"stop\""}],"isError":true}}`},
			"",
		},
		{
			"14 a fault with a code is a JSON-RPC error", `{"jsonrpc":"2.0","id":31,"method":"tools/call","params":{"name":"refuse"}}`,
			[]string{`{"jsonrpc":"2.0","id":31,"error":{"code":-32602,"message":"tool says \"no\""}}`},
			"",
		},
		{
			"15 an error", `{"jsonrpc":"2.0","id":32,"method":"tools/call","params":{"name":"fault"}}`,
			[]string{`"text":"remoting fault"`, `"isError":true`},
			"",
		},
		{"16 invalid JSON has no id", `{"jsonrpc":"2.0","method":"initialize","id":50 not json`, []string{`"error"`, `"code":-32700`}, `"id"`},
		{"17 unknown method", `{"jsonrpc":"2.0","id":40,"method":"tools/unknown"}`, []string{`{"jsonrpc":"2.0","id":40,"error":{"code":-32601,`}, ""},
		{"a string id is kept", `{"jsonrpc":"2.0","id":"世界😀","method":"ping"}`, []string{`{"jsonrpc":"2.0","id":"世界😀","result":{}}`}, ""},
		{"id and method after params", `{"jsonrpc":"2.0","params":{"name":"add","arguments":{"a":6,"b":7}},"method":"tools/call","id":3}`, []string{`"13"`}, ""},
		{"a nested unknown member is not the envelope", `{"jsonrpc":"2.0","id":3,"x":{"method":"tools/call","id":9},"method":"ping"}`, []string{`{"jsonrpc":"2.0","id":3,"result":{}}`}, ""},
		{"params null is refused", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":null}`, []string{`"error"`}, ""},
		{"params that are a list are refused", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[{"name":"add"}]}`, []string{`"error"`}, ""},
		{"an empty batch is refused", `[]`, []string{`-32600`}, ""},
		{"a batch of one", `[{"jsonrpc":"2.0","id":3,"method":"ping"}]`, []string{`[{"jsonrpc":"2.0","id":3,"result":{}}]`}, ""},
		{
			"a mixed batch", `[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"b":7}}},{"jsonrpc":"2.0","id":"x","method":"nope"}]`,
			[]string{`"13"`, `"id":"x","error":{"code":-32601`},
			"",
		},
		{"a batch of notifications has no answer", `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, nil, ""},
	}
	p := connect(t, upstream(t))
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := p.send(c.message).String()
			if c.want == nil && got != "" {
				t.Errorf("got %s, want no answer", got)
			}
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("got %s, want %s in it", got, w)
				}
			}
			if c.without != "" && strings.Contains(got, c.without) {
				t.Errorf("got %s, want no %s in it", got, c.without)
			}
		})
	}
}

func TestATruncatedMessageRunsNothing(t *testing.T) {
	var table procedure.Table
	ran := 0
	register(t, &table, "run", func(string) { ran++ })
	d := procedure.NewDeclaration("test-server", "1.0.0")
	d.AddTool(tool("run")).Param("s", schema.String(), "")
	p := connect(t, procedure.NewServer(d, &table, &mcp.Options{Legacy: mcp.LegacySessionless}))
	message := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run","arguments":{"s":"世界😀"}}}`
	for end := 1; end < len(message); end++ {
		p.send(message[:end])
	}
	p.send(message + "x")
	if ran != 0 {
		t.Errorf("the procedure ran %d times", ran)
	}
	p.send(message)
	if ran != 1 {
		t.Errorf("the procedure ran %d times, want once", ran)
	}
}
