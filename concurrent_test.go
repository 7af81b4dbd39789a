package mcp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bowline-go/mcp"
)

// counted is a sink that counts.
type counted struct {
	replies, late atomic.Int32
	text          string
}

func (c *counted) Notify([]byte) error {
	if c.replies.Load() > 0 {
		c.late.Add(1)
	}
	return nil
}

func (c *counted) Reply(r *mcp.Reply) {
	b, _ := r.AppendTo(nil)
	c.text = string(b)
	c.replies.Add(1)
}

func (c *counted) Wake() {}

func TestTenThousandCallsAreAnsweredOnceOrVoid(t *testing.T) {
	const calls, workers = 10_000, 32
	var ran atomic.Int32
	server := testServer(&mcp.Options{Dynamic: true, MaxInFlight: 16}, func(s *mcp.Server) {
		mcp.AddTool(s, mcp.Tool{Name: "echo", Description: "D"}, func(ctx context.Context, in echoIn) (string, error) {
			ran.Add(1)
			mcp.Progress(ctx, 1, 2, "half")
			return in.Text, nil
		})
	})
	k := legacyTalk(t, server, "2025-03-26")
	queue := make(chan func(), workers)
	var served sync.WaitGroup
	for range workers {
		served.Go(func() {
			for serve := range queue {
				serve()
			}
		})
	}
	sinks := make([]counted, calls)
	cancelled := make([]bool, calls)
	busy := 0
	random := rand.New(rand.NewPCG(1, 2)) // one goroutine admits, as a connection has it
	for i := range calls {
		message := request(fmt.Sprint(i), "tools/call", fmt.Sprintf(`"_meta":{"progressToken":%d},"name":"echo","arguments":{"text":"世界 %d"}`, i, i))
		if i%3 == 0 {
			message = request(fmt.Sprint(i), "tools/call", fmt.Sprintf(`%s,"name":"echo","arguments":{"text":"世界 %d"}`, plainMeta, i))
		}
		call, err := k.session.Admit(t.Context(), []byte(message), &sinks[i], nil)
		if call == nil {
			t.Fatal(err)
		}
		queue <- func() { call.Serve() }
		if random.IntN(4) == 0 {
			victim := max(0, i-random.IntN(8))
			cancelled[victim] = true
			k.tell(cancelOf(fmt.Sprint(victim)))
		}
		if i%1000 == 0 {
			addTools(t, server, fmt.Sprint("t", i))
		}
	}
	close(queue)
	served.Wait()
	for i := range sinks {
		got := &sinks[i]
		switch n := got.replies.Load(); {
		case n > 1 || got.late.Load() > 0:
			t.Fatalf("call %d: %d replies, %d messages after them", i, n, got.late.Load())
		case n == 0 && !cancelled[i]:
			t.Fatalf("call %d is lost", i)
		case n == 1 && strings.Contains(got.text, "too many requests in flight"):
			busy++
		case n == 1 && !strings.Contains(got.text, fmt.Sprintf(`"id":%d,"result":{"content":[{"type":"text","text":"世界 %d"}]`, i, i)):
			t.Fatalf("call %d: %s", i, got.text)
		}
	}
	if ran.Load() == 0 || busy == calls {
		t.Errorf("%d handlers ran, %d calls were refused", ran.Load(), busy)
	}
	wantReply(t, k.send(request("1", "ping", "")), answered("1", "")) // every id is free
}

func TestManyClientsOfOneSharedSession(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true, ResourceUpdates: true}, echo, fixed("x://a", "A"))
	k := sharedTalk(t, server, mcp.Headers{})
	var clients sync.WaitGroup
	for client := range 16 {
		clients.Go(func() {
			old := k.open("2025-11-25")
			stream := k.session.Stream(t.Context(), old.headers, &tape{})
			stream.Serve()
			current := k.as(modernHeaders("tools/call", "echo"))
			for i := range 100 {
				text := fmt.Sprint(client, " ", i, " 世界")
				wantReply(t, old.send(request("1", "tools/call", `"name":"echo","arguments":{"text":`+quoted(text)+`}`)), answered("1", texts(text)+`,"isError":false`))
				wantReply(t, current.send(callEcho("1", text)), said("1", text))
				old.send(request("2", "logging/setLevel", `"level":"error"`))
				old.send(request("3", "resources/subscribe", `"uri":"x://a"`))
				_ = server.ResourceUpdated(t.Context(), "x://a")
				_, _ = flushed(t, stream.Flush)
			}
			if status, err := k.session.End(t.Context(), old.headers); status != 200 {
				t.Errorf("DELETE: status %d, %v", status, err)
			}
		})
	}
	clients.Wait()
}

func TestCloseRacesWithEverything(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true}, echo)
	for round := range 50 {
		session, err := server.Connect(mcp.ConnectOptions{Wake: func() {}})
		if err != nil {
			t.Fatal(err)
		}
		k := &talk{t: t, session: session, ctx: t.Context()}
		var all sync.WaitGroup
		all.Go(func() { k.send(hello("2025-11-25")) })
		all.Go(func() { k.send(callEcho("1", "x")) })
		all.Go(func() {
			sink := &tape{}
			if call, _ := session.Admit(t.Context(), []byte(listenTo("2", `"toolsListChanged":true`)), sink, nil); call.Serve() {
				k.tell(cancelOf("2"))
				_, _ = flushed(t, call.Flush)
			}
		})
		all.Go(func() { addTools(t, server, fmt.Sprint("t", round)) })
		all.Go(func() { _, _ = flushed(t, session.Flush) })
		all.Go(session.Close)
		all.Wait()
	}
}
