package mcp_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/mcptest"
)

var _ = flag.Bool("update", false, "write the transcripts anew with what the server says")

const transcripts = "testdata/transcripts"

// TestTranscripts holds every method, in every revision that has it, to golden lines.
func TestTranscripts(t *testing.T) {
	servers := map[string]func() *mcp.Server{
		"bare": bareServer, "off": legacyOffServer, "sessionless": sessionlessServer, "redacted": redactedServer, "ask": askingServer,
	}
	err := filepath.WalkDir(transcripts, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(transcripts, path)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			server := servers[strings.TrimSuffix(filepath.Base(path), ".txt")]
			if server == nil {
				server = fixtureServer
			}
			mcptest.Transcript(t, server, path, fixtureEvents()...)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryMethodHasATranscriptInEveryRevision(t *testing.T) {
	for r := range protocol.Revisions() {
		for m := range protocol.Methods() {
			if !m.ServedBy(r) || m.Notification {
				continue
			}
			path := filepath.Join(transcripts, r.Name, strings.ReplaceAll(m.Name, "/", "_")+".txt")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
				continue
			}
			if !strings.Contains(string(text), `"method":"`+m.Name+`"`) {
				t.Errorf("%s does not call %s", path, m.Name)
			}
		}
	}
}

// fixtureEvents are what transcripts can make happen behind the server's back.
func fixtureEvents() []mcptest.Event {
	change := func(edit func(*mcp.Change)) func(context.Context, *mcp.Server) error {
		return func(ctx context.Context, s *mcp.Server) error { return s.Change(ctx, edit) }
	}
	return []mcptest.Event{
		{Name: "a tool is added", Do: change(func(c *mcp.Change) {
			mcp.AddTool(c, mcp.Tool{Name: "subtract", Description: "Subtracts 世界"},
				func(_ context.Context, in fixturePair) (int, error) { return in.A - in.B, nil })
		})},
		{Name: "a tool is removed", Do: change(func(c *mcp.Change) { c.Remove(mcp.ToolItem("echo")) })},
		{Name: "a prompt is removed", Do: change(func(c *mcp.Change) { c.Remove(mcp.PromptItem("greet")) })},
		{Name: "a resource is removed", Do: change(func(c *mcp.Change) { c.Remove(mcp.ResourceItem("fixture://notes")) })},
		{Name: "everything changes", Do: change(func(c *mcp.Change) {
			c.Remove(mcp.ToolItem("echo"), mcp.PromptItem("greet"), mcp.ResourceItem("fixture://notes"))
		})},
		{Name: "notes are updated", Do: func(ctx context.Context, s *mcp.Server) error {
			return s.ResourceUpdated(ctx, "fixture://notes")
		}},
		{Name: "世界 is updated", Do: func(ctx context.Context, s *mcp.Server) error {
			return s.ResourceUpdated(ctx, "fixture://世界/😀")
		}},
	}
}
