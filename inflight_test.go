package mcp_test

import (
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

func TestAnIDInFlightIsRefusedAndTheFirstCallGoesOn(t *testing.T) {
	h := newHeld()
	for era, k := range map[string]*talk{"modern": talkTo(t, testServer(nil, h.register)), "legacy": legacyTalk(t, testServer(nil, h.register), "2025-11-25")} {
		t.Run(era, func(t *testing.T) {
			message := callTool("7", "hold")
			want := said("7", "held")
			if era == "legacy" {
				message, want = request("7", "tools/call", `"name":"hold"`), answered("7", `"content":[{"type":"text","text":"held"}],"isError":false`)
			}
			wait := k.running(message)
			<-h.started
			wantError(t, k.send(message), "7", -32600, "still running")
			if era == "legacy" { // the ids of both eras are those of one connection
				wantError(t, k.send(callTool("7", "hold")), "7", -32600)
			}
			h.release <- struct{}{}
			wantReply(t, wait(), want)

			wait = k.running(message) // the id is free again
			<-h.started
			h.release <- struct{}{}
			wantReply(t, wait(), want)
		})
	}
}

func TestIDsOfDifferentTypesAreDifferent(t *testing.T) {
	h := newHeld()
	k := talkTo(t, testServer(nil, h.register, echo))
	wait := k.running(callTool("7", "hold"))
	<-h.started
	wantReply(t, k.send(callEcho(`"7"`, "x")), said(`"7"`, "x"))
	close(h.release)
	wait()
}

func TestACapOnRequestsInFlightSaysWhenToComeAgain(t *testing.T) {
	h := newHeld()
	server := testServer(&mcp.Options{MaxInFlight: 2}, h.register, echo)
	first, second := talkTo(t, server), talkTo(t, server)
	waits := []func() *tape{first.running(callTool("1", "hold")), second.running(callTool("1", "hold"))}
	<-h.started
	<-h.started
	got := first.send(callEcho("2", "x"))
	wantError(t, got, "2", -32603, "too many requests in flight", `"data":{"retryAfterMs":100}`)
	if got.status != 503 || got.after != 100*time.Millisecond || !got.refused {
		t.Errorf("status %d, retry after %v, refused %v", got.status, got.after, got.refused)
	}
	close(h.release)
	for _, wait := range waits {
		wantReply(t, wait(), said("1", "held"))
	}
	wantReply(t, first.send(callEcho("2", "x")), said("2", "x"))
}

func TestATransportWithoutRoomRefusesForACall(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	call, sink := k.begin(callEcho("1", "x"))
	call.Refuse(k.session.Busy("the queue 世界 is full", 5*time.Millisecond))
	wantError(t, sink, "1", -32603, "server busy: the queue 世界 is full; try again later", `"data":{"retryAfterMs":5}`)
	if !sink.refused || sink.status != 503 || sink.after != 5*time.Millisecond {
		t.Errorf("the reply says refused: %v, %d, after %v", sink.refused, sink.status, sink.after)
	}
	wantReply(t, k.send(callEcho("1", "x")), said("1", "x")) // and the id is free

	call, sink = k.begin(modern("2", "nope", ""))
	call.Refuse(&mcp.Error{Code: mcp.CodeInternalError, Message: "the queue is full"})
	wantError(t, sink, "2", -32601) // what was wrong with it comes first
}

func TestATransportRefusesWhatItCouldNotRead(t *testing.T) {
	k := talkTo(t, testServer(nil))
	sink := &tape{}
	k.session.Refuse(&mcp.Error{Code: -32700, Message: "the line is longer than 世界"}, sink).Serve()
	wantReply(t, sink, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"the line is longer than 世界"}}`)
}
