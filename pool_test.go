package mcp_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/bowline-go/mcp"
)

func TestNoBytesOfOneCallReachAnother(t *testing.T) {
	server := testServer(nil, echo, fixed("x://a", "resource A"), tool("fails", func(context.Context) (string, error) { return "", errOwn }),
		tool("panics", func(context.Context) (string, error) { panic("a secret") }), tool("step", step))
	var clients sync.WaitGroup
	for client := range 8 {
		k := talkTo(t, server)
		clients.Go(func() {
			for i := range 200 {
				id := fmt.Sprintf(`"%d.%d"`, client, i)
				text := strings.Repeat(fmt.Sprintf("<client %d 世界>", client), 1+i*7%50*i%400)
				wantReply(t, k.send(callEcho(id, text)), said(id, text))
				wantReply(t, k.send(readURI(id, "x://a")), holds(id, textOf("x://a", "resource A"), 300000))
				wantReply(t, k.send(callTool(id, "fails")), failed(id, "own 世界"))
				wantError(t, k.send(modern(id, "nope", "")), id, -32601, "method not found: nope")
				k.send(callTool(id, "panics"))
				wantNotes(t, k.send(withToken(id, id, "step")), `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+id+`,"progress":1}}`)
			}
		})
	}
	clients.Wait()
}

func TestWhatAnAnswerBorrowedIsEmptyAfterwards(t *testing.T) {
	server := testServer(nil, echo)
	shared := sharedTalk(t, server, mcp.Headers{})
	for range 100 { // the reply of initialize carries a token; no reply after it does
		if opened := shared.send(hello("2025-11-25")); opened.token == "" {
			t.Fatal(opened.reply)
		}
		got := shared.as(modernHeaders("tools/call", "echo")).send(callEcho("1", "x"))
		if got.token != "" || got.after != 0 || got.err != nil || got.refused || got.status != 200 {
			t.Fatalf("%+v", got)
		}
		wantReply(t, got, said("1", "x"))
	}
}

func TestALargeMessageIsNotKept(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	message := make([]byte, 0, 2<<20)
	message = append(message, callEcho("1", strings.Repeat("x", 1<<20))...)
	kept := weak.Make(&message[:1][0])
	sink := &discard{}
	k.session.Handle(t.Context(), message, sink)
	message = nil
	runtime.GC() // what a pool holds outlives one collection
	if kept.Value() != nil {
		t.Error("the message is kept")
	}
}

func TestLargeAnswersAreNotKept(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	sink := &discard{}
	large := []byte(callEcho("1", strings.Repeat("世", 1<<17)))
	k.session.Handle(t.Context(), large, sink)
	sink.last = nil
	heap := func() uint64 {
		runtime.GC() // one collection: what a pool holds is still counted
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for range 8 {
		k.session.Handle(t.Context(), large, sink)
		sink.last = nil
	}
	if after := heap(); after > before+256<<10 {
		t.Errorf("%d KiB are kept", (after-before)>>10)
	}
}
