package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/mcptest"
)

func TestToolsInEveryRevision(t *testing.T) {
	mcptest.EachRevision(t, newServer, nil, func(t *testing.T, c *mcptest.Client) {
		for _, tc := range []struct {
			tool, arguments, want string
			isError               bool
		}{
			{"echo", `{"message":"世界 😀"}`, "世界 😀", false},
			{"add", `{"a":2,"b":3.5}`, "The sum is 5.5", false},
			{"picture", `{"size":0}`, "size", true},
			{"fail", `{}`, "something went wrong", true},
			{"slow", `{"seconds":0}`, "took 0 s", false},
		} {
			result, err := c.CallTool(t.Context(), tc.tool, json.RawMessage(tc.arguments))
			if err != nil || result.IsError != tc.isError || !strings.Contains(result.Text(), tc.want) {
				t.Errorf("%s: got %+v, %v, want %q", tc.tool, result, err, tc.want)
			}
		}
		drawn, err := c.CallTool(t.Context(), "picture", nil)
		if err != nil || len(drawn.Content) != 1 {
			t.Fatalf("got %+v, %v", drawn, err)
		}
		if picture, ok := drawn.Content[0].(content.Image); !ok || picture.MIMEType != "image/png" || !bytes.HasPrefix(picture.Data, []byte("\x89PNG")) {
			t.Errorf("got %+v, want a picture", drawn.Content[0])
		}
	})
}

func TestToolsThatAsk(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		var asked []string
		c := mcptest.Connect(t, newServer(), &mcptest.Options{
			Revision: revision,
			Elicit: func(_ context.Context, q mcptest.Question) (mcptest.Answer, error) {
				asked = append(asked, q.Message)
				switch {
				case strings.HasPrefix(q.Message, "Who"):
					return mcptest.Answer{Action: "decline"}, nil
				case strings.HasPrefix(q.Message, "Where"):
					return mcptest.Answer{Content: destination{"Kyoto"}}, nil
				case strings.HasPrefix(q.Message, "How many"):
					return mcptest.Answer{Content: party{3}}, nil
				}
				return mcptest.Answer{Content: confirm{true}}, nil
			},
			Roots: func(context.Context) ([]mcptest.Root, error) { return []mcptest.Root{{URI: "file:///世界"}}, nil },
			Sample: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"Short."},"model":"m"}`), nil
			},
		})
		for _, tc := range []struct {
			tool string
			args any
			want string
		}{
			{"greet_user", nil, "Hello, stranger!"},
			{"delete_note", note{"世界"}, "Deleted 世界."},
			{"plan_trip", nil, "Booked Kyoto for 3, at 1500€."},
			{"summarize", text{"a long text"}, "Short."},
			{"list_roots", nil, "file:///世界"},
		} {
			got, err := mcptest.Call[string](t.Context(), c, tc.tool, tc.args)
			if err != nil || got != tc.want {
				t.Errorf("%s: %s: got %q, %v, want %q", revision, tc.tool, got, err, tc.want)
			}
		}
		if want := "Book Kyoto for 3, at 1500€?"; asked[len(asked)-1] != want {
			t.Errorf("%s: asked %q, want %q at last", revision, asked, want)
		}
	}
}

func TestSlowTakesItsTimeAndCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if text, err := slow(t.Context(), slowIn{3}); err != nil || text != "took 3 s" {
			t.Errorf("got %q, %v", text, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := slow(ctx, slowIn{60}); err == nil {
			t.Error("a cancelled call went on")
		}
	})
}

func TestRun(t *testing.T) {
	var stderr bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, &stderr); err != nil || !strings.Contains(stderr.String(), "-http ADDRESS") {
		t.Errorf("got %v and %s", err, &stderr)
	}
	for _, args := range [][]string{{"-nope"}, {"x"}, {"-http", "0.0.0.0:0"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%v: want an error", args)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	told, stderrOf := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-http", "127.0.0.1:0"}, stderrOf) }()
	line := make([]byte, 200)
	n, err := told.Read(line)
	if err != nil || !strings.HasPrefix(string(line[:n]), "demo: serving http://127.0.0.1:") {
		t.Errorf("got %q, %v", line[:n], err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
