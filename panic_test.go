package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

const panicText = "a secret of the server"

// explosive panics wherever it is encoded.
type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic(panicText) }
func (explosive) Error() string                { panic(panicText) }
func (explosive) Read([]byte) (int, error)     { panic(panicText) }

// everywhere registers a handler of each kind that does the same.
func everywhere(run func()) func(*mcp.Server) {
	text := func(context.Context) (string, error) { run(); return "", nil }
	return func(s *mcp.Server) {
		tool("tool", text)(s)
		resource("x://r", text)(s)
		template("t://{name}", func(ctx context.Context, _ oneName) (string, error) { return text(ctx) })(s)
		prompt("prompt", func(ctx context.Context, _ struct{}) (string, error) { return text(ctx) })(s)
		mcp.AddPrompt(s, mcp.Prompt{Name: "completed", Description: "D", Complete: map[string]mcp.Completer{
			"name": func(context.Context, string, map[string]string) ([]string, error) { run(); return nil, nil },
		}}, greetTo)
	}
}

// handlerKinds are a request of each kind, with the start of what it answers to a failure without details.
var handlerKinds = []struct{ kind, message, failure string }{
	{"tool", callTool("1", "tool"), `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Tool execution failed (ref mcp-err-1)"}],"isError":true,`},
	{"resource", readURI("1", "x://r"), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error (ref mcp-err-1)"}}`},
	{"template", readURI("1", "t://a"), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error (ref mcp-err-1)"}}`},
	{"prompt", getPrompt("1", "prompt", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Prompt handler failed (ref mcp-err-1)"}}`},
	{"completer", completion(`{"type":"ref/prompt","name":"completed"}`, "name", "", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error (ref mcp-err-1)"}}`},
}

func TestAPanicIsAReferenceForTheClientAndARecordForTheOperator(t *testing.T) {
	for _, c := range handlerKinds {
		t.Run(c.kind, func(t *testing.T) {
			var log lockedBuffer
			k := talkTo(t, testServer(&mcp.Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))}, everywhere(func() { panic(panicText) }), echo))
			got := k.send(c.message)
			if !strings.HasPrefix(got.reply, c.failure) || strings.Contains(got.reply, "secret") || got.status != 200 {
				t.Errorf("status %d, got %s", got.status, got.reply)
			}
			for _, part := range []string{panicText, `"ref":"mcp-err-1"`, "panic_test.go", `"method":"`} {
				if !strings.Contains(log.String(), part) {
					t.Errorf("the log lacks %s: %s", part, log.String())
				}
			}
			wantReply(t, k.send(callEcho("2", "世界")), said("2", "世界"))
		})
	}
}

func TestAConnectionLogsWhatAServerWithoutALoggerDoesNot(t *testing.T) {
	for _, c := range []struct {
		rule     string
		ofServer bool
		want     bool
	}{
		{"the server has none", false, true},
		{"the server has one", true, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var own, of lockedBuffer
			options := &mcp.Options{}
			if c.ofServer {
				options.Logger = slog.New(slog.NewTextHandler(&own, nil))
			}
			session, err := testServer(options, everywhere(func() { panic("größe") })).Connect(mcp.ConnectOptions{Logger: slog.New(slog.NewTextHandler(&of, nil))})
			if err != nil {
				t.Fatal(err)
			}
			session.Handle(t.Context(), []byte(callTool("1", "tool")), &discard{})
			if got := strings.Contains(of.String(), "größe"); got != c.want || strings.Contains(own.String(), "größe") == c.want {
				t.Errorf("the connection logged %q, the server %q", of.String(), own.String())
			}
		})
	}
}

func TestAHandlerThatEndsItsGoroutineIsAnswered(t *testing.T) {
	for _, c := range handlerKinds {
		t.Run(c.kind, func(t *testing.T) {
			k := talkTo(t, testServer(&mcp.Options{MaxInFlight: 1}, everywhere(runtime.Goexit), echo))
			wantError(t, k.running(c.message)(), "1", -32603, "ended without a result")
			wantReply(t, k.send(callEcho("1", "x")), said("1", "x")) // its id and its place are free
		})
	}
}

func TestPanicsInMiddleware(t *testing.T) {
	before := func(mcp.Handler) mcp.Handler {
		return func(context.Context, *mcp.Request) (mcp.Result, error) { panic(panicText) }
	}
	after := func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			_, _ = next(ctx, req)
			panic(panicText)
		}
	}
	for rule, middleware := range map[string]func(mcp.Handler) mcp.Handler{"before the handler": before, "after the handler": after} {
		t.Run(rule, func(t *testing.T) {
			k := talkTo(t, testServer(nil, echo, using(middleware)))
			wantReply(t, k.send(callEcho("1", "x")), failed("1", "Tool execution failed (ref mcp-err-1)"))
			wantError(t, k.send(modern("2", "tools/list", "")), "2", -32603, "Internal error (ref mcp-err-2)")
		})
	}
	t.Run("middleware sees a handler's panic as an error", func(t *testing.T) {
		var log []seen
		k := talkTo(t, testServer(nil, using(watching(&log)), tool("tool", func(context.Context) (string, error) { panic(panicText) })))
		k.send(callTool("1", "tool"))
		if len(log) != 1 || log[0].err != "(ref mcp-err-1)" {
			t.Errorf("got %q", log)
		}
	})
}

