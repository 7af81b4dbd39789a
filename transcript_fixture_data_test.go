package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

type fixtureShout struct {
	Text string `json:"text"`
}

type fixtureUser struct {
	ID   int    `json:"id"`
	Part string `json:"part" enum:"name,avatar,日誌"`
}

func addFixtureResources(s *mcp.Server) {
	mcp.AddFixedResource(s, mcp.Resource{
		URI: "fixture://notes", Name: "notes", Title: "Notes 世界", Description: "What was noted 😀", MIMEType: "text/markdown", Size: 9,
		Icons: []mcp.Icon{{Source: "https://example.com/n.png"}},
		Annotations: &content.Annotations{
			Audience: []content.Role{content.RoleUser}, Priority: new(0.25), LastModified: "2025-01-12T15:00:58Z",
		},
		Meta: json.RawMessage(`{"example.com/owner":"世界"}`),
	}, "# 世界 😀")
	mcp.AddResource(s, mcp.Resource{URI: "fixture://state", Name: "state", Cache: mcp.Cache{TTL: 1500e6, Public: true}},
		func(context.Context) (map[string]any, error) { return map[string]any{"b": "世界", "a": 1}, nil })
	mcp.AddResource(s, mcp.Resource{URI: "fixture://blob", Name: "blob"},
		func(context.Context) ([]byte, error) { return []byte("\x00\xff世"), nil })
	mcp.AddResource(s, mcp.Resource{URI: "fixture://stream", Name: "stream", MIMEType: "application/x-stream"},
		func(context.Context) (*strings.Reader, error) { return strings.NewReader("streamed"), nil })
	mcp.AddResource(s, mcp.Resource{URI: "fixture://parts", Name: "parts"},
		func(context.Context) (*mcp.ReadResult, error) {
			return &mcp.ReadResult{Contents: []mcp.Contents{
				{Text: "one", MIMEType: "text/plain", Meta: json.RawMessage(`{"example.com/n":1}`)},
				content.BlobContents("fixture://parts/2", "", nil),
			}, Meta: json.RawMessage(`{"example.com/parts":2}`)}, nil
		})
	mcp.AddResource(s, mcp.Resource{URI: "fixture://gone", Name: "gone"},
		func(context.Context) (string, error) { return "", fmt.Errorf("世界: %w", mcp.ErrNotFound) })
	mcp.AddResource(s, mcp.Resource{URI: "fixture://moved", Name: "moved"},
		func(context.Context) (string, error) { return "", mcp.NotFound("fixture://世界") })
	mcp.AddResource(s, mcp.Resource{URI: "fixture://broken", Name: "broken"},
		func(context.Context) (string, error) { return "", errors.New("the disk 世界 is full") })
	mcp.AddResource(s, mcp.Resource{URI: "fixture://世界/😀", Name: "unicode"},
		func(context.Context) (string, error) { return "Grüße", nil })
	mcp.AddTemplate(s, mcp.ResourceTemplate{
		URITemplate: "fixture://shout/{text}", Name: "shout", Title: "Shout 世界", Description: "Upper case 😀", MIMEType: "text/plain",
		Icons: []mcp.Icon{{Source: "https://example.com/s.png"}}, Annotations: &content.Annotations{Priority: new(0.5), LastModified: "2025-01-12T15:00:58Z"},
		Meta:     json.RawMessage(`{"example.com/loud":true}`),
		Complete: map[string]mcp.Completer{"text": mcp.CompleteFrom("hello", "Hélène", "世界", "😀")},
	}, func(_ context.Context, v fixtureShout) (string, error) { return strings.ToUpper(v.Text), nil })
	mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "fixture://users/{id}/{part}", Name: "users"},
		func(_ context.Context, v fixtureUser) (fixtureUser, error) { return v, nil })
}

type fixtureGreet struct {
	Name string `json:"name" doc:"Whom to greet, such as 世界"`
	Mood string `json:"mood,omitempty" doc:"How" enum:"glad,gloomy"`
	City string `json:"city,omitempty"`
}

func addFixturePrompts(s *mcp.Server) {
	mcp.AddPrompt(s, mcp.Prompt{
		Name: "greet", Title: "Greet 世界", Description: "Greets somebody 😀",
		Icons:    []mcp.Icon{{Source: "https://example.com/g.png"}},
		Meta:     json.RawMessage(`{"example.com/kind":"世界"}`),
		Complete: map[string]mcp.Completer{"name": manyNames, "city": citiesOf},
	}, func(_ context.Context, in fixtureGreet) ([]mcp.Message, error) {
		return []mcp.Message{
			mcp.UserText(strings.TrimSpace("Greet " + in.Name + " " + in.Mood)),
			mcp.AssistantText("世界 😀"),
		}, nil
	})
	mcp.AddPrompt(s, mcp.Prompt{Name: "handmade", Description: "A prompt by hand"},
		func(context.Context, fixtureNothing) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{
				Description: "made by hand 世界", Messages: []mcp.Message{mcp.UserText("hand")}, Meta: json.RawMessage(`{"example.com/n":1}`),
			}, nil
		})
	mcp.AddPrompt(s, mcp.Prompt{Name: "count", Description: "Takes a number"},
		func(_ context.Context, in struct {
			N int `json:"n" min:"1"`
		},
		) (string, error) {
			return fmt.Sprint(in.N), nil
		})
	mcp.AddPrompt(s, mcp.Prompt{Name: "broken", Description: "Fails"},
		func(context.Context, fixtureNothing) (string, error) { return "", errors.New("no muse 世界") })
}

// manyNames has more values than a completion may hold.
func manyNames(_ context.Context, value string, _ map[string]string) ([]string, error) {
	if value == "broken" {
		return nil, errors.New("no names 世界")
	}
	if value != "" {
		return []string{value + " 世界", value + " 😀"}, nil
	}
	names := make([]string, 120)
	for i := range names {
		names[i] = fmt.Sprintf("n%03d", i)
	}
	return names, nil
}

// citiesOf depends on what is settled already.
func citiesOf(_ context.Context, value string, known map[string]string) ([]string, error) {
	return []string{value + known["name"]}, nil
}
