package mcphttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/mcphttp"
)

type addIn struct {
	A int `json:"a" doc:"First"`
	B int `json:"b" doc:"Second"`
}

type stepsIn struct {
	Steps int `json:"steps" doc:"How many"`
}

type echoIn struct {
	Text string `json:"text" doc:"What to say"`
}

type none struct{}

// fixture is a server with tools that a test can hold and watch.
type fixture struct {
	server    *mcp.Server
	started   chan struct{} // one token for each call of wait that has begun
	release   chan struct{} // closed or fed: wait returns
	cancelled chan error    // the cause for which a call of wait ended early
	calls     atomic.Int64  // of add
}

func newFixture(o *mcp.Options) *fixture {
	f := &fixture{
		server:    mcp.NewServer("test", "1.0.0", o),
		started:   make(chan struct{}, 4096),
		release:   make(chan struct{}),
		cancelled: make(chan error, 4096),
	}
	mcp.AddTool(f.server, mcp.Tool{Name: "add", Description: "Add"}, func(_ context.Context, in addIn) (string, error) {
		f.calls.Add(1)
		return fmt.Sprint(in.A + in.B), nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "echo", Description: "Echo"}, func(_ context.Context, in echoIn) (string, error) {
		return in.Text, nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "steps", Description: "Report progress"}, func(ctx context.Context, in stepsIn) (string, error) {
		for i := range in.Steps {
			mcp.Progress(ctx, float64(i+1), float64(in.Steps), "世界😀")
		}
		return "done 世界😀", nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "wait", Description: "Report progress, then wait"}, f.wait)
	mcp.AddTool(f.server, mcp.Tool{Name: "quiet", Description: "Wait in silence"}, func(ctx context.Context, _ none) (string, error) {
		return f.wait(ctx, none{})
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "reconnect", Description: "Let the connection go, then wait"}, func(ctx context.Context, in none) (string, error) {
		mcp.Reconnect(ctx, 25*time.Millisecond)
		return f.wait(ctx, in)
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "huge", Description: "Stream a picture"}, func(_ context.Context, in stepsIn) (content.Block, error) {
		return content.Image{MIMEType: "image/png", Reader: io.LimitReader(endless{}, int64(in.Steps))}, nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "failing", Description: "Report progress, then fail"}, func(ctx context.Context, _ none) (string, error) {
		mcp.Progress(ctx, 1, 2, "")
		return "", &mcp.Error{Code: mcp.CodeInternalError, Message: "it failed"}
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "pretty", Description: "Structured content with line breaks"}, func(context.Context, none) (*mcp.ToolResult, error) {
		return &mcp.ToolResult{
			Content:    []content.Block{content.Text{Text: "a\nb\r世界😀"}},
			Structured: json.RawMessage("{\n  \"a\":\r\n 1\n}"),
		}, nil
	})
	return f
}

func (f *fixture) wait(ctx context.Context, _ none) (string, error) {
	mcp.Progress(ctx, 1, 3, "")
	f.started <- struct{}{}
	select {
	case <-f.release:
		mcp.Progress(ctx, 2, 3, "")
		return "released", nil
	case <-ctx.Done():
		f.cancelled <- context.Cause(ctx)
		return "", ctx.Err()
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// handler makes a handler that ends with the test.
func (f *fixture) handler(t testing.TB, o *mcphttp.Options) *mcphttp.Handler {
	t.Helper()
	h, err := mcphttp.NewHandler(f.server, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// serve makes a handler on a loopback port.
func (f *fixture) serve(t testing.TB, o *mcphttp.Options) *httptest.Server {
	t.Helper()
	return serveHandler(t, f.handler(t, o))
}
