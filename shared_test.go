package mcp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// sharedTalk is a channel of many clients, as an HTTP endpoint has it.
func sharedTalk(t testing.TB, server *mcp.Server, headers mcp.Headers) *talk {
	t.Helper()
	session, err := server.Connect(mcp.ConnectOptions{Transport: "http", Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return &talk{t: t, session: session, headers: headers, ctx: t.Context()}
}

// as is the same endpoint for a request with other headers.
func (k *talk) as(headers mcp.Headers) *talk {
	return &talk{t: k.t, session: k.session, headers: headers, ctx: k.ctx}
}

// modernHeaders mirror the body of a modern request.
func modernHeaders(method, name string) mcp.Headers {
	h := mcp.Headers{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}}
	if name != "" {
		h["Mcp-Name"] = []string{name}
	}
	return h
}

func sessionHeaders(token string) mcp.Headers { return mcp.Headers{"Mcp-Session-Id": {token}} }

// open opens a legacy session on a shared channel.
func (k *talk) open(revision string) *talk {
	k.t.Helper()
	got := k.as(mcp.Headers{}).send(hello(revision))
	if got.err != nil || got.token == "" {
		k.t.Fatalf("initialize: no token, %s", got.reply)
	}
	return k.as(mcp.Headers{"Mcp-Session-Id": {got.token}, "Mcp-Protocol-Version": {revision}})
}

func TestStatusOfModernAnswers(t *testing.T) {
	server := testServer(nil, echo, tool("fail", func(context.Context) (string, error) {
		return "", &mcp.Error{Code: 4711, Message: "own"}
	}), tool("reserved", func(context.Context) (string, error) {
		return "", &mcp.Error{Code: -32601, Message: "mine"}
	}), func(s *mcp.Server) {
		mcp.AddTool(s, mcp.Tool{Name: "needy", Description: "Asks", Needs: []mcp.Capability{mcp.CapabilityElicitation}},
			func(context.Context, struct{}) (string, error) { return "", nil })
	})
	cases := []struct {
		rule, message string
		headers       mcp.Headers
		status, code  int
		text          string
	}{
		{"a result", callEcho("1", "世界"), modernHeaders("tools/call", "echo"), 200, 0, "世界"},
		{"an in-band error", modern("1", "tools/call", `"name":"echo"`), modernHeaders("tools/call", "echo"), 200, 0, `"isError":true`},
		{"an unknown tool is answered, not refused", callTool("1", "nope"), modernHeaders("tools/call", "nope"), 200, -32602, "unknown tool"},
		{"an error of a handler", callTool("1", "fail"), modernHeaders("tools/call", "fail"), 200, 4711, "own"},
		{"a reserved code of a handler is no status", callTool("1", "reserved"), modernHeaders("tools/call", "reserved"), 200, -32603, "mine"},
		{"an unknown method", modern("1", "nope", ""), modernHeaders("nope", ""), 404, -32601, ""},
		{"initialize with modern _meta", modern("1", "initialize", ""), modernHeaders("initialize", ""), 404, -32601, ""},
		{"bytes that are no JSON", `{`, modernHeaders("tools/call", "echo"), 400, -32700, ""},
		{"an invalid request", `{"jsonrpc":"2.0","id":1}`, modernHeaders("tools/call", "echo"), 400, -32600, ""},
		{"an id that is null", callEcho("null", "x"), modernHeaders("tools/call", "echo"), 400, -32600, ""},
		{"a missing capability", callTool("1", "needy"), modernHeaders("tools/call", "needy"), 400, -32021, `"data":{"requiredCapabilities":{"elicitation":{}}}`},
		{"no version header", callEcho("1", "x"), mcp.Headers{}, 400, -32020, "MCP-Protocol-Version"},
		{"the version header comes before the shape of _meta", request("1", "tools/list", metaOpen+`7}`), mcp.Headers{"Mcp-Method": {"tools/list"}}, 400, -32020, ""},
		{"the shape of _meta comes before the comparison", request("1", "tools/list", metaOpen+`7}`), mcp.Headers{"Mcp-Protocol-Version": {"x"}}, 400, -32602, "clientCapabilities"},
		{"the comparison comes before the version is judged", strings.Replace(callEcho("1", "x"), "2026-07-28", "1999-01-01", 1), modernHeaders("tools/call", "echo"), 400, -32020, "1999-01-01"},
		{"an unknown version comes before Mcp-Method", strings.Replace(callEcho("1", "x"), "2026-07-28", "1999-01-01", 1), mcp.Headers{"Mcp-Protocol-Version": {"1999-01-01"}}, 400, -32022, `"supported":["2026-07-28"]`},
		{"no method header", callEcho("1", "x"), mcp.Headers{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Name": {"echo"}}, 400, -32020, "Mcp-Method"},
		{"a method header of another case", callEcho("1", "x"), modernHeaders("Tools/Call", "echo"), 400, -32020, "Mcp-Method"},
		{"no name header", callEcho("1", "x"), modernHeaders("tools/call", ""), 400, -32020, "Mcp-Name"},
		{"another name", callEcho("1", "x"), modernHeaders("tools/call", "add"), 400, -32020, "Mcp-Name"},
		{"an encoded name", callEcho("1", "世界"), modernHeaders("tools/call", "=?base64?ZWNobw==?="), 200, 0, "世界"},
		{"a body that carries a session header is still modern", callEcho("1", "x"), mcp.Headers{
			"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"}, "Mcp-Session-Id": {"forged"},
		}, 200, 0, ""},
		{"lines that differ", callEcho("1", "x"), mcp.Headers{
			"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call", "tools/list"}, "Mcp-Name": {"echo"},
		}, 400, -32020, "different values"},
		{"an array", `[` + callEcho("1", "x") + `]`, modernHeaders("tools/call", "echo"), 400, -32600, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := sharedTalk(t, server, c.headers).send(c.message)
			if got.status != c.status || got.token != "" || !strings.Contains(got.reply, c.text) {
				t.Errorf("status %d, want %d; token %q; %s, want in it %s", got.status, c.status, got.token, got.reply, c.text)
			}
			if c.code != 0 && (got.err == nil || got.err.Code != c.code) || c.code == 0 && got.err != nil {
				t.Errorf("error %v, want code %d", got.err, c.code)
			}
		})
	}
}

