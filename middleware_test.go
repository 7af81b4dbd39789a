package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

// using adds middleware to a server.
func using(middleware ...func(mcp.Handler) mcp.Handler) func(*mcp.Server) {
	return func(s *mcp.Server) { s.Use(middleware...) }
}

func TestMiddlewareIsOrderedFromTheOutside(t *testing.T) {
	var order []string
	trace := func(name string) func(mcp.Handler) mcp.Handler {
		return func(next mcp.Handler) mcp.Handler {
			return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
				order = append(order, name+" before")
				result, err := next(ctx, req)
				order = append(order, name+" after")
				return result, err
			}
		}
	}
	k := talkTo(t, testServer(nil, tool("tool", func(context.Context) (string, error) {
		order = append(order, "handler")
		return "ran", nil
	}), using(trace("a"), trace("b")), using(trace("c"))))
	wantReply(t, k.send(callTool("1", "tool")), said("1", "ran"))
	want := []string{"a before", "b before", "c before", "handler", "c after", "b after", "a after"}
	if !slices.Equal(order, want) {
		t.Errorf("got %q", order)
	}
}

// seen is what a middleware saw of one request.
type seen struct {
	method, name string
	kind         string
	err          string
}

func watching(log *[]seen) func(mcp.Handler) mcp.Handler {
	return func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, req)
			*log = append(*log, seen{req.Method(), req.Name(), fmt.Sprintf("%T", result), fmt.Sprint(err)})
			return result, err
		}
	}
}

var errOwn = errors.New("own 世界")

func TestMiddlewareSeesWhatReachesAHandler(t *testing.T) {
	var log []seen
	failing := tool("fails", func(context.Context) (string, error) { return "", errOwn })
	k := talkTo(t, testServer(nil, using(watching(&log)), echo, failing, fixed("x://世界", "A"), prompt("greet", greetTo)))
	for _, message := range []string{
		callEcho("1", "x"), callTool("1", "fails"), callTool("1", "unknown"), modern("1", "tools/list", ""), modern("1", "server/discover", ""),
		readURI("1", "x://世界"), getPrompt("1", "greet", `{"name":"x"}`), modern("1", "nope", ""), `{`, notification("notifications/cancelled", `"requestId":1`),
	} {
		k.send(message)
	}
	want := []seen{
		{"tools/call", "echo", "*mcp.ToolResult", "<nil>"},
		{"tools/call", "fails", "<nil>", "own 世界"}, // the handler's own error, before it becomes a result
		{"tools/list", "", "*mcp.encoded", "<nil>"},
		{"server/discover", "", "*mcp.encoded", "<nil>"},
		{"resources/read", "x://世界", "*mcp.ReadResult", "<nil>"},
		{"prompts/get", "greet", "*mcp.PromptResult", "<nil>"},
	}
	if !slices.Equal(log, want) {
		t.Errorf("got %q", log)
	}
}

func TestMiddlewareMayAnswerByItself(t *testing.T) {
	replace := func(with func(req *mcp.Request) (mcp.Result, error)) func(mcp.Handler) mcp.Handler {
		return func(mcp.Handler) mcp.Handler {
			return func(_ context.Context, req *mcp.Request) (mcp.Result, error) { return with(req) }
		}
	}
	text := &mcp.ToolResult{Content: []content.Block{content.NewText("by myself 世界")}}
	for _, c := range []struct {
		rule    string
		with    func(req *mcp.Request) (mcp.Result, error)
		message string
		want    string
	}{
		{"with a result", func(*mcp.Request) (mcp.Result, error) { return text, nil }, callEcho("1", "x"), said("1", "by myself 世界")},
		{"with an error, in band for a tool", func(*mcp.Request) (mcp.Result, error) { return nil, errOwn }, callEcho("1", "x"), failed("1", "own 世界")},
		{"with a JSON-RPC error", func(*mcp.Request) (mcp.Result, error) { return nil, &mcp.Error{Code: 429, Message: "slow down"} }, callEcho("1", "x"), `{"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"slow down"}}`},
		{"with a JSON-RPC error for a list", func(*mcp.Request) (mcp.Result, error) { return nil, &mcp.Error{Code: 429, Message: "slow down"} }, modern("1", "tools/list", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"slow down"}}`},
		{"with an error for a list", func(*mcp.Request) (mcp.Result, error) { return nil, errOwn }, modern("1", "tools/list", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: own 世界"}}`},
		{"a result of another method is an error", func(*mcp.Request) (mcp.Result, error) { return &mcp.ReadResult{}, nil }, callEcho("1", "x"), failed("1", "middleware returned no result of the method's kind")},
		{"no result is an error", func(*mcp.Request) (mcp.Result, error) { return nil, nil }, callEcho("1", "x"), failed("1", "middleware returned no result of the method's kind")},
		{"a nil result is an error", func(*mcp.Request) (mcp.Result, error) { return (*mcp.ToolResult)(nil), nil }, callEcho("1", "x"), failed("1", "middleware returned no result of the method's kind")},
		{"a result of a tool for a list is an error", func(*mcp.Request) (mcp.Result, error) { return text, nil }, modern("1", "tools/list", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: middleware returned no result of the method's kind"}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, testServer(nil, echo, using(replace(c.with)))).send(c.message)
			if got.reply != c.want || got.status != 200 {
				t.Errorf("status %d, got %s\nwant %s", got.status, got.reply, c.want)
			}
		})
	}
}

