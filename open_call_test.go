package mcp_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/bowline-go/mcp"
)

// dataset stands for what a tool of one time holds in memory.
type dataset [1 << 16]byte

// addOld adds a tool that holds a dataset, and returns what tells whether anybody still does.
func addOld(t *testing.T, server *mcp.Server) weak.Pointer[dataset] {
	t.Helper()
	data := new(dataset)
	change(t, server, func(c *mcp.Change) {
		mcp.AddTool(c, mcp.Tool{Name: "old", Description: "D"}, func(context.Context, struct{}) (string, error) { return string(data[:1]), nil })
	})
	return weak.Make(data)
}

func change(t *testing.T, server *mcp.Server, edit func(c *mcp.Change)) {
	t.Helper()
	if err := server.Change(t.Context(), edit); err != nil {
		t.Fatal(err)
	}
}

func TestAnOpenSubscriptionLetsGoOfTheRegistryOfItsTime(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true}, echo)
	data := addOld(t, server)
	call, sink := talkTo(t, server).listening(listenTo("1", `"toolsListChanged":true`))
	change(t, server, func(c *mcp.Change) { c.Remove(mcp.ToolItem("old")) })
	for range 5 { // pools empty in the second collection
		runtime.GC()
	}
	if data.Value() != nil {
		t.Error("what a tool that was removed holds is still in memory")
	}
	wantNotes(t, sink, acknowledged("1", `"toolsListChanged":true`))
	wantFlushed(t, call.Flush, heard("1", "notifications/tools/list_changed", ""))
}

// The bytes of the message are the transport's again once the subscription is open.
func TestAnOpenSubscriptionKeepsItsProgressToken(t *testing.T) {
	var open context.Context
	keep := func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			open = ctx
			return next(ctx, req)
		}
	}
	k := talkTo(t, testServer(&mcp.Options{Dynamic: true}, using(keep), echo))
	message := []byte(strings.Replace(listenTo("1", `"toolsListChanged":true`), `"_meta":{`, `"_meta":{"progressToken":"世",`, 1))
	sink := &tape{}
	call, refused := k.session.Admit(k.ctx, message, sink, nil)
	if refused != nil || !call.Serve() {
		t.Fatalf("the subscription is not open: %v %s", refused, sink.reply)
	}
	for i := range message {
		message[i] = 'x'
	}
	mcp.Progress(open, 1, 2, "")
	wantNotes(t, sink, acknowledged("1", `"toolsListChanged":true`), progressNote(`"progress":1,"total":2`))
}
