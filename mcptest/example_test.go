package mcptest_test

import (
	"context"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
)

type confirm struct {
	Sure bool `json:"sure" doc:"Yes, delete it"`
}

type entry struct {
	Name string `json:"name" doc:"Which entry"`
}

// newStore is a server that asks before it deletes, and that knows who deletes.
func newStore() *mcp.Server {
	server := mcp.NewServer("store", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "delete", Description: "Delete an entry", Destructive: new(true)},
		func(ctx context.Context, in entry) (string, error) {
			mcp.Progress(ctx, 1, 2, "asking")
			answer, err := mcp.Ask[confirm](ctx, "sure", "Delete "+in.Name+"?")
			if err != nil || !answer.Sure {
				return "", err
			}
			return mcp.RequestFrom(ctx).Caller().ID + " deleted " + in.Name, nil
		})
	return server
}

// TestTheExampleOfThePackage is what the package documentation shows.
func TestTheExampleOfThePackage(t *testing.T) {
	for _, revision := range mcptest.Revisions() {
		if revision < "2025-06-18" {
			continue // clients of these cannot be asked
		}
		t.Run(revision, func(t *testing.T) {
			var question, told string
			c := mcptest.Connect(t, newStore(), &mcptest.Options{
				Revision: revision,
				Elicit: func(_ context.Context, q mcptest.Question) (mcptest.Answer, error) {
					question = q.Message
					return mcptest.Answer{Content: confirm{Sure: true}}, nil
				},
				OnNotification: func(n mcptest.Notification) { told = n.Method },
			})
			ann := mcp.WithCaller(t.Context(), mcp.Caller{ID: "ann"})
			text, err := mcptest.Call[string](ann, c, "delete", entry{"世界"})
			if err != nil || text != "ann deleted 世界" || question != "Delete 世界?" || told != "notifications/progress" {
				t.Errorf("got %q, %v after %q and %q", text, err, question, told)
			}
		})
	}
}