func TestStatusOfLegacyAnswers(t *testing.T) {
	k := sharedTalk(t, testServer(nil, echo), nil)
	old := k.open("2025-06-18")
	token := old.headers["Mcp-Session-Id"][0]
	cases := []struct {
		rule, message string
		headers       mcp.Headers
		status, code  int
		text          string
	}{
		{"a result", request("1", "tools/call", echoHi), old.headers, 200, 0, "世界😀"},
		{"an unknown method", request("1", "nope", ""), old.headers, 200, -32601, ""},
		{"bad params", request("1", "tools/call", `"name":7`), old.headers, 200, -32602, ""},
		{"an unknown tool", request("1", "tools/call", `"name":"nope"`), old.headers, 200, -32602, ""},
		{"bytes that are no JSON", `{"jsonrpc"`, old.headers, 400, -32700, ""},
		{"an invalid request", `{"jsonrpc":"2.0","id":1}`, old.headers, 400, -32600, ""},
		{"no session", request("1", "tools/list", ""), mcp.Headers{}, 400, -32602, "initialize"},
		{"a ping without a session is answered", request("1", "ping", ""), mcp.Headers{}, 200, 0, ""},
		{"an unknown session", request("1", "tools/list", ""), sessionHeaders("forged"), 404, -32600, "session"},
		{"a ping in an unknown session", request("1", "ping", ""), sessionHeaders("forged"), 404, -32600, "session"},
		{"session lines that differ", request("1", "tools/list", ""), mcp.Headers{"Mcp-Session-Id": {token, "x"}}, 404, -32600, ""},
		{"the session comes before the version header", request("1", "tools/list", ""), mcp.Headers{"Mcp-Session-Id": {"forged"}, "Mcp-Protocol-Version": {"x"}}, 404, -32600, ""},
		{"no version header", request("1", "tools/call", echoHi), sessionHeaders(token), 200, 0, "世界😀"},
		{"another legacy version: the session decides", request("1", "tools/call", echoHi), mcp.Headers{"Mcp-Session-Id": {token}, "Mcp-Protocol-Version": {"2024-11-05"}}, 200, 0, "世界😀"},
		{"an unknown version header", request("1", "tools/list", ""), mcp.Headers{"Mcp-Session-Id": {token}, "Mcp-Protocol-Version": {"1999-01-01"}}, 400, -32600, "1999-01-01"},
		{"the modern version without _meta", request("1", "tools/list", ""), mcp.Headers{"Mcp-Session-Id": {token}, "Mcp-Protocol-Version": {"2026-07-28"}}, 400, -32602, "_meta"},
		{"the modern version without _meta and session", request("1", "tools/list", ""), mcp.Headers{"Mcp-Protocol-Version": {"2026-07-28"}}, 400, -32602, "_meta"},
		{"initialize ignores its version header", hello("2025-06-18"), mcp.Headers{"Mcp-Protocol-Version": {"1999-01-01"}}, 200, 0, "2025-06-18"},
		{"initialize with the modern header", hello("2025-06-18"), mcp.Headers{"Mcp-Protocol-Version": {"2026-07-28"}}, 200, 0, "2025-06-18"},
		{"initialize with bad params", request("1", "initialize", ""), mcp.Headers{}, 200, -32602, ""},
		{"an array where the revision has none", `[` + request("1", "ping", "") + `]`, old.headers, 400, -32600, ""},
		{"an array in an unknown session", `[` + request("1", "ping", "") + `]`, sessionHeaders("forged"), 404, -32600, "session"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := k.as(c.headers).send(c.message)
			if got.status != c.status || !strings.Contains(got.reply, c.text) {
				t.Errorf("status %d, want %d; %s, want in it %s", got.status, c.status, got.reply, c.text)
			}
			if c.code != 0 && (got.err == nil || got.err.Code != c.code) || c.code == 0 && got.err != nil {
				t.Errorf("error %v, want code %d", got.err, c.code)
			}
		})
	}
}

