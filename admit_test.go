package mcp_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestEveryMessageGetsItsAnswerOrSilence(t *testing.T) {
	cases := []struct {
		rule, message string
		id            string
		code          int // 0: no answer at all
		text          string
	}{
		{"bytes that are no JSON are a parse error without an id", `{"jsonrpc":"2.0","id":7,`, "", -32700, "parse error"},
		{"an unknown member is ignored, so the era decides", `{"jsonrpc":"2.0","id":1,"x":{"世":"界"},"method":"tools/list"}`, "1", -32602, ""},
		{"a duplicate member is a parse error", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "", -32700, "parse error"},
		{"member names are case-sensitive", `{"jsonrpc":"2.0","ID":1,"Method":"ping"}`, "", -32600, ""},
		{"trailing bytes are a parse error", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, "", -32700, ""},
		{"invalid UTF-8 is a parse error", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "", -32700, ""},
		{"a lone surrogate is a parse error", `{"jsonrpc":"2.0","id":1,"method":"\ud83d"}`, "", -32700, ""},
		{"a NUL byte is a parse error", "{\"jsonrpc\":\"2.0\",\"id\":1,\x00\"method\":\"ping\"}", "", -32700, ""},
		{"a byte order mark is a parse error", "\uFEFF" + request("1", "ping", ""), "", -32700, "byte order mark"},
		{"an empty message is an invalid request", ``, "", -32600, "empty"},
		{"a string is an invalid request", `"ping"`, "", -32600, "object"},
		{"a wrong jsonrpc keeps the id that could be read", `{"jsonrpc":"1.0","id":"世界😀","method":"ping"}`, `"世界😀"`, -32600, "jsonrpc"},
		{"a method that is no string keeps the id", `{"jsonrpc":"2.0","id":42,"method":7}`, "42", -32600, "method"},
		{"params that are an array are refused", `{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}`, "3", -32600, "params"},
		{"params that are null are refused", `{"jsonrpc":"2.0","id":3,"method":"ping","params":null}`, "3", -32600, "params"},
		{"a malformed notification is dropped", `{"jsonrpc":"1.0","method":"ping"}`, "", 0, ""},
		{"a notification with bad params is dropped", `{"jsonrpc":"2.0","method":"ping","params":[1]}`, "", 0, ""},
		{"a notification that names a tool runs nothing", notification("tools/call", `"name":"echo","arguments":{"text":"x"}`), "", 0, ""},
		{"an unknown notification is ignored", notification("notifications/世界", ""), "", 0, ""},
		{"a response is never answered", `{"jsonrpc":"2.0","id":5,"result":{}}`, "", 0, ""},
		{"a response with a null id is never answered", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, "", 0, ""},
		{"a malformed response is never answered", `{"jsonrpc":"2.0","id":5,"result":{},"error":{"code":1,"message":"x"}}`, "", 0, ""},
		{"neither method nor result is an invalid request", `{"jsonrpc":"2.0","id":5}`, "5", -32600, ""},
		{"an array outside of sessions is refused", `[` + request("1", "ping", "") + `]`, "", -32600, "2025-03-26"},
		{"a request outside both eras is told both ways in", request("1", "tools/list", ""), "1", -32602, "initialize"},
		{"a _meta without the version is outside both eras", request("1", "tools/list", `"_meta":{"progressToken":1}`), "1", -32602, "io.modelcontextprotocol/protocolVersion"},
		{"initialize with modern _meta is an unknown method", modern("1", "initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}`), "1", -32601, "initialize"},
		{"ping with modern _meta is an unknown method", modern("1", "ping", ""), "1", -32601, "ping"},
		{"logging/setLevel with modern _meta is an unknown method", modern("1", "logging/setLevel", `"level":"info"`), "1", -32601, ""},
		{"tasks are not served", modern("1", "tasks/get", `"taskId":"1"`), "1", -32601, "tasks/get"},
		{"a notification's method is no request", modern("1", "notifications/cancelled", ""), "1", -32601, ""},
		{"methods are case-sensitive", modern("1", "Tools/List", ""), "1", -32601, "Tools/List"},
		{"a method behind a capability that is not there is unknown", modern("1", "prompts/list", ""), "1", -32601, "prompts/list"},
		{"bad _meta comes before an unknown method", request("1", "nope", metaOpen+`7}`), "1", -32602, "clientCapabilities"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, testServer(nil, echo)).send(c.message)
			if c.code == 0 {
				wantSilence(t, got)
				return
			}
			wantError(t, got, c.id, c.code, c.text)
			if !got.refused {
				t.Error("the reply does not say that it was refused")
			}
		})
	}
}

