package mcp_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/bowline-go/mcp"
)

// portrait is all that a request says of itself.
func portrait(r *mcp.Request) string {
	return fmt.Sprintf("%s|%s|%s|%s|%s|%s|%v|%v%v|%s|%s|%s|%s", r.Method(), r.Name(), r.ID(), r.Arguments(), r.Meta("progressToken"), r.Meta("traceparent"),
		r.Client(), r.Supports(mcp.CapabilityElicitation), r.Supports(mcp.CapabilityRoots), r.Caller().ID, r.Revision(), r.Transport(), r.Meta("example.com/unknown"))
}

const nobody = `||||||{  }|falsefalse||||`

func TestOutsideOfARequestEverythingIsZero(t *testing.T) {
	if got := portrait(mcp.RequestFrom(context.Background())); got != nobody {
		t.Errorf("got %s", got)
	}
	if got := portrait(new(mcp.Request)); got != nobody {
		t.Errorf("a zero request: %s", got)
	}
	r := mcp.RequestFrom(context.Background())
	if r.Supports("telepathy") || r.Arguments() != nil || r.Meta("progressToken") != nil || r.Round() != 0 || r.State() != "" || r.InputResponse("x") != nil {
		t.Error("something is set")
	}
	mcp.Logger(context.Background()).Error("nobody hears it")
}

func TestARequestKnowsItself(t *testing.T) {
	var kept *mcp.Request
	show := func(ctx context.Context) (string, error) {
		kept = mcp.RequestFrom(context.WithValue(ctx, tenantKey{}, 1)) // whatever was derived from it
		return portrait(kept), nil
	}
	server := testServer(nil, tool("show", show), resource("x://世界", show), prompt("show", func(ctx context.Context, _ struct{}) (string, error) { return show(ctx) }))
	full := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"cli 世界","title":"T","version":"1.2"},"progressToken":"世","traceparent":"00-a-b-01","example.com/unknown":1}`
	for _, c := range []struct{ rule, message, want string }{
		{
			"a tool", request(`"世"`, "tools/call", full+`,"name":"show","arguments":{}`),
			said(`"世"`, `tools/call|show|"世"|{}|"世"|"00-a-b-01"|{cli 世界 T 1.2}|truefalse|anna|2026-07-28|memory|1`),
		},
		{
			"a tool without arguments and names", callTool("7", "show"),
			said("7", `tools/call|show|7|{}|||{  }|falsefalse|anna|2026-07-28|memory|`),
		},
		{
			"a resource", readURI("7", "x://世界"),
			holds("7", textOf("x://世界", `resources/read|x://世界|7||||{  }|falsefalse|anna|2026-07-28|memory|`), 0),
		},
		{
			"a prompt", getPrompt("7", "show", ""),
			gave("7", `{"role":"user","content":{"type":"text","text":"prompts/get|show|7|{}|||{  }|falsefalse|anna|2026-07-28|memory|"}}`),
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			k := talkTo(t, server)
			k.ctx = mcp.WithCaller(t.Context(), mcp.Caller{ID: "anna"})
			wantReply(t, k.send(c.message), c.want)
			if kept.Arguments() != nil || kept.Meta("progressToken") != nil || kept.Client() != (mcp.Implementation{}) {
				t.Errorf("after the call: %s", portrait(kept)) // the message belongs to the transport again
			}
		})
	}
	t.Run("a legacy client is who it was in the handshake", func(t *testing.T) {
		k := talkTo(t, server)
		k.send(helloAs("2025-06-18", `{"roots":{}}`, `{"name":"old 世界","version":"0.1"}`))
		got := k.send(request("7", "tools/call", `"_meta":{"progressToken":5},"name":"show"`))
		wantReply(t, got, answered("7", texts(`tools/call|show|7|{}|5||{old 世界  0.1}|falsetrue||2025-06-18|memory|`)+`,"isError":false`))
	})
	t.Run("a call is its handler's context", func(t *testing.T) {
		k := talkTo(t, testServer(nil, tool("tool", func(ctx context.Context) (string, error) {
			return fmt.Sprint(ctx.Value(tenantKey{})), nil
		})))
		k.ctx = context.WithValue(t.Context(), tenantKey{}, "世界")
		wantReply(t, k.send(callTool("1", "tool")), said("1", "世界"))
	})
}

func TestMetaGivesVendorsKeysToo(t *testing.T) {
	var got string
	server := testServer(nil, tool("look", func(ctx context.Context) (string, error) {
		r := mcp.RequestFrom(ctx)
		got = string(r.Meta("example.com/tag")) + string(r.Meta("example.com/none"))
		return "", nil
	}))
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","_meta":{"example.com\/tag":{"a":["世",1]},` + modernMeta[len(`"_meta":{`):] + `}}`
	connect(t, server).Handle(context.Background(), []byte(message), &discard{})
	if want := `{"a":["世",1]}`; got != want {
		t.Errorf("the handler read %q, want %q", got, want)
	}
}

func TestTheCallerIsKnownBeforeTheRequest(t *testing.T) {
	ctx := mcp.WithCaller(t.Context(), mcp.Caller{ID: "anna"})
	if got := mcp.RequestFrom(ctx).Caller(); got.ID != "anna" {
		t.Errorf("got %+v", got)
	}
	if got := mcp.RequestFrom(t.Context()).Caller(); got != (mcp.Caller{}) {
		t.Errorf("got %+v of nobody", got)
	}
}