func TestWhatHasNoAnswerHasAStatusOnlyWhenItComesFromNowhere(t *testing.T) {
	k := sharedTalk(t, testServer(nil, echo), nil)
	old := k.open("2025-06-18")
	for rule, c := range map[string]struct {
		message string
		headers mcp.Headers
		status  int // 0: accepted
	}{
		"a notification":                          {notification("notifications/initialized", ""), old.headers, 0},
		"an unknown notification":                 {notification("notifications/世界", ""), old.headers, 0},
		"a modern notification":                   {notification("notifications/cancelled", plainMeta+`,"requestId":1`), mcp.Headers{}, 0},
		"an answer that nobody waits for":         {`{"jsonrpc":"2.0","id":"ask-1","result":{}}`, old.headers, 0},
		"a notification of an unknown session":    {notification("notifications/initialized", ""), sessionHeaders("forged"), 404},
		"a notification without a session":        {notification("notifications/initialized", ""), mcp.Headers{}, 400},
		"an answer in an unknown session":         {`{"jsonrpc":"2.0","id":"ask-1","result":{}}`, sessionHeaders("forged"), 404},
		"an answer with a bad version header":     {`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}`, mcp.Headers{"Mcp-Session-Id": old.headers["Mcp-Session-Id"], "Mcp-Protocol-Version": {"x"}}, 400},
		"a notification with the modern header":   {notification("notifications/initialized", ""), mcp.Headers{"Mcp-Protocol-Version": {"2026-07-28"}}, 400},
		"a well-formed notification's bad params": {notification("notifications/cancelled", `"requestId":{}`), old.headers, 0},
	} {
		t.Run(rule, func(t *testing.T) {
			got := k.as(c.headers).send(c.message)
			if c.status == 0 {
				wantSilence(t, got)
				return
			}
			// basic/transports: the body of such an error has no id.
			if got.status != c.status || strings.Contains(got.reply, `"id"`) || !strings.HasPrefix(got.reply, `{"jsonrpc":"2.0","error":{`) {
				t.Errorf("status %d, want %d; %s", got.status, c.status, got.reply)
			}
		})
	}
	for rule, message := range map[string]string{
		"a malformed notification": `{"jsonrpc":"2.0","method":"x","params":[]}`,
		"a malformed response":     `{"jsonrpc":"1.0","id":1,"result":{}}`,
	} {
		call, err := k.session.Admit(t.Context(), []byte(message), &tape{}, old.headers)
		if call != nil || err == nil || err.Code != -32600 {
			t.Errorf("%s: a call %v, %v", rule, call != nil, err)
		}
	}
}

