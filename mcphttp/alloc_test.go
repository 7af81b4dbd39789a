package mcphttp_test

import (
	"io"
	"testing"

	"github.com/bowline-go/mcp"
)

// ignoring is a sink that only encodes.
type ignoring struct{}

func (ignoring) Notify([]byte) error { return nil }
func (ignoring) Reply(r *mcp.Reply)  { _, _ = r.WriteTo(io.Discard) }
func (ignoring) Wake()               {}

// What the transport adds to the allocations of a call; an answer without an event has room for its headers alone.
func TestAQuietCallAllocatesLittle(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	f := newFixture(nil)
	body := call("1", "add", `{"a":1,"b":2}`, "")
	whole := testing.AllocsPerRun(200, again(t, f.handler(t, nil), toolCall(t, "http://localhost/", "1", "add", "{}", ""), body))
	session, err := f.server.Connect(mcp.ConnectOptions{Transport: "memory"})
	if err != nil {
		t.Fatal(err)
	}
	message := []byte(body)
	core := testing.AllocsPerRun(200, func() { session.Handle(t.Context(), message, ignoring{}) })
	if whole > core+2 {
		t.Errorf("%v allocations, %v of them the core's", whole, core)
	}
}

func TestAllocationsOfAPost(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	for _, c := range postCosts() {
		f := newFixture(nil)
		r, body := c.of(t, f)
		if n := testing.AllocsPerRun(200, again(t, f.handler(t, nil), r, body)); n > c.most {
			t.Errorf("%s: %v allocations, at most %v", c.work, n, c.most)
		}
	}
}
