package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// The Scale benchmarks show what a cost depends on: calls and reads on nothing but their own
// bytes, lists on theirs, an update on those who wait for it. docs/performance.md has a table.

func BenchmarkScaleToolsCall(b *testing.B) {
	for _, tools := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("tools=%d", tools), func(b *testing.B) { benchmarkHandle(b, addServer(tools-1), addCall) })
	}
}

func BenchmarkScaleToolsList(b *testing.B) {
	for _, tools := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("tools=%d", tools), func(b *testing.B) { benchmarkHandle(b, addServer(tools-1), listTools) })
	}
}

func BenchmarkScaleTemplates(b *testing.B) {
	for _, count := range []int{1, 50, 1_000} {
		b.Run(fmt.Sprintf("templates=%d", count), func(b *testing.B) {
			server, message := templates(count)
			benchmarkHandle(b, server, message)
		})
	}
}

func BenchmarkScaleArguments(b *testing.B) {
	for _, size := range []int{1, 1 << 10, 64 << 10, 1 << 20, 4<<20 - 1<<10} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			benchmarkHandle(b, testServer(nil, echo), callEcho("1234567", strings.Repeat("x", size)))
		})
	}
}

// BenchmarkScaleSubscriptions publishes an update that one subscription among many waits for,
// and flushes it.
func BenchmarkScaleSubscriptions(b *testing.B) {
	for _, count := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("subscriptions=%d", count), func(b *testing.B) {
			server := mcp.NewServer("s", "1", &mcp.Options{ResourceUpdates: true})
			session := connect(b, server)
			ctx := context.Background()
			calls := make([]*mcp.Call, count)
			for i := range calls {
				message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{%s,"notifications":{"resourceSubscriptions":["x://%d"]}}}`, i, modernMeta, i)
				call, err := session.Admit(ctx, []byte(message), &discard{}, nil)
				if err != nil || !call.Serve() {
					b.Fatal("the subscription did not stay open:", err)
				}
				calls[i] = call
			}
			emitted := 0
			emit := func([]byte) error { emitted++; return nil }
			b.ReportAllocs()
			for b.Loop() {
				if err := server.ResourceUpdated(ctx, "x://0"); err != nil {
					b.Fatal(err)
				}
				if err := calls[0].Flush(emit); err != nil {
					b.Fatal(err)
				}
			}
			if emitted == 0 {
				b.Fatal("no update was told")
			}
		})
	}
}

// BenchmarkScaleInFlight calls while others are in their handlers.
func BenchmarkScaleInFlight(b *testing.B) {
	for _, count := range []int{1, 64, 4_095} {
		b.Run(fmt.Sprintf("calls=%d", count), func(b *testing.B) {
			server := addServer(0)
			release := make(chan struct{})
			entered := make(chan struct{})
			mcp.AddTool(server, mcp.Tool{Name: "wait", Description: "Waits"},
				func(context.Context, struct{}) (string, error) { entered <- struct{}{}; <-release; return "", nil })
			session := connect(b, server)
			ctx := context.Background()
			left := make(chan struct{}, count)
			for i := range count {
				go func() {
					session.Handle(ctx, []byte(callTool(fmt.Sprint(i), "wait")), &discard{})
					left <- struct{}{}
				}()
				<-entered
			}
			sink := &discard{}
			b.ReportAllocs()
			for b.Loop() {
				session.Handle(ctx, []byte(addCall), sink)
			}
			close(release)
			for range count {
				<-left
			}
		})
	}
}