func TestIDsOfDifferentClientsDoNotCollide(t *testing.T) {
	h := newHeld()
	server := testServer(nil, h.register)
	k := sharedTalk(t, server, nil)
	first, second := k.open("2025-11-25"), k.open("2025-11-25")
	message := request("1", "tools/call", `"name":"hold"`)
	modernCaller := k.as(modernHeaders("tools/call", "hold"))
	waits := []func() *tape{first.running(message), second.running(message), modernCaller.running(callTool("1", "hold")), modernCaller.running(callTool("1", "hold"))}
	for range waits {
		<-h.started
	}
	wantError(t, first.send(message), "1", -32600, "still running")
	first.tell(cancelOf("1"))
	wantSilence(t, waits[0]())
	modernCaller.tell(notification("notifications/cancelled", plainMeta+`,"requestId":1`)) // no id table: ignored
	close(h.release)
	wantReply(t, waits[1](), answered("1", `"content":[{"type":"text","text":"held"}],"isError":false`))
	for _, wait := range waits[2:] {
		wantReply(t, wait(), said("1", "held"))
	}
}

func TestHandshakesOfDifferentClientsDoNotCollide(t *testing.T) {
	k := sharedTalk(t, testServer(nil), mcp.Headers{})
	first, one := k.begin(hello("2025-11-25"))
	second, two := k.begin(hello("2025-06-18"))
	ping, three := k.begin(request("0", "ping", ""))
	for _, call := range []*mcp.Call{ping, second, first} {
		call.Serve()
	}
	if one.err != nil || two.err != nil || one.token == "" || two.token == "" || one.token == two.token || three.err != nil {
		t.Errorf("%s\n%s\n%s", one.reply, two.reply, three.reply)
	}
}

func TestSessionlessOnASharedSession(t *testing.T) {
	h := newHeld()
	k := sharedTalk(t, testServer(&mcp.Options{Legacy: mcp.LegacySessionless}, echo, h.register), mcp.Headers{})
	got := k.send(hello("2025-06-18"))
	if got.err != nil || got.token != "" || got.status != 200 {
		t.Errorf("initialize: status %d, token %q, %s", got.status, got.token, got.reply)
	}
	wantReply(t, k.send(request("1", "tools/call", echoHi)), echoedHi)
	wantReply(t, k.as(sessionHeaders("whatever")).send(request("1", "tools/call", echoHi)), echoedHi)
	k.tell(notification("notifications/initialized", ""))

	t.Run("the revision is the header's, or 2025-03-26", func(t *testing.T) {
		wantReply(t, k.send(`[`+request("1", "tools/call", echoHi)+`]`), `[`+echoedHi+`]`)
		later := k.as(mcp.Headers{"Mcp-Protocol-Version": {"2025-11-25"}})
		wantReply(t, later.send(request("1", "tools/call", echoHi)), echoedHi)
		if got := later.send(`[` + request("1", "ping", "") + `]`); got.status != 400 || got.err.Code != -32600 {
			t.Errorf("an array: status %d, %s", got.status, got.reply)
		}
		for version, code := range map[string]int{"2026-07-28": -32602, "1999-01-01": -32600} {
			if got := k.as(mcp.Headers{"Mcp-Protocol-Version": {version}}).send(request("1", "tools/list", "")); got.status != 400 || got.err.Code != code {
				t.Errorf("%s: status %d, %s", version, got.status, got.reply)
			}
		}
	})
	t.Run("ids of callers are their own, and nobody cancels for another", func(t *testing.T) {
		message := request("1", "tools/call", `"name":"hold"`)
		waits := []func() *tape{k.running(message), k.running(message)}
		<-h.started
		<-h.started
		k.tell(cancelOf("1"))
		close(h.release)
		for _, wait := range waits {
			wantReply(t, wait(), answered("1", `"content":[{"type":"text","text":"held"}],"isError":false`))
		}
	})
	t.Run("there is nothing to listen to or to end", func(t *testing.T) {
		wantNoSessions(t, k)
	})
}

