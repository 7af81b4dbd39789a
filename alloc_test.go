package mcp_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/bowline-go/mcp"
)

// allocations is how many allocations one message costs, from its bytes to those of its answer.
func allocations(t *testing.T, session *mcp.Session, message string) float64 {
	t.Helper()
	sink := &discard{}
	ctx, bytes := context.Background(), []byte(message)
	if session.Handle(ctx, bytes, sink); len(sink.last) == 0 {
		t.Fatalf("no answer to %s", message)
	}
	return testing.AllocsPerRun(200, func() { session.Handle(ctx, bytes, sink) })
}

// templates is a server with n resource templates, of which the last is asked for.
func templates(n int) (server *mcp.Server, message string) {
	server = testServer(nil)
	for i := range n {
		template(fmt.Sprintf("x%d://{name}", i), nameIs(""))(server)
	}
	return server, readURI("1234567", fmt.Sprintf("x%d://hello", n-1))
}

func TestAllocationsOfAMessage(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	session := func(server *mcp.Server) *mcp.Session { return connect(t, server) }
	quiet := testServer(nil, tool("step", func(ctx context.Context) (string, error) {
		for i := range 100 {
			mcp.Progress(ctx, float64(i), 100, "a step")
			mcp.Logger(ctx).Debug("a step")
		}
		return "", nil
	}))
	one, readOne := templates(1)
	fifty, readFifty := templates(50)
	many := session(addServer(100))
	if n := allocations(t, session(addServer(0)), addCall); n > 7 {
		t.Errorf("a typed call of add: %v allocations; 6 when this was written, 10 are in the budget", n)
	}
	if n := allocations(t, many, addCall); n > 7 {
		t.Errorf("a typed call among 100 tools: %v allocations", n)
	}
	if n := allocations(t, many, listTools); n > 10 {
		t.Errorf("tools/list of 100 tools: %v allocations, at most 10 are in the budget", n)
	}
	if a, b := allocations(t, session(one), readOne), allocations(t, session(fifty), readFifty); a != b {
		t.Errorf("resources/read: %v allocations with 1 template, %v with 50", a, b)
	}
	if n := allocations(t, session(quiet), callTool("1", "step")); n > 130 {
		t.Errorf("100 steps that nobody asked to hear of: %v allocations", n)
	}
}
