package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/schema"
)

// fixtureServer has one of everything that differs on the wire.
func fixtureServer() *mcp.Server {
	s := mcp.NewServer("fixture", "1.0.0", &mcp.Options{
		Title: "Fixture 世界", Description: "One of everything 😀", WebsiteURL: "https://example.com/fixture",
		Icons:        []mcp.Icon{{Source: "https://example.com/icon.png", MIMEType: "image/png", Sizes: []string{"48x48"}, Theme: "dark"}},
		Instructions: "Use echo for 世界 and 😀.",
		Dynamic:      true, ResourceUpdates: true, PageSize: 8,
	})
	addFixtureTools(s)
	addFixtureBlocks(s)
	addFixtureFailures(s)
	addFixtureResources(s)
	addFixturePrompts(s)
	return s
}

func bareServer() *mcp.Server {
	return mcp.NewServer("bare", "0.1.0", &mcp.Options{DisableLogging: true})
}

func legacyOffServer() *mcp.Server { return oneTool(mcp.Options{Legacy: mcp.LegacyOff}) }

func sessionlessServer() *mcp.Server { return oneTool(mcp.Options{Legacy: mcp.LegacySessionless}) }

func redactedServer() *mcp.Server {
	s := mcp.NewServer("redacted", "1.0.0", &mcp.Options{RedactErrors: true})
	addFixtureFailures(s)
	return s
}

func oneTool(o mcp.Options) *mcp.Server {
	s := mcp.NewServer("one", "1.0.0", &o)
	mcp.AddTool(s, mcp.Tool{Name: "add", Description: "Adds two integers"},
		func(_ context.Context, in fixturePair) (int, error) { return in.A + in.B, nil })
	return s
}

type fixtureEcho struct {
	Text  string `json:"text" doc:"What to say, such as 世界"`
	Times int    `json:"times,omitempty" doc:"How often" min:"1" max:"9" default:"1"`
}

type fixturePair struct {
	A int `json:"a" doc:"First operand"`
	B int `json:"b" doc:"Second operand"`
}

type fixtureSum struct {
	Sum  int    `json:"sum"`
	Note string `json:"note,omitempty"`
}

type fixtureNothing struct{}

func addFixtureTools(s *mcp.Server) {
	mcp.AddTool(s, mcp.Tool{Name: "echo", Description: "Repeats a text 😀"},
		func(_ context.Context, in fixtureEcho) (string, error) { return strings.Repeat(in.Text, in.Times), nil })
	mcp.AddTool(s, mcp.Tool{
		Name: "sum", Title: "Sum of 世界", Description: "Adds, as an object",
		ReadOnly: new(true), Destructive: new(false), Idempotent: new(true), OpenWorld: new(false),
		Icons: []mcp.Icon{{Source: "data:image/png;base64,iVBORw0KGgo="}},
		Meta:  json.RawMessage(`{"example.com/owner":"世界😀"}`),
	}, func(_ context.Context, in fixturePair) (fixtureSum, error) {
		return fixtureSum{in.A + in.B, "世界😀"}, nil
	})
	mcp.AddTool(s, mcp.Tool{Name: "add", Description: "Adds, as a number"},
		func(_ context.Context, in fixturePair) (int, error) { return in.A + in.B, nil })
	mcp.AddTool(s, mcp.Tool{Name: "words", Description: "A list of words"},
		func(context.Context, fixtureNothing) ([]string, error) { return []string{"世界", "😀", "<&>"}, nil })
	mcp.AddTool(s, mcp.Tool{Name: "maybe", Description: "A sum or nothing"},
		func(_ context.Context, in struct {
			Give bool `json:"give"`
		},
		) (*fixtureSum, error) {
			if in.Give {
				return &fixtureSum{Sum: 1}, nil
			}
			return nil, nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "mixed", Description: "A value with content of its own"},
		func(context.Context, fixtureNothing) (mcp.Output[fixtureSum], error) {
			return mcp.Output[fixtureSum]{Value: fixtureSum{Sum: 2}, Content: []content.Block{content.NewText("two 世界")}}, nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "lean", Description: "Structured only", Output: mcp.OutputStructured},
		func(context.Context, fixtureNothing) (fixtureSum, error) { return fixtureSum{Sum: 3}, nil })
	mcp.AddTool(s, mcp.Tool{Name: "plain", Description: "Text only", Output: mcp.OutputText},
		func(context.Context, fixtureNothing) (fixtureSum, error) { return fixtureSum{Sum: 4}, nil })
	mcp.AddTool(s, mcp.Tool{Name: "void", Description: "Says nothing"},
		func(context.Context, fixtureNothing) (struct{}, error) { return struct{}{}, nil })
	mcp.AddTool(s, mcp.Tool{Name: "work", Description: "Reports progress and logs"}, work)
	mcp.AddRawTool(s, mcp.Tool{
		Name: "raw", Description: "Gives back its arguments",
		InputSchema: schema.Text(`{"type":"object","properties":{"n":{"type":"integer","default":7},"s":{"type":"string"}},"required":["s"]}`),
	}, func(_ context.Context, args json.RawMessage) (*mcp.ToolResult, error) {
		return &mcp.ToolResult{Structured: json.RawMessage(args), Meta: json.RawMessage(`{"example.com/took":"1 ms"}`)}, nil
	})
}