func TestMiddlewareSeesSubscriptionsAndHandshakes(t *testing.T) {
	var log []seen
	var client mcp.Implementation
	allowed := false
	k := talkTo(t, testServer(&mcp.Options{Dynamic: true}, using(watching(&log), func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			client = req.Client()
			if !allowed {
				return nil, &mcp.Error{Code: 403, Message: "no, 世界"}
			}
			return next(ctx, req)
		}
	})))
	listen := listenTo("1", `"toolsListChanged":true`)
	if got := k.send(listen); got.reply != `{"jsonrpc":"2.0","id":1,"error":{"code":403,"message":"no, 世界"}}` || len(got.notes) > 0 {
		t.Errorf("a subscription that is not allowed: %s %q", got.reply, got.notes)
	}
	allowed = true
	call, sink := k.listening(listen)
	wantNotes(t, sink, acknowledged("1", `"toolsListChanged":true`))
	call.Cancel()
	k.send(hello("2025-06-18"))
	if want := (mcp.Implementation{Name: "old", Version: "1"}); client != want {
		t.Errorf("the handshake is of %+v, want %+v", client, want)
	}
	want := []seen{
		{"subscriptions/listen", "", "<nil>", "mcp: no, 世界 (403)"},
		{"subscriptions/listen", "", "mcp.listening", "<nil>"},
		{"initialize", "", "*mcp.encoded", "<nil>"},
	}
	if !slices.Equal(log, want) {
		t.Errorf("got %q", log)
	}
}

// A subscription is opened by the request for it alone, whatever a middleware makes of results.
func TestAResultForASubscriptionIsNoResultElsewhere(t *testing.T) {
	var kept mcp.Result
	k := talkTo(t, testServer(&mcp.Options{Dynamic: true}, echo, using(func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			if req.Method() == "subscriptions/listen" {
				kept, _ = next(ctx, req)
				return &mcp.ToolResult{}, nil
			}
			return kept, nil
		}
	})))
	wantError(t, k.send(listenTo("1", `"toolsListChanged":true`)), "1", -32603, "middleware returned no result of the method's kind")
	wantReply(t, k.send(callEcho("2", "x")), failed("2", "middleware returned no result of the method's kind"))
}

type tenantKey struct{}

func TestMiddlewareMayPassAContextOn(t *testing.T) {
	k := talkTo(t, testServer(nil, tool("tool", func(ctx context.Context) (string, error) {
		return fmt.Sprint(ctx.Value(tenantKey{}), " ", mcp.RequestFrom(ctx).Name()), nil
	}), using(func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			return next(context.WithValue(ctx, tenantKey{}, "世界"), req)
		}
	})))
	wantReply(t, k.send(callTool("1", "tool")), said("1", "世界 tool"))
}

func TestMiddlewareMayChangeAResultOrAnError(t *testing.T) {
	k := talkTo(t, testServer(nil, echo, tool("fails", func(context.Context) (string, error) { return "", errOwn }), using(func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, req)
			if err != nil {
				return nil, fmt.Errorf("wrapped: %w", err)
			}
			tool := result.(*mcp.ToolResult)
			tool.Content = append(tool.Content, content.NewText("and more"))
			return tool, nil
		}
	})))
	wantReply(t, k.send(callEcho("1", "x")), done("1", `"content":[{"type":"text","text":"x"},{"type":"text","text":"and more"}],"isError":false`))
	wantReply(t, k.send(callTool("1", "fails")), failed("1", "wrapped: own 世界"))
}

func TestArgumentsAreJudgedBehindTheMiddleware(t *testing.T) {
	var log []seen
	k := talkTo(t, testServer(nil, echo, using(watching(&log))))
	k.send(modern("1", "tools/call", `"name":"echo"`))
	if len(log) != 1 || !strings.Contains(log[0].err, `missing required argument "text"`) {
		t.Errorf("got %q", log)
	}
}
