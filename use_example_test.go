package mcp_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/bowline-go/mcp"
)

// perMinute lets each caller have so many tool calls and completions in a minute. What is beyond is told to the model,
// which can wait. A request that asks its user comes once a round, and each of them counts.
func perMinute(most int, now func() time.Time) func(next mcp.Handler) mcp.Handler {
	var mu sync.Mutex
	var minute time.Time
	used := map[string]int{}
	allowed := func(caller string) bool {
		mu.Lock()
		defer mu.Unlock()
		if at := now().Truncate(time.Minute); !at.Equal(minute) {
			minute = at
			clear(used) // so it does not grow with the callers of all time
		}
		used[caller]++
		return used[caller] <= most
	}
	return func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			switch req.Method() {
			case "tools/call", "completion/complete":
				if !allowed(req.Caller().ID) {
					return nil, mcp.UserErrorf("too many calls: %d a minute are allowed; wait a minute", most)
				}
			}
			return next(ctx, req)
		}
	}
}

// Rate limiting is the program's: only it knows who its callers are and what they may cost. Without authentication, which
// says with WithCaller who calls, all share one allowance.
func ExampleServer_Use() {
	clock := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	server := mcp.NewServer("limited", "1.0.0", nil)
	server.Use(perMinute(2, func() time.Time { return clock }))
	mcp.AddTool(server, mcp.Tool{Name: "tick", Description: "Say the time"}, func(context.Context, struct{}) (string, error) {
		return clock.Format(time.TimeOnly), nil
	})

	c := newExampleClient(server)
	for range 3 {
		fmt.Println(c.call("tick", `{}`, "").text)
	}
	clock = clock.Add(time.Minute)
	fmt.Println(c.call("tick", `{}`, "").text)
	// Output:
	// 12:00:00
	// 12:00:00
	// too many calls: 2 a minute are allowed; wait a minute
	// 12:01:00
}