func TestPanicsInWhatHandlersReturn(t *testing.T) {
	for _, c := range []struct {
		rule     string
		register func(*mcp.Server)
		message  string
	}{
		{"a structured value", tool("tool", func(context.Context) (*mcp.ToolResult, error) { return &mcp.ToolResult{Structured: explosive{}}, nil }), callTool("1", "tool")},
		{"a member of a typed value", tool("tool", func(context.Context) (map[string]any, error) { return map[string]any{"a": explosive{}}, nil }), callTool("1", "tool")},
		{"an error", tool("tool", func(context.Context) (string, error) { return "", explosive{} }), callTool("1", "tool")},
		{"the data of an Error", tool("tool", func(context.Context) (string, error) {
			return "", &mcp.Error{Code: 1, Message: "m", Data: explosive{}}
		}), callTool("1", "tool")},
		{"an error of a resource", resource("x://r", func(context.Context) (string, error) { return "", explosive{} }), readURI("1", "x://r")},
		{"a value of a resource", resource("x://r", func(context.Context) (explosive, error) { return explosive{}, nil }), readURI("1", "x://r")},
		{"an error of a prompt", prompt("prompt", func(context.Context, struct{}) (string, error) { return "", explosive{} }), getPrompt("1", "prompt", "")},
		{"a renderer", func(s *mcp.Server) {
			mcp.AddTool(s, described(mcp.Tool{Render: content.RendererFunc(func(any) ([]content.Block, error) { panic(panicText) })}),
				func(context.Context, struct{}) (string, error) { return "", nil })
		}, callTool("1", "tool")},
		{"a reader of a block", tool("tool", func(context.Context) (content.Image, error) {
			return content.Image{Reader: explosive{}, MIMEType: "image/png"}, nil
		}), callTool("1", "tool")},
		{"a reader of a resource", resource("x://r", func(context.Context) (mcp.Contents, error) { return mcp.Contents{BlobReader: explosive{}}, nil }), readURI("1", "x://r")},
	} {
		t.Run(c.rule, func(t *testing.T) {
			k := talkTo(t, testServer(nil, c.register, echo))
			got := k.send(c.message)
			if got.replies != 1 || !json.Valid([]byte(got.reply)) || strings.Contains(got.reply, "secret") || !strings.HasPrefix(got.reply, `{"jsonrpc":"2.0","id":1,`) {
				t.Errorf("%d replies, got %s", got.replies, got.reply)
			}
			wantReply(t, k.send(callEcho("2", "世界")), said("2", "世界"))
		})
	}
}