func TestMetaIsCheckedInOneOrder(t *testing.T) {
	const version = `"io.modelcontextprotocol/protocolVersion":`
	const capable = `"io.modelcontextprotocol/clientCapabilities":{}`
	cases := []struct {
		rule, meta string
		code       int // 0: served
		text       string
	}{
		{"a version of another type is mistyped", version + `20260728,` + capable, -32602, "protocolVersion"},
		{"capabilities come before the version is judged", version + `"1999-01-01"`, -32602, "clientCapabilities"},
		{"capabilities that are null are mistyped", version + `"2026-07-28","io.modelcontextprotocol/clientCapabilities":null`, -32602, "clientCapabilities"},
		{"an unknown version is answered with those that are served", version + `"1999-01-01",` + capable, -32022, `"data":{"supported":["2026-07-28"],"requested":"1999-01-01"}`},
		{"a legacy version is not served this way", version + `"2025-11-25",` + capable, -32022, `"requested":"2025-11-25"`},
		{"the version comes before the log level", version + `"世界",` + capable + `,"io.modelcontextprotocol/logLevel":1`, -32022, `"requested":"世界"`},
		{"clientInfo that is no object is refused", version + `"2026-07-28",` + capable + `,"io.modelcontextprotocol/clientInfo":"me"`, -32602, "clientInfo"},
		{"clientInfo without names is taken", version + `"2026-07-28",` + capable + `,"io.modelcontextprotocol/clientInfo":{}`, 0, ""},
		{"an unknown log level is refused", version + `"2026-07-28",` + capable + `,"io.modelcontextprotocol/logLevel":"INFO"`, -32602, "logLevel"},
		{"a log level that is no string is refused", version + `"2026-07-28",` + capable + `,"io.modelcontextprotocol/logLevel":3`, -32602, "logLevel"},
		{"a progress token with a fraction is refused", version + `"2026-07-28",` + capable + `,"progressToken":1.0`, -32602, "progressToken"},
		{"a progress token with an exponent is refused", version + `"2026-07-28",` + capable + `,"progressToken":1e3`, -32602, "progressToken"},
		{"a progress token that is null is refused", version + `"2026-07-28",` + capable + `,"progressToken":null`, -32602, "progressToken"},
		{"a huge progress token is taken", version + `"2026-07-28",` + capable + `,"progressToken":123456789012345678901234567890`, 0, ""},
		{"unknown keys are ignored", version + `"2026-07-28",` + capable + `,"example.com/世界":[1,"😀"]`, 0, ""},
		{"a capability that is no object is not declared", version + `"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":true}`, 0, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, testServer(nil, echo)).send(request("9", "tools/call", `"_meta":{`+c.meta+`},"name":"echo","arguments":{"text":"世界😀"}`))
			if c.code == 0 {
				wantReply(t, got, said("9", "世界😀"))
				return
			}
			wantError(t, got, "9", c.code, c.text)
		})
	}
	t.Run("answers that are no object are refused for every method", func(t *testing.T) {
		got := talkTo(t, testServer(nil, echo)).send(modern("1", "tools/list", `"inputResponses":[]`))
		wantError(t, got, "1", -32602, "inputResponses")
	})
	t.Run("a state that is no string is refused for every method", func(t *testing.T) {
		got := talkTo(t, testServer(nil, echo)).send(modern("1", "server/discover", `"requestState":{}`))
		wantError(t, got, "1", -32602, "requestState")
	})
}

func TestEveryMethodOfACapabilityThatIsNotThereIsUnknown(t *testing.T) {
	server := testServer(&mcp.Options{DisableLogging: true})
	modernTalk := talkTo(t, server)
	for _, method := range []string{
		"tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
		"prompts/list", "prompts/get", "completion/complete", "subscriptions/listen", "resources/subscribe",
	} {
		wantError(t, modernTalk.send(modern("1", method, "")), "1", -32601, "method not found: "+method)
	}
	old := legacyTalk(t, server, "2025-11-25")
	for _, method := range []string{
		"tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list", "prompts/list",
		"prompts/get", "completion/complete", "resources/subscribe", "resources/unsubscribe", "logging/setLevel",
		"server/discover", "subscriptions/listen", "tasks/list",
	} {
		wantError(t, old.send(request("1", method, "")), "1", -32601, "method not found: "+method)
	}
}

func TestBothErasShareOneSession(t *testing.T) {
	k := legacyTalk(t, testServer(nil, echo), "2025-06-18")
	const arguments = `"name":"echo","arguments":{"text":"世界"}`
	for range 2 {
		wantReply(t, k.send(request("1", "tools/call", arguments)), answered("1", `"content":[{"type":"text","text":"世界"}],"isError":false`))
		wantReply(t, k.send(modern("1", "tools/call", arguments)), said("1", "世界"))
	}
	wantError(t, k.send(modern("1", "ping", "")), "1", -32601)
	wantReply(t, k.send(request("2", "ping", "")), answered("2", ""))
}

func TestTruncatedMessagesAreParseErrors(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	whole := callEcho(`"世界😀"`, "世界😀")
	for i := 1; i < len(whole); i++ {
		wantError(t, k.send(whole[:i]), "", -32700)
	}
	wantReply(t, k.send(whole), said(`"世界😀"`, "世界😀"))
	wantReply(t, k.send(" \t\r\n"+whole+" \r\n"), said(`"世界😀"`, "世界😀"))
	wantError(t, k.send(whole+whole), "", -32700)
}

