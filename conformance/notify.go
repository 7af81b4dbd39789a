package main

import (
	"context"
	"time"

	"github.com/bowline-go/mcp"
)

// step is the pause between two notifications, as the suite's own server has it.
const step = 50 * time.Millisecond

// addNotifyingTools are the tools that say something before they answer, or let go of their connection.
func addNotifyingTools(r mcp.Registrar) {
	mcp.AddTool(r, mcp.Tool{Name: "test_tool_with_progress", Description: "Reports progress three times"}, withProgress)
	mcp.AddTool(r, mcp.Tool{Name: "test_tool_with_logging", Description: "Logs three messages"}, withLogging)
	mcp.AddTool(r, mcp.Tool{Name: "test_logging_tool", Description: "Logs one message if the request asks for it"},
		func(ctx context.Context, _ none) (string, error) {
			mcp.Logger(ctx).InfoContext(ctx, "test_logging_tool was called")
			return "Logging test completed", nil
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_reconnection", Description: "Closes the event stream in the middle of the call"}, reconnecting)
}

func withProgress(ctx context.Context, _ none) (string, error) {
	for done := 0; done <= 100; done += 50 {
		mcp.Progress(ctx, float64(done), 100, "")
		if err := pause(ctx, step); err != nil {
			return "", err
		}
	}
	return "Progress test completed", nil
}

func withLogging(ctx context.Context, _ none) (string, error) {
	for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		mcp.Logger(ctx).InfoContext(ctx, message)
		if err := pause(ctx, step); err != nil {
			return "", err
		}
	}
	return "Logging test completed", nil
}

func reconnecting(ctx context.Context, _ none) (string, error) {
	mcp.Reconnect(ctx, 2*step)
	if err := pause(ctx, 2*step); err != nil {
		return "", err
	}
	return "Reconnection test completed", nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
