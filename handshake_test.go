package mcp_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestInitializeNegotiatesTheRevision(t *testing.T) {
	for requested, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"1999-01-01": "2025-11-25", "2026-07-28": "2025-11-25", "": "2025-11-25", "世界😀": "2025-11-25",
	} {
		got := talkTo(t, testServer(nil)).send(hello(requested))
		if got.err != nil || !strings.HasPrefix(got.reply, `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"`+want+`",`) {
			t.Errorf("%q: %s", requested, got.reply)
		}
		if strings.Contains(got.reply, "resultType") || strings.Contains(got.reply, "ttlMs") || strings.Contains(got.reply, `"_meta"`) {
			t.Errorf("%q: a legacy result has modern stamps: %s", requested, got.reply)
		}
	}
}

func TestInitializeNeedsItsParams(t *testing.T) {
	const info = `"clientInfo":{"name":"c","version":"1"}`
	cases := []struct{ rule, params, text string }{
		{"no params", ``, "protocolVersion"},
		{"no version", `"capabilities":{},` + info, "protocolVersion"},
		{"a version that is no string", `"protocolVersion":20251125,"capabilities":{},` + info, "protocolVersion"},
		{"no capabilities", `"protocolVersion":"2025-11-25",` + info, "capabilities"},
		{"capabilities that are no object", `"protocolVersion":"2025-11-25","capabilities":[],` + info, "capabilities"},
		{"no client", `"protocolVersion":"2025-11-25","capabilities":{}`, "clientInfo"},
		{"a client that is no object", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":"c"`, "clientInfo"},
		{"a client without a name", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"version":"1"}`, "clientInfo"},
		{"a client with a version that is no string", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":1}`, "clientInfo"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			k := talkTo(t, testServer(nil, echo))
			wantError(t, k.send(request("1", "initialize", c.params)), "1", -32602, c.text)
			wantError(t, k.send(request("2", "tools/list", "")), "2", -32602) // nothing was opened
			if got := k.send(hello("2025-11-25")); got.err != nil {
				t.Errorf("a good initialize after it: %s", got.reply)
			}
		})
	}
}

func TestASecondInitializeIsRefusedAndChangesNothing(t *testing.T) {
	k := legacyTalk(t, testServer(nil, echo), "2025-03-26")
	wantError(t, k.send(hello("2025-11-25")), "0", -32600, "once")
	wantReply(t, k.send(`[`+request("1", "ping", "")+`]`), `[`+answered("1", "")+`]`) // still the revision with arrays
}

func TestPingIsAnsweredBeforeAndDuringTheHandshake(t *testing.T) {
	k := talkTo(t, testServer(nil))
	wantReply(t, k.send(request(`"世界😀"`, "ping", "")), answered(`"世界😀"`, ""))
	k.send(hello("2025-11-25"))
	wantReply(t, k.send(request("1", "ping", `"_meta":{"progressToken":"世"}`)), answered("1", ""))
}

func TestRequestsAreServedFromTheAnswerOfInitializeOn(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	// A client may send requests behind initialize without waiting: their admission sees the session.
	opening, first := k.begin(hello("2025-11-25"))
	next, second := k.begin(request("1", "tools/call", `"name":"echo","arguments":{"text":"世界"}`))
	if !opening.MustServeFirst() || next.MustServeFirst() {
		t.Error("initialize, and only initialize, is served before the next message")
	}
	opening.Serve()
	next.Serve()
	if first.err != nil {
		t.Errorf("initialize: %s", first.reply)
	}
	wantReply(t, second, answered("1", `"content":[{"type":"text","text":"世界"}],"isError":false`))
}

func TestInitializedIsIgnoredWhereItMeansNothing(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	k.tell(initialized)
	wantError(t, k.send(request("1", "tools/list", "")), "1", -32602)
	k.send(hello("2025-11-25"))
	k.tell(initialized)
	k.tell(initialized)
	k.tell(notification("notifications/roots/list_changed", ""))
	k.tell(notification("notifications/progress", `"progressToken":1,"progress":1`))
	k.tell(notification("notifications/tasks/status", `"taskId":"1"`))
	if got := k.send(request("1", "tools/list", "")); got.err != nil {
		t.Errorf("tools/list: %s", got.reply)
	}
}

func TestCapabilitiesAreWhatIsThere(t *testing.T) {
	prompt := func(s *mcp.Server) {
		mcp.AddPrompt(s, mcp.Prompt{Name: "p", Description: "A prompt"}, greetTo)
	}
	completed := func(s *mcp.Server) {
		mcp.AddPrompt(s, mcp.Prompt{Name: "q", Description: "A prompt", Complete: map[string]mcp.Completer{"name": mcp.CompleteFrom("a")}}, greetTo)
	}
	cases := []struct {
		rule     string
		server   *mcp.Server
		revision string
		want     string
	}{
		{"nothing is registered", testServer(nil), "2025-11-25", `{"logging":{}}`},
		{"logging is switched off", testServer(&mcp.Options{DisableLogging: true}), "2025-11-25", `{}`},
		{"a tool", testServer(nil, echo), "2025-11-25", `{"logging":{},"tools":{}}`},
		{"a prompt without a completer", testServer(nil, prompt), "2025-11-25", `{"logging":{},"prompts":{}}`},
		{"a prompt with a completer", testServer(nil, completed), "2025-11-25", `{"logging":{},"completions":{},"prompts":{}}`},
		{"2024-11-05 knows no completions capability", testServer(nil, completed), "2024-11-05", `{"logging":{},"prompts":{}}`},
		{"a resource", testServer(nil, fixed("x://a", "A")), "2025-11-25", `{"logging":{},"resources":{}}`},
		{"subscriptions are an option", testServer(&mcp.Options{ResourceUpdates: true}, fixed("x://a", "A")), "2025-11-25", `{"logging":{},"resources":{"subscribe":true}}`},
		{
			"a dynamic server may get anything", testServer(&mcp.Options{Dynamic: true}), "2025-11-25",
			`{"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}}`,
		},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, c.server).send(hello(c.revision))
			wantReply(t, got, answered("0", `"protocolVersion":"`+c.revision+`","capabilities":`+c.want+`,"serverInfo":{"name":"t","version":"1"}`))
			discovered := talkTo(t, c.server).send(modern("1", "server/discover", ""))
			if c.revision == "2025-11-25" && !strings.Contains(discovered.reply, `"capabilities":`+c.want) {
				t.Errorf("discover differs: %s", discovered.reply)
			}
		})
	}
}

func TestDiscoverTellsWhatTheServerIs(t *testing.T) {
	k := talkTo(t, testServer(&mcp.Options{Title: "T 世界", Instructions: "Be kind 😀"}, echo))
	want := `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{}},` +
		`"serverInfo":{"name":"t","title":"T 世界","version":"1"},"instructions":"Be kind 😀","ttlMs":300000,"cacheScope":"private",` +
		`"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"t","title":"T 世界","version":"1"}}}}`
	wantReply(t, k.send(modern("1", "server/discover", "")), want)
	wantReply(t, k.send(modern("1", "server/discover", "")), want) // the second time from encoded bytes
}