// wantNoSessions checks that GET and DELETE are refused with 405.
func wantNoSessions(t *testing.T, k *talk) {
	t.Helper()
	headers := sessionHeaders("x")
	sink := &tape{}
	if k.session.Stream(t.Context(), headers, sink).Serve() || sink.status != 405 {
		t.Errorf("GET: status %d", sink.status)
	}
	if status, err := k.session.End(t.Context(), headers); status != 405 || err == nil {
		t.Errorf("DELETE: status %d, %v", status, err)
	}
	if _, status, err := k.session.Identify(t.Context(), headers); status != 405 || err == nil {
		t.Errorf("Identify: status %d, %v", status, err)
	}
}

func TestLegacyOffOnASharedSession(t *testing.T) {
	k := sharedTalk(t, testServer(&mcp.Options{Legacy: mcp.LegacyOff}, echo), mcp.Headers{})
	for _, message := range []string{hello("2025-11-25"), request("0", "tools/list", ""), request("0", "ping", "")} {
		got := k.send(message)
		wantError(t, got, "0", -32020, "MCP-Protocol-Version", "2026-07-28")
		if got.status != 400 {
			t.Errorf("%s: status %d", message, got.status)
		}
	}
	got := k.as(modernHeaders("tools/list", "")).send(request("1", "tools/list", ""))
	wantError(t, got, "1", -32602, "_meta")
	if got.status != 400 {
		t.Errorf("status %d", got.status)
	}
	if got := k.send(notification("notifications/initialized", "")); got.status != 400 {
		t.Errorf("a legacy notification: status %d, %s", got.status, got.reply)
	}
	k.tell(notification("notifications/cancelled", plainMeta+`,"requestId":1`))
	wantReply(t, k.as(modernHeaders("tools/call", "echo")).send(callEcho("1", "世界")), said("1", "世界"))
	wantNoSessions(t, k)
}

func TestALostConnectionIsNoCancellationForALegacyCall(t *testing.T) {
	h := newHeld()
	k := sharedTalk(t, testServer(nil, h.register), nil)
	old := k.open("2025-11-25")
	gone, leave := context.WithCancel(t.Context())
	old.ctx = gone
	wait := old.running(request("1", "tools/call", `"name":"hold"`))
	<-h.started
	leave()
	close(h.release)
	wantReply(t, wait(), answered("1", `"content":[{"type":"text","text":"held"}],"isError":false`))
}

func TestALostConnectionCancelsAModernCall(t *testing.T) {
	h := newHeld()
	k := sharedTalk(t, testServer(nil, h.register), modernHeaders("tools/call", "hold"))
	gone, leave := context.WithCancel(t.Context())
	k.ctx = gone
	call, sink := k.begin(callTool("1", "hold"))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		call.Serve()
	}()
	<-h.started
	call.Cancel()
	leave()
	<-ended
	wantSilence(t, sink)
}
