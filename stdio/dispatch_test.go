package stdio_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/stdio"
)

// dispatching is a session of a server with a few tools, for clients that know no handshake.
func dispatching(tb testing.TB, options mcp.Options) *mcp.Session {
	tb.Helper()
	options.Legacy = mcp.LegacySessionless
	server := mcp.NewServer("s", "1", &options)
	type in struct {
		N    int64  `json:"n,omitzero"`
		Text string `json:"text,omitzero"`
	}
	mcp.AddTool(server, mcp.Tool{Name: "echo", Description: "Repeat"},
		func(ctx context.Context, v in) (string, error) {
			mcp.Progress(ctx, 1, 2, "half")
			return v.Text, nil
		})
	mcp.AddTool(server, mcp.Tool{Name: "stream", Description: "Stream bytes"},
		func(_ context.Context, v in) (content.Image, error) {
			return content.Image{Reader: io.LimitReader(endless{}, v.N)}, nil
		})
	mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Ask the user"},
		func(ctx context.Context, _ in) (string, error) {
			type answer struct {
				Name string `json:"name"`
			}
			got, err := mcp.Ask[answer](ctx, "name", "Who are you?")
			return got.Name, err
		})
	mcp.AddTool(server, mcp.Tool{Name: "wait", Description: "Wait for the end"},
		func(ctx context.Context, _ in) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		})
	session, err := server.Connect(mcp.ConnectOptions{Transport: "stdio"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(session.Close)
	return session
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestDispatch(t *testing.T) {
	call := func(tool, arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	}
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	cases := []struct {
		rule, message string
		want          string // in the answer; "": no answer
	}{
		{"a request", call("echo", `{"text":"世界😀"}`), `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"世界😀"}],"isError":false}}`},
		{"a request of today", `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},` + modern + `}}`, `{"jsonrpc":"2.0","id":"x","result":{"content":[{"type":"text","text":"a"}]`},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{"a notification runs nothing", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"wait"}}`, ""},
		{"an answer of the client", `{"jsonrpc":"2.0","id":7,"result":{}}`, ""},
		{"a malformed notification", `{"jsonrpc":"1.0","method":"x"}`, ""},
		{"no JSON", `{"jsonrpc":"2.0","id":5`, `{"jsonrpc":"2.0","error":{"code":-32700`},
		{"nothing", ``, `"error":{"code":-32600`},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, `"code":-32601`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]`, `[{"jsonrpc":"2.0","id":1,"result":{}}]`},
		{"a streamed answer is whole", call("stream", `{"n":7}`), `"data":"AAAAAAAAAA==","mimeType":"image/png"}],"isError":false}}`},
		{"a streamed answer is bounded", call("stream", `{"n":1000000000000}`), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the result is longer than 4194304 bytes`},
		{"a legacy client is not asked", call("ask", `{}`), `"isError":true`},
		{"a subscription ends without an answer", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modern + `,"notifications":{"toolsListChanged":true}}}`, ""},
	}
	session := dispatching(t, mcp.Options{Dynamic: true})
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := string(stdio.Dispatch(context.Background(), session, []byte(c.message)))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %s, want %s in it", got, c.want)
			}
		})
	}
	t.Run("the context ends a call", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if got := string(stdio.Dispatch(ctx, session, []byte(call("wait", `{}`)))); !strings.Contains(got, "context canceled") {
			t.Errorf("got %s", got)
		}
	})
}

// A client that frames its messages as the Language Server Protocol does, and a program with a loop of its own.
func ExampleDispatch() {
	in := bufio.NewReader(strings.NewReader(
		"Content-Length: 40\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` +
			"Content-Length: 54\r\n\r\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	var out bytes.Buffer
	session, err := greeter().Connect(mcp.ConnectOptions{Transport: "stdio"})
	if err != nil {
		panic(err)
	}
	defer session.Close()
	for {
		message, err := stdio.ReadMessage(in, session.MaxMessageBytes())
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			panic(err)
		}
		if answer := stdio.Dispatch(context.Background(), session, message); answer != nil {
			if err := stdio.WriteMessage(&out, answer); err != nil {
				panic(err)
			}
		}
	}
	fmt.Println(strings.ReplaceAll(out.String(), "\r\n", "\n"))
	// Output:
	// Content-Length: 36
	//
	// {"jsonrpc":"2.0","id":1,"result":{}}
}
