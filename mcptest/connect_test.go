package mcptest_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
)

func TestConnectFailsWithTheReason(t *testing.T) {
	connect := func(server *mcp.Server, o *mcptest.Options) func(testing.TB) {
		return func(t testing.TB) { mcptest.Connect(t, server, o) }
	}
	bad := mcp.NewServer("s", "1", nil)
	mcp.AddTool(bad, mcp.Tool{Name: "世界", Description: "x"}, func(context.Context, none) (string, error) { return "", nil })
	off := mcp.NewServer("s", "1", &mcp.Options{Legacy: mcp.LegacyOff})
	fails(t, "mcptest: the server cannot serve: ", connect(bad, nil))
	fails(t, `mcptest: Options.Revision is "1999"; use one of 2024-11-05, `, connect(newServer(), &mcptest.Options{Revision: "1999"}))
	fails(t, `mcptest: Options.LogLevel is "loud"; use a level such as debug`, connect(newServer(), &mcptest.Options{LogLevel: "loud"}))
	fails(t, "mcptest: connecting in revision 2025-11-25: method not found: initialize", connect(off, &mcptest.Options{Revision: "2025-11-25"}))
	if got := record(t, connect(newServer(), nil)); got != nil {
		t.Errorf("failures %q", got)
	}
}

func TestAHandlerThatDoesNotEndFailsTheTest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		s := mcp.NewServer("s", "1", nil)
		mcp.AddTool(s, mcp.Tool{Name: "deaf", Description: "hears nothing"}, func(context.Context, none) (string, error) {
			cancel() // not earlier: a call that is cancelled before it starts is not run
			<-let
			return "", nil
		})
		fails(t, "a handler is still running 10s after its session was closed", func(t testing.TB) {
			c := mcptest.Connect(t, s, nil)
			_, _ = c.CallTool(ctx, "deaf", nil)
		})
		close(let)
	})
}

func TestSendShowsEveryLine(t *testing.T) {
	c := mcptest.Connect(t, newServer(), &mcptest.Options{Revision: "2025-06-18", Capabilities: []byte(`{"elicitation":{}}`)})
	for _, step := range []struct {
		in  string
		out []string
	}{
		{`{"jsonrpc":"2.0","id":"世界","method":"ping"}`, []string{`{"jsonrpc":"2.0","id":"世界","result":{}}`}},
		{`{"jsonrpc":"2.0","method":"notifications/世界"}`, []string{}},
		{`nonsense`, []string{`{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error at byte 0: expected a value"}}`}},
		{`{"jsonrpc":"2.0","method":7}`, []string{}},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"😀"},"name":"work"}}`, []string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"😀","progress":1,"total":2,"message":"世界"}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":{"message":"😀"}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"isError":false}}`,
		}},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"grow"}}`, []string{
			`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"grown"}],"isError":false}}`,
			`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		}},
	} {
		if got := c.Send(step.in); !slices.Equal(got, step.out) {
			t.Errorf("%s\n got %q\nwant %q", step.in, got, step.out)
		}
	}
	if _, err := c.CallTool(t.Context(), "add", pair{1, 2}); err != nil {
		t.Errorf("the client is of no use any more: %v", err)
	}
}
