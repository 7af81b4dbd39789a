package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp/stdio"
)

// answer serves one message on a stream.
func answer(t *testing.T, message string) string {
	t.Helper()
	server, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := stdio.ServeStream(context.Background(), server, strings.NewReader(message), &out, &stdio.Options{Grace: 1 << 40}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTools(t *testing.T) {
	call := func(tool, arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	}
	cases := []struct{ rule, message, want string }{
		{"add", call("add", `{"a":6,"b":7}`), `"text":"13"`},
		{"echo", call("echo", `{"message":"say \"hi\" 世界 😀"}`), `"text":"say \"hi\" 世界 😀"`},
		{"several results", call("divide", `{"dividend":7,"divisor":2}`), `"text":"{\"quotient\":3,\"remainder\":1}"`},
		{"an error", call("divide", `{"dividend":7,"divisor":0}`), `"text":"the divisor is 0; use another one"}],"isError":true`},
		{"YAML", call("count_words", `{"text":"a b a 12 b a"}`), `"text":"- word: a\n  count: 3\n- word: b\n  count: 2\n- word: \"12\"\n  count: 1"`},
		{"an optional argument", call("count_words", `{"text":"a b a","most":1}`), `"text":"- word: a\n  count: 2"`},
		{"an image", call("draw_gradient", `{}`), `"type":"image","data":"iVBORw0KGgo`},
		{"an asynchronous tool", call("remind", `{"message":"now","seconds":60}`), `"text":"now"`},
		{"a header", "Content-Length: 40\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Content-Length: 36\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{
			"what a model is told", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"name":"echo","description":"Echo a string","inputSchema":{"type":"object","properties":{"message":{"type":"string","description":"The message to echo"}},"required":["message"]}`,
		},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := answer(t, c.message); !strings.Contains(got, c.want) {
					t.Errorf("got %s, want %s in it", got, c.want)
				}
			})
		})
	}
}

func TestRun(t *testing.T) {
	var stderr bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, &stderr); err != nil || !strings.Contains(stderr.String(), "-http address") {
		t.Errorf("got %v and %s", err, stderr.String())
	}
	for _, args := range [][]string{{"-nope"}, {"x"}, {"-http", "0.0.0.0:0"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%v: want an error", args)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	announced := writer(func(line string) {
		if !strings.HasPrefix(line, "serving http://127.0.0.1:") {
			t.Error(line)
		}
		cancel()
	})
	if err := run(ctx, []string{"-http", "127.0.0.1:0"}, announced); err != nil {
		t.Error(err)
	}
}

type writer func(line string)

func (w writer) Write(p []byte) (int, error) {
	w(string(p))
	return len(p), nil
}