func TestErrorsThatAreRedacted(t *testing.T) {
	fails := func(err error) []func(*mcp.Server) {
		return []func(*mcp.Server){
			tool("tool", func(context.Context) (string, error) { return "", err }),
			resource("x://r", func(context.Context) (string, error) { return "", err }),
			template("t://{name}", func(context.Context, oneName) (string, error) { return "", err }),
			prompt("prompt", func(context.Context, struct{}) (string, error) { return "", err }),
			func(s *mcp.Server) {
				mcp.AddPrompt(s, mcp.Prompt{Name: "completed", Description: "D", Complete: map[string]mcp.Completer{
					"name": func(context.Context, string, map[string]string) ([]string, error) { return nil, err },
				}}, greetTo)
			},
		}
	}
	for _, c := range handlerKinds {
		t.Run(c.kind, func(t *testing.T) {
			var log lockedBuffer
			o := &mcp.Options{RedactErrors: true, Logger: slog.New(slog.NewTextHandler(&log, nil))}
			k := talkTo(t, testServer(o, fails(errors.New(panicText+"\nlevel=INFO forged"))...))
			got := k.send(c.message)
			if !strings.HasPrefix(got.reply, c.failure) || strings.Contains(got.reply, "secret") {
				t.Errorf("got %s", got.reply)
			}
			if text := log.String(); !strings.Contains(text, panicText) || !strings.Contains(text, "ref=mcp-err-1") || strings.Count(text, "\n") != 1 {
				t.Errorf("logged %q", text)
			}
			if again := k.send(c.message).reply; !strings.Contains(again, "(ref mcp-err-2)") {
				t.Errorf("the second reference: %s", again)
			}
		})
	}
	t.Run("what was made for the client is sent as it is", func(t *testing.T) {
		o := &mcp.Options{RedactErrors: true}
		wantReply(t, talkTo(t, testServer(o, fails(mcp.UserErrorf("pick 世界"))...)).send(handlerKinds[0].message), failed("1", "pick 世界"))
		wantReply(t, talkTo(t, testServer(o, fails(fmt.Errorf("wrapped: %w", mcp.UserErrorf("pick 世界")))...)).send(handlerKinds[0].message), failed("1", "wrapped: pick 世界"))
		wantError(t, talkTo(t, testServer(o, fails(mcp.UserErrorf("pick 世界"))...)).send(handlerKinds[1].message), "1", -32603, "Internal error: pick 世界")
		wantError(t, talkTo(t, testServer(o, fails(&mcp.Error{Code: 7, Message: "mine 世界"})...)).send(handlerKinds[3].message), "1", 7, "mine 世界")
		wantError(t, talkTo(t, testServer(o, fails(mcp.ErrNotFound)...)).send(handlerKinds[1].message), "1", -32602, `"data":{"uri":"x://r"}`)
	})
	t.Run("an error by hand is sent as it is", func(t *testing.T) {
		byHand := tool("tool", func(context.Context) (*mcp.ToolResult, error) {
			return &mcp.ToolResult{IsError: true, Content: []content.Block{content.NewText("by hand 世界")}}, nil
		})
		wantReply(t, talkTo(t, testServer(&mcp.Options{RedactErrors: true}, byHand)).send(callTool("1", "tool")), failed("1", "by hand 世界"))
	})
}

func TestReferencesAreUniqueUnderConcurrency(t *testing.T) {
	k := talkTo(t, testServer(&mcp.Options{RedactErrors: true}, tool("tool", func(context.Context) (string, error) { return "", errOwn })))
	waits := make([]func() *tape, 100)
	for i := range waits {
		waits[i] = k.running(callTool(fmt.Sprint(i), "tool"))
	}
	refs := map[string]bool{}
	for _, wait := range waits {
		_, ref, _ := strings.Cut(wait().reply, "(ref ")
		ref, _, _ = strings.Cut(ref, ")")
		refs[ref] = true
	}
	if len(refs) != len(waits) {
		t.Errorf("%d references for %d errors", len(refs), len(waits))
	}
}
