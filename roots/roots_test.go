package roots_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
	"github.com/bowline-go/mcp/roots"
)

func TestRootsAreListedInEveryRevision(t *testing.T) {
	for _, revision := range mcptest.Revisions() {
		t.Run(revision, func(t *testing.T) {
			var got []roots.Root
			server := mcp.NewServer("s", "1", nil)
			mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Lists"}, func(ctx context.Context, _ struct{}) (_ string, err error) {
				got, err = roots.List(ctx, "roots")
				return "", err
			})
			answer := []mcptest.Root{{URI: "file:///home/世界", Name: "😀"}, {URI: "file:///b"}}
			c := mcptest.Connect(t, server, &mcptest.Options{Revision: revision, Roots: func(context.Context) ([]mcptest.Root, error) { return answer, nil }})
			if _, err := c.CallTool(t.Context(), "ask", nil); err != nil {
				t.Fatal(err)
			}
			if len(got) != 2 || got[0] != (roots.Root{URI: "file:///home/世界", Name: "😀"}) || got[1] != (roots.Root{URI: "file:///b"}) {
				t.Errorf("%+v", got)
			}
			without := mcptest.Connect(t, server, &mcptest.Options{Revision: revision})
			result, err := without.CallTool(t.Context(), "ask", nil)
			if err == nil && (result == nil || !result.IsError) {
				t.Errorf("a client without roots: %+v", result)
			}
		})
	}
}

func TestRootsThatAreNoFilesAreAskedForAgain(t *testing.T) {
	server := mcp.NewServer("s", "1", nil)
	var failed error
	mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Lists"}, func(ctx context.Context, _ struct{}) (_ string, err error) {
		_, failed = roots.List(ctx, "roots")
		return "", failed
	})
	asked := 0
	c := mcptest.Connect(t, server, &mcptest.Options{Revision: "2025-11-25", Roots: func(context.Context) ([]mcptest.Root, error) {
		asked++
		return []mcptest.Root{{URI: "https://example.com/世界"}}, nil
	}})
	_, _ = c.CallTool(t.Context(), "ask", nil)
	if asked != 3 || failed == nil || !strings.Contains(failed.Error(), `the root "https://example.com/世界" is no file:// URI`) {
		t.Errorf("asked %d times: %v", asked, failed)
	}
}

func TestTheExplicitForm(t *testing.T) {
	request := roots.Request("世界")
	params, err := json.Marshal(request.Params)
	if err != nil || request.Key != "世界" || request.Method != "roots/list" || string(params) != `{}` {
		t.Errorf("%+v %s: a known client needs the empty params", request, params)
	}
	if got, err := roots.Decode(json.RawMessage(`{"roots":[{"uri":"file:///a","x":1}]}`)); err != nil || len(got) != 1 || got[0].URI != "file:///a" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, answer := range []string{``, `[]`, `{"roots":1}`, `{"roots":[{"uri":1}]}`} {
		if got, err := roots.Decode(json.RawMessage(answer)); err == nil {
			t.Errorf("%s is %+v", answer, got)
		}
	}
}
