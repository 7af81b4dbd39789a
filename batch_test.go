package mcp_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

const echoHi = `"name":"echo","arguments":{"text":"世界😀"}`

var echoedHi = answered("1", `"content":[{"type":"text","text":"世界😀"}],"isError":false`)

func TestBatchesOfTheRevisionThatHasThem(t *testing.T) {
	cancelled := notification("notifications/cancelled", `"requestId":99`)
	cases := []struct{ rule, message, want string }{
		{"one element is answered in an array", `[` + request("1", "tools/call", echoHi) + `]`, `[` + echoedHi + `]`},
		{"answers come in one array", ` [` + request("1", "tools/call", echoHi) + ` , ` + request(`"世"`, "ping", "") + "\n]\n", `[` + echoedHi + `,` + answered(`"世"`, "") + `]`},
		{"notifications among requests have no answer", `[` + cancelled + `,` + request("1", "tools/call", echoHi) + `]`, `[` + echoedHi + `]`},
		{"a malformed notification does not void the others", `[{"jsonrpc":"1.0","method":"x"},` + request("1", "tools/call", echoHi) + `]`, `[` + echoedHi + `]`},
		{"notifications and responses alone are answered by nothing", `[` + cancelled + `,{"jsonrpc":"2.0","id":1,"result":{}}]`, ``},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			k := legacyTalk(t, testServer(nil, echo), "2025-03-26")
			got := k.send(c.message)
			if got.reply != c.want || got.status != map[bool]int{true: 200}[c.want != ""] {
				t.Errorf("status %d, got %s\nwant %s", got.status, got.reply, c.want)
			}
			if got.size != len(got.reply) {
				t.Errorf("size %d of %d", got.size, len(got.reply))
			}
		})
	}
}

func TestBatchesThatAreRefused(t *testing.T) {
	pings := func(n int) string {
		return `[` + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/x"},`, n-1), ",") + `,` + request("1", "ping", "") + `]`
	}
	k := legacyTalk(t, testServer(nil, echo), "2025-03-26")
	wantError(t, k.send(`[]`), "", -32600, "empty")
	wantError(t, k.send(`[1,`), "", -32700, "parse error")
	wantError(t, k.send(`[`+request("1", "ping", "")+`] x`), "", -32700)
	wantReply(t, k.send(pings(64)), `[`+answered("1", "")+`]`)
	wantError(t, k.send(pings(65)), "", -32600, "at most 64")
	for _, revision := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		wantError(t, legacyTalk(t, testServer(nil), revision).send(`[`+request("1", "ping", "")+`]`), "", -32600, "2025-03-26")
	}
}

func TestElementsOfABatchAreJudgedOneByOne(t *testing.T) {
	k := legacyTalk(t, testServer(nil, echo), "2025-03-26")
	got := k.send(`[7,` + hello("2025-11-25") + `,` + callEcho("2", "x") + `,[],` + request("1", "tools/call", echoHi) + `,` + request("1", "ping", "") + `,` + request("3", "nope", "") + `]`)
	want := []string{
		`[{"jsonrpc":"2.0","error":{"code":-32600,`, `{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"invalid request: initialize cannot`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"invalid request: tools/call cannot`, `{"jsonrpc":"2.0","error":{"code":-32600,`,
		echoedHi, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request: the id belongs`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,`,
	}
	rest := got.reply
	for _, part := range want {
		at := strings.Index(rest, part)
		if at < 0 {
			t.Fatalf("no %s in the rest %s of %s", part, rest, got.reply)
		}
		rest = rest[at+len(part):]
	}
	if got.status != 200 || got.err != nil {
		t.Errorf("status %d, %v", got.status, got.err)
	}
}

func TestABatchCarriesTheNotificationsOfItsCalls(t *testing.T) {
	k := legacyTalk(t, testServer(nil, tool("step", step)), "2025-03-26")
	got := k.send(`[` + request("1", "tools/call", `"_meta":{"progressToken":1},"name":"step"`) + `,` + request("2", "tools/call", `"_meta":{"progressToken":2},"name":"step"`) + `]`)
	wantNotes(t, got, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`)
}

func TestACallOfABatchCanBeCancelled(t *testing.T) {
	k := legacyTalk(t, testServer(nil, echo), "2025-03-26")
	batch, sink := k.begin(`[` + request("1", "tools/call", echoHi) + `,` + request("2", "ping", "") + `]`)
	k.tell(notification("notifications/cancelled", `"requestId":2`))
	batch.Serve()
	wantReply(t, sink, `[`+echoedHi+`]`)

	batch, sink = k.begin(`[` + request("1", "tools/call", echoHi) + `]`)
	k.tell(notification("notifications/cancelled", `"requestId":1`))
	batch.Serve()
	wantSilence(t, sink) // nothing is left to answer
}

func TestABatchThatIsRefusedLeavesItsIDsFree(t *testing.T) {
	k := legacyTalk(t, testServer(nil, echo), "2025-03-26")
	batch, sink := k.begin(`[` + request("1", "tools/call", echoHi) + `,` + request("2", "ping", "") + `]`)
	batch.Refuse(&mcp.Error{Code: mcp.CodeInternalError, Message: "no room"})
	wantError(t, sink, "", -32603, "no room")
	wantReply(t, k.send(request("1", "tools/call", echoHi)), echoedHi)
	wantReply(t, k.send(request("2", "ping", "")), answered("2", ""))
}

func TestAHandlerThatEndsItsGoroutineDoesNotLoseTheBatch(t *testing.T) {
	k := legacyTalk(t, testServer(nil, echo, tool("exit", func(context.Context) (string, error) {
		runtime.Goexit()
		return "", nil
	})), "2025-03-26")
	batch, sink := k.begin(`[` + request("1", "tools/call", echoHi) + `,` + request("2", "tools/call", `"name":"exit"`) + `,` + request("3", "ping", "") + `]`)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		batch.Serve()
	}()
	<-ended
	if !strings.HasPrefix(sink.reply, `[`+echoedHi+`,{"jsonrpc":"2.0","id":2,"error":{"code":-32603,`) || !strings.Contains(sink.reply, `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,`) {
		t.Errorf("got %s", sink.reply)
	}
	wantReply(t, k.send(request("3", "ping", "")), answered("3", ""))
}

func TestABatchEndsWithItsClient(t *testing.T) {
	h := newHeld()
	k := legacyTalk(t, testServer(nil, h.register), "2025-03-26")
	batch, sink := k.begin(`[` + request("1", "tools/call", `"name":"hold"`) + `,` + request("2", "tools/call", `"name":"hold"`) + `]`)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		batch.Serve()
	}()
	<-h.started
	batch.Cancel()
	<-ended
	wantSilence(t, sink)
	if len(h.started) > 0 {
		t.Error("the second call ran for nobody")
	}
}
