package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

type greetIn struct {
	Name string `json:"name" doc:"Whom 世界"`
	Mood string `json:"mood,omitempty"`
}

func greetTo(_ context.Context, in greetIn) (string, error) {
	return strings.TrimSpace("Greet " + in.Name + " " + in.Mood), nil
}

func prompt[Args, Out any](name string, get func(context.Context, Args) (Out, error)) func(*mcp.Server) {
	return func(s *mcp.Server) { mcp.AddPrompt(s, mcp.Prompt{Name: name, Description: "About 😀"}, get) }
}

func getPrompt(id, name, arguments string) string {
	params := `"name":` + quoted(name)
	if arguments != "" {
		params += `,"arguments":` + arguments
	}
	return modern(id, "prompts/get", params)
}

// gave is a whole result of prompts/get with messages.
func gave(id, messages string) string {
	return done(id, `"description":"About 😀","messages":[`+messages+`]`)
}

func TestPromptResultsOfEveryKind(t *testing.T) {
	const user = `{"role":"user","content":{"type":"text","text":"世界😀"}}`
	const assistant = `{"role":"assistant","content":{"type":"text","text":"世界😀"}}`
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		want     string
	}{
		{"a string is a message of the user", prompt("p", func(context.Context, struct{}) (string, error) { return "世界😀", nil }), gave("1", user)},
		{"one message", prompt("p", func(context.Context, struct{}) (mcp.Message, error) { return mcp.AssistantText("世界😀"), nil }), gave("1", assistant)},
		{"several messages", prompt("p", func(context.Context, struct{}) ([]mcp.Message, error) {
			return []mcp.Message{mcp.UserText("世界😀"), mcp.AssistantText("世界😀")}, nil
		}), gave("1", user+","+assistant)},
		{"a result by hand keeps the description unless it has one", prompt("p", func(context.Context, struct{}) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Messages: []mcp.Message{mcp.UserText("世界😀")}}, nil
		}), gave("1", user)},
		{"a result by hand with a description", prompt("p", func(context.Context, struct{}) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Description: "Other", Messages: []mcp.Message{mcp.UserText("世界😀")}}, nil
		}), done("1", `"description":"Other","messages":[`+user+`]`)},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			wantReply(t, talkTo(t, testServer(nil, c.register)).send(getPrompt("1", "p", "")), c.want)
		})
	}
}

func TestPromptResultsThatAreNone(t *testing.T) {
	cases := []struct {
		rule string
		get  func(context.Context, struct{}) (*mcp.PromptResult, error)
		text string
	}{
		{"no result", func(context.Context, struct{}) (*mcp.PromptResult, error) { return nil, nil }, "neither messages nor an error"},
		{"no messages", func(context.Context, struct{}) (*mcp.PromptResult, error) { return &mcp.PromptResult{}, nil }, "no messages"},
		{"a role of its own", func(context.Context, struct{}) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Messages: []mcp.Message{{Role: "system", Content: content.NewText("x")}}}, nil
		}, `the role \"system\"`},
		{"a message without content", func(context.Context, struct{}) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Messages: []mcp.Message{{Role: content.RoleUser}}}, nil
		}, "no content"},
		{"a handler that fails", func(context.Context, struct{}) (*mcp.PromptResult, error) { return nil, errors.New("no muse 世界") }, "Prompt handler failed: no muse 世界"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			k := talkTo(t, testServer(nil, prompt("p", c.get)))
			got := k.send(getPrompt("1", "p", ""))
			wantError(t, got, "1", -32603, c.text)
			if got.status != 200 || got.refused {
				t.Errorf("status %d, refused %v", got.status, got.refused)
			}
		})
	}
}

func TestPromptArgumentsAreCheckedInEveryRevision(t *testing.T) {
	server := testServer(nil, prompt("greet", greetTo))
	cases := []struct{ rule, params, text string }{
		{"no name", `"arguments":{}`, "missing name"},
		{"a name that is no string", `"name":7`, "name must be a string"},
		{"an unknown prompt", `"name":"世界"`, "unknown prompt: 世界"},
		{"names are case-sensitive", `"name":"Greet","arguments":{"name":"x"}`, "unknown prompt: Greet"},
		{"arguments that are no object", `"name":"greet","arguments":[]`, "arguments must be an object"},
		{"arguments that are null", `"name":"greet","arguments":null`, "arguments must be an object"},
		{"a missing argument", `"name":"greet","arguments":{}`, `missing required argument \"name\"`},
		{"no arguments at all", `"name":"greet"`, `missing required argument \"name\"`},
		{"an unknown argument", `"name":"greet","arguments":{"name":"x","naem":"y"}`, "naem"},
		{"an argument that is no string", `"name":"greet","arguments":{"name":{}}`, "arguments.name"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			wantError(t, talkTo(t, server).send(modern("1", "prompts/get", c.params)), "1", -32602, c.text)
			for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
				wantError(t, legacyTalk(t, server, revision).send(request("1", "prompts/get", c.params)), "1", -32602, c.text)
			}
		})
	}
	wantReply(t, talkTo(t, server).send(getPrompt("1", "greet", `{"name":"世界😀","mood":"gladly"}`)),
		gave("1", `{"role":"user","content":{"type":"text","text":"Greet 世界😀 gladly"}}`))
}

func TestPromptsCarryNoCacheHints(t *testing.T) {
	got := talkTo(t, testServer(nil, prompt("greet", greetTo))).send(getPrompt("1", "greet", `{"name":"x"}`))
	if strings.Contains(got.reply, "ttlMs") || strings.Contains(got.reply, "cacheScope") {
		t.Error(got.reply)
	}
}
