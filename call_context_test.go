package mcp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

func TestTheHandlersContextEndsWithTheCall(t *testing.T) {
	type parentKey struct{}
	for _, watch := range []struct {
		name string
		end  func(ctx context.Context) <-chan struct{}
	}{
		{"itself", func(ctx context.Context) <-chan struct{} { return ctx.Done() }},
		{"a context derived from it", func(ctx context.Context) <-chan struct{} {
			derived, cancel := context.WithTimeout(ctx, time.Hour)
			context.AfterFunc(derived, cancel)
			return derived.Done()
		}},
		{"a function that runs after it", func(ctx context.Context) <-chan struct{} {
			done := make(chan struct{})
			context.AfterFunc(ctx, func() { close(done) })
			return done
		}},
	} {
		t.Run(watch.name, func(t *testing.T) {
			entered, kept := make(chan (<-chan struct{})), make(chan context.Context, 1)
			server := testServer(nil, tool("wait", func(ctx context.Context) (string, error) {
				if ctx.Err() != nil || context.Cause(ctx) != nil || ctx.Value(parentKey{}) != "世" {
					t.Errorf("a running call: %v, %v, %v", ctx.Err(), context.Cause(ctx), ctx.Value(parentKey{}))
				}
				kept <- ctx
				end := watch.end(ctx)
				entered <- end
				<-end
				return "", ctx.Err()
			}))
			session := connect(t, server)
			ctx := context.WithValue(context.Background(), parentKey{}, "世")
			returned := make(chan struct{})
			go func() {
				session.Handle(ctx, []byte(callTool("1", "wait")), &discard{})
				close(returned)
			}()
			<-entered
			session.Handle(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`), &discard{})
			<-returned
			if ctx := <-kept; !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), context.Canceled) {
				t.Errorf("an ended call: %v, %v", ctx.Err(), context.Cause(ctx))
			}
		})
	}
}

func TestTheContextOfACallThatNobodyWaitedForHasEndedBehindIt(t *testing.T) {
	var kept context.Context
	server := testServer(nil, tool("keep", func(ctx context.Context) (string, error) { kept = ctx; return "", nil }))
	connect(t, server).Handle(context.Background(), []byte(callTool("1", "keep")), &discard{})
	if !errors.Is(kept.Err(), context.Canceled) || !errors.Is(context.Cause(kept), context.Canceled) {
		t.Errorf("got %v, %v", kept.Err(), context.Cause(kept))
	}
	select {
	case <-kept.Done():
	default:
		t.Error("Done is not closed")
	}
	if mcp.RequestFrom(kept).Name() != "keep" {
		t.Error("the request is not known to the context any more")
	}
}