// work reports in steps, one of which goes backwards and is not sent.
func work(ctx context.Context, _ fixtureNothing) (string, error) {
	log := mcp.Logger(ctx)
	log.DebugContext(ctx, "begin", "step", 0)
	mcp.Progress(ctx, 1, 4, "half of 世界")
	mcp.Progress(ctx, 0.5, 4, "backwards")
	log.InfoContext(ctx, "between 😀", slog.Group("at", "step", 1))
	mcp.Progress(ctx, 2.5, 0, "")
	log.Log(ctx, mcp.LevelNotice, "notice")
	log.WarnContext(ctx, "nearly", "error", errors.New("ach"))
	log.Log(ctx, mcp.LevelEmergency, "emergency")
	return "done", nil
}

func addFixtureBlocks(s *mcp.Server) {
	wav, png := []byte("RIFF\x00\xff"), []byte("\x89PNG\r\n")
	size := int64(12)
	all := []content.Block{
		content.Text{Text: "a\u2028b\x01\t\"\\/ 世界😀", Annotations: &content.Annotations{
			Audience: []content.Role{content.RoleUser, content.RoleAssistant}, Priority: new(0.5), LastModified: "2025-01-12T15:00:58Z",
		}, Meta: json.RawMessage(`{"example.com/k":1}`)},
		content.PNG(png),
		content.Audio{Data: wav, MIMEType: "audio/wav"},
		content.Link{
			URI: "fixture://notes", Name: "notes", Title: "Notes 世界", Description: "All of them", MIMEType: "text/plain", Size: &size,
			Icons:       []content.Icon{{Source: "https://example.com/n.png"}},
			Annotations: &content.Annotations{Priority: new(1.0), LastModified: "2025-01-12T15:00:58Z"},
		},
		content.Embed(content.TextContents("fixture://世界", "text/plain", "Grüße 😀")),
		content.Embed(content.BlobContents("fixture://blob", "application/octet-stream", wav)),
	}
	mcp.AddTool(s, mcp.Tool{Name: "image", Description: "A picture"},
		func(context.Context, fixtureNothing) (content.Image, error) { return content.PNG(png), nil })
	mcp.AddTool(s, mcp.Tool{Name: "audio", Description: "A recording"},
		func(context.Context, fixtureNothing) (content.Audio, error) {
			return content.Audio{Data: wav, MIMEType: "audio/wav"}, nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "link", Description: "A link"},
		func(context.Context, fixtureNothing) (content.Link, error) {
			return content.NewLink("notes 世界", "fixture://notes"), nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "embedded", Description: "A resource in the result"},
		func(context.Context, fixtureNothing) (content.Embedded, error) {
			return content.Embed(content.TextContents("fixture://世界", "text/plain", "Grüße 😀")), nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "blocks", Description: "Every kind of block"},
		func(context.Context, fixtureNothing) ([]content.Block, error) { return all, nil })
	mcp.AddPrompt(s, mcp.Prompt{Name: "blocks", Description: "Every kind of block"},
		func(context.Context, fixtureNothing) ([]mcp.Message, error) {
			messages := []mcp.Message{mcp.AssistantText("世界")}
			for _, block := range all {
				messages = append(messages, mcp.Message{Role: content.RoleUser, Content: block})
			}
			return messages, nil
		})
}

func addFixtureFailures(s *mcp.Server) {
	fails := func(name, description string, err error) {
		mcp.AddTool(s, mcp.Tool{Name: name, Description: description},
			func(context.Context, fixtureNothing) (string, error) { return "", err })
	}
	fails("fail", "Fails", errors.New("the disk 世界 is full 😀"))
	fails("user_error", "Fails for the user to see", mcp.UserErrorf("pick another %s", "世界"))
	fails("refuse", "Refuses by the protocol", fmt.Errorf("wrapped: %w", &mcp.Error{
		Code: 4711, Message: "no 世界 today", Data: map[string]any{"why": "😀"},
	}))
	fails("reserved", "Uses a code that is not its own", &mcp.Error{Code: -32601, Message: "mine"})
	mcp.AddTool(s, mcp.Tool{Name: "panic", Description: "Panics"},
		func(context.Context, fixtureNothing) (string, error) { panic("a secret") })
	mcp.AddTool(s, mcp.Tool{Name: "needy", Description: "Needs a user", Needs: []mcp.Capability{mcp.CapabilityElicitation}},
		func(context.Context, fixtureNothing) (string, error) { return "asked nobody", nil })
	mcp.AddTool(s, mcp.Tool{Name: "liar", Description: "Breaks its own schema", OutputSchema: schema.Object().Prop("n", schema.Integer())},
		func(context.Context, fixtureNothing) (*mcp.ToolResult, error) {
			return &mcp.ToolResult{Structured: json.RawMessage(`{"n":"世界"}`)}, nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "handmade", Description: "An error by hand"},
		func(context.Context, fixtureNothing) (*mcp.ToolResult, error) {
			return &mcp.ToolResult{Content: []content.Block{content.NewText("by hand 世界")}, IsError: true}, nil
		})
}