func TestLimitsOfOptionsBoundEveryMessage(t *testing.T) {
	k := talkTo(t, testServer(&mcp.Options{MaxMessageBytes: 600, MaxDepth: 6}, echo))
	if got := k.session.MaxMessageBytes(); got != 600 {
		t.Errorf("MaxMessageBytes is %d", got)
	}
	wantError(t, k.send(callEcho("1", strings.Repeat("x", 600))), "", -32700, "600")
	wantError(t, k.send(request("1", "ping", `"a":[[[[[]]]]]`)), "", -32700, "parse error")
	wantReply(t, k.send(callEcho("1", "fits")), said("1", "fits"))

	deep := talkTo(t, testServer(&mcp.Options{MaxDepth: 1 << 30}, echo))
	nested := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	wantError(t, deep.send(request("1", "ping", `"a":`+nested)), "", -32700)
	if got := talkTo(t, testServer(nil)).session.MaxMessageBytes(); got != 4<<20 {
		t.Errorf("the default is %d bytes", got)
	}
}

func TestLegacyOffNamesTheWayIn(t *testing.T) {
	k := talkTo(t, testServer(&mcp.Options{Legacy: mcp.LegacyOff}, echo))
	wantError(t, k.send(hello("2025-11-25")), "0", -32601, "2026-07-28", `"data":{"supported":["2026-07-28"],"requested":"initialize"}`)
	wantError(t, k.send(request("1", "tools/list", "")), "1", -32602, "io.modelcontextprotocol/protocolVersion")
	wantError(t, k.send(request("1", "ping", "")), "1", -32602)
	wantReply(t, k.send(callEcho("2", "世界")), said("2", "世界"))
}

func TestSessionlessServesWithoutAHandshakeAndRemembersNothing(t *testing.T) {
	server := testServer(&mcp.Options{Legacy: mcp.LegacySessionless, ResourceUpdates: true}, echo, tool("log", logs))
	k := talkTo(t, server)
	const arguments = `"name":"echo","arguments":{"text":"世界"}`
	old := answered("1", `"content":[{"type":"text","text":"世界"}],"isError":false`)
	wantReply(t, k.send(request("1", "tools/call", arguments)), old)
	first, second := k.send(hello("2025-06-18")), k.send(hello("2025-06-18"))
	if first.err != nil || first.reply != second.reply {
		t.Errorf("initialize cannot be repeated: %s, %s", first.reply, second.reply)
	}
	wantReply(t, k.send(request("1", "tools/call", arguments)), old)
	wantReply(t, k.send(request("2", "logging/setLevel", `"level":"debug"`)), answered("2", ""))
	if got := k.send(request("3", "tools/call", `"name":"log"`)); len(got.notes) > 0 {
		t.Errorf("the level was remembered: %q", got.notes)
	}
	wantReply(t, k.send(`[`+request("4", "ping", "")+`]`), `[`+answered("4", "")+`]`)
	wantReply(t, k.send(callEcho("5", "世界")), said("5", "世界"))
}

func TestSessionlessDoesNotDeclareWhatItCannotTell(t *testing.T) {
	everything := func(mode mcp.LegacyMode) *talk {
		return talkTo(t, testServer(&mcp.Options{Legacy: mode, Dynamic: true, ResourceUpdates: true}, echo, fixed("x://世界", "A")))
	}
	k := everything(mcp.LegacySessionless)
	const lesser = `"capabilities":{"logging":{},"prompts":{},"resources":{},"tools":{}}`
	if got := k.send(hello("2025-11-25")).reply; !strings.Contains(got, lesser) {
		t.Errorf("initialize: %s", got)
	}
	for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
		wantError(t, k.send(request("1", method, `"uri":"x://世界"`)), "1", -32601)
	}
	const whole = `"capabilities":{"logging":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}}`
	for rule, reply := range map[string]string{
		"modern clients are told all the same": k.send(modern("2", "server/discover", "")).reply,
		"and legacy ones that have a session":  everything(mcp.LegacySessions).send(hello("2025-11-25")).reply,
	} {
		if !strings.Contains(reply, whole) {
			t.Errorf("%s: %s", rule, reply)
		}
	}
	call, sink := k.listening(listenTo("3", `"resourceSubscriptions":["x://世界"]`))
	defer call.Cancel()
	wantNotes(t, sink, acknowledged("3", `"resourceSubscriptions":["x://世界"]`))
}

func TestALegacyModeDoesNotChangeModernAnswers(t *testing.T) {
	var answers []string
	for _, mode := range []mcp.LegacyMode{mcp.LegacySessions, mcp.LegacySessionless, mcp.LegacyOff} {
		k := talkTo(t, testServer(&mcp.Options{Legacy: mode}, echo))
		answers = append(answers, k.send(modern("1", "server/discover", "")).reply+k.send(modern("2", "tools/list", "")).reply)
	}
	if answers[0] != answers[1] || answers[1] != answers[2] {
		t.Errorf("the answers differ:\n%s", strings.Join(answers, "\n"))
	}
	if strings.Contains(answers[0], "2025-") {
		t.Errorf("legacy revisions are listed: %s", answers[0])
	}
}
