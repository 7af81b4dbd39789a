package mcphttp_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func TestAtTheEndRunningRequestsFinish(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	base, stop := f.listen(t, mcphttp.Options{})
	done := make(chan answer, 3)
	for _, r := range []*http.Request{
		toolCall(t, base+"/mcp", "1", "quiet", "{}", ""),
		toolCall(t, base+"/mcp", "2", "wait", "{}", token),
		request(t, http.MethodPost, base+"/mcp", initialize(t, base+"/mcp", older2025).header, legacyCall("3", "wait", "{}")),
	} {
		go func() { done <- do(t, r) }()
		<-f.started
	}
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			break // nothing new is taken any more
		}
		conn.Close()
	}
	close(f.release)
	for range 3 {
		(<-done).contains(t, "released")
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAtTheEndTheGraceIsBounded(t *testing.T) {
	for name, o := range map[string]*mcphttp.Options{"by default": nil, "not at all": {Grace: -1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(nil)
				network := newMemory()
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() { served <- mcphttp.Serve(ctx, network, f.server, o) }()
				client := network.client(t)
				done := make(chan answer, 1)
				go func() {
					response := open(t, client, toolCall(t, memoryURL, "1", "quiet", "{}", ""))
					body, err := io.ReadAll(response.Body)
					if err != nil {
						t.Error(err)
					}
					response.Body.Close()
					done <- answer{response, string(body)}
				}()
				<-f.started
				begun := time.Now()
				stop()
				if err := <-served; err != nil {
					t.Errorf("the call ended when it was cancelled, so the end is a good one: %v", err)
				}
				waited := time.Since(begun)
				if o == nil && (waited < 3*time.Second || waited >= 4*time.Second) || o != nil && waited > time.Second {
					t.Errorf("the end took %v", waited)
				}
				if cause := <-f.cancelled; cause == nil || errors.Is(cause, context.Canceled) {
					t.Errorf("got cause %v, want one that tells the end from a disconnect", cause)
				}
				// The client is still there, and is told.
				(<-done).expect(t, 200, jsonType).contains(t, `"id":1`, `"isError":true`)
			})
		})
	}
}

func TestACallThatDoesNotEndIsAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(nil)
		stubborn := make(chan struct{})
		mcp.AddTool(f.server, mcp.Tool{Name: "stubborn", Description: "Does not listen"}, func(context.Context, none) (string, error) {
			f.started <- struct{}{}
			<-stubborn
			return "", nil
		})
		network := newMemory()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, nil) }()
		client := network.client(t)
		go func() {
			response, err := client.Do(toolCall(t, memoryURL, "1", "stubborn", "{}", ""))
			if err == nil {
				response.Body.Close()
			}
		}()
		<-f.started
		begun := time.Now()
		stop()
		if err := <-served; err == nil || !strings.Contains(err.Error(), "1 requests were still running") {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(begun); waited >= 4*time.Second {
			t.Errorf("the end took %v, want less than 4 s", waited)
		}
		close(stubborn)
	})
}
