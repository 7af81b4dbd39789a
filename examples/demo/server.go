package main

import (
	"context"
	"log/slog"
	"os"
	"strings"

	"github.com/bowline-go/mcp"
)

func newServer() *mcp.Server {
	server := mcp.NewServer("bowline-demo", "0.1.0", &mcp.Options{
		Title:        "Bowline demo",
		Logger:       slog.New(slog.NewTextHandler(os.Stderr, nil)), // what panics; standard output is the protocol's
		Instructions: "A server to try things on: echo repeats, add adds, picture draws, fail fails, slow takes its time; greet_user, delete_note and plan_trip ask the user, summarize asks the client's model, list_roots asks for its folders. The resource demo://greeting says hello.",
	})
	addTools(server)
	addAskingTools(server)
	mcp.AddPrompt(server, mcp.Prompt{Name: "greet", Title: "Greeting", Description: "Greet somebody by name"}, greet)
	mcp.AddFixedResource(server, mcp.Resource{
		URI: "demo://greeting", Name: "greeting", Description: "A friendly word", MIMEType: "text/plain",
	}, "Hello from Bowline. 你好, 世界! 😀")
	mcp.AddTemplate(server, mcp.ResourceTemplate{
		URITemplate: "demo://shout/{text}", Name: "shout", Description: "The text in capitals", MIMEType: "text/plain",
		Complete: map[string]mcp.Completer{"text": mcp.CompleteFrom("hello", "hey", "hooray", "world")},
	}, func(_ context.Context, v shout) (string, error) { return strings.ToUpper(v.Text), nil })
	return server
}

type shout struct {
	Text string `json:"text"`
}

type greeting struct {
	Name  string `json:"name" doc:"Who is greeted"`
	Style string `json:"style,omitempty" doc:"How" enum:"formal,casual"`
}

func greet(_ context.Context, in greeting) ([]mcp.Message, error) {
	if in.Style == "formal" {
		return []mcp.Message{mcp.UserText("Write a formal greeting to " + in.Name + ".")}, nil
	}
	return []mcp.Message{mcp.UserText("Say hello to " + in.Name + "!")}, nil
}
