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
	for _, c := range messageCosts() {
		if n := allocations(t, connect(t, c.server()), c.message); n > c.most {
			t.Errorf("%s: %v allocations, at most %v", c.work, n, c.most)
		}
	}
}

func TestAllocationsOfEveryMethod(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	eachMethod(func(era string, m methodCost, most float64) {
		if n := testing.AllocsPerRun(200, m.handler(t, era)); n > most {
			t.Errorf("%s %s: %v allocations, at most %v", era, m.method, n, most)
		}
	})
}

func TestAllocationsOfAnAdmission(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	modern := admission(t, connect(t, addServer(0)), addCall)
	legacy := admission(t, legacyTalk(t, addServer(0), "2025-11-25").session, legacyAddCall)
	if a, b := testing.AllocsPerRun(200, modern), testing.AllocsPerRun(200, legacy); a > 2 || b > 2 {
		t.Errorf("modern: %v allocations, legacy: %v, at most the call and the text of its id", a, b)
	}
}
