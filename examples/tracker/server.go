package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/bowline-go/mcp"
)

// tracker is the server with its data. The caller of a request is whom the middleware in front has let in.
type tracker struct {
	*store
	server *mcp.Server
}

func newServer(options *mcp.Options) *mcp.Server {
	t := &tracker{newStore(), mcp.NewServer("tracker", "0.1.0", options)}
	mcp.AddTool(t.server, mcp.Tool{Name: "create_issue", Description: "Create an issue"}, t.create)
	mcp.AddTool(t.server, mcp.Tool{Name: "list_issues", Description: "List the caller's issues", ReadOnly: new(true)}, t.list)
	mcp.AddTool(t.server, mcp.Tool{
		Name: "delete_issue", Description: "Delete an issue, if the user agrees", Destructive: new(true),
		Needs: []mcp.Capability{mcp.CapabilityElicitation},
	}, t.delete)
	mcp.AddTemplate(t.server, mcp.ResourceTemplate{
		URITemplate: "issue://{id}", Name: "issue", Description: "An issue",
		Complete: map[string]mcp.Completer{"id": t.numbers},
	}, t.read)
	mcp.AddPrompt(t.server, mcp.Prompt{
		Name: "triage", Description: "Decide what becomes of an issue",
		Complete: map[string]mcp.Completer{"id": t.numbers},
	}, t.triage)
	return t.server
}

func caller(ctx context.Context) string { return mcp.RequestFrom(ctx).Caller().ID }

type newIssue struct {
	Title string `json:"title" doc:"What it is about, in a sentence" minLength:"3" maxLength:"200"`
}

func (t *tracker) create(ctx context.Context, in newIssue) (issue, error) {
	return t.add(caller(ctx), in.Title), nil
}

func (t *tracker) list(ctx context.Context, _ struct{}) ([]issue, error) {
	return t.all(caller(ctx)), nil
}

type oneIssue struct {
	ID int `json:"id" doc:"The number of the issue" min:"1"`
}

type agreement struct {
	Sure bool `json:"sure" doc:"Yes, delete it"`
}

func (t *tracker) delete(ctx context.Context, in oneIssue) (string, error) {
	found, ok := t.find(caller(ctx), in.ID)
	if !ok {
		return "", mcp.UserErrorf("there is no issue %d; list_issues tells those that there are", in.ID)
	}
	// What stands before the question runs once a round. What changes something stands behind it.
	answer, err := mcp.Ask[agreement](ctx, "sure", fmt.Sprintf("Delete issue %d, %s?", in.ID, found.Title))
	if err != nil || !answer.Sure {
		return "Nothing was deleted.", err
	}
	if !t.remove(caller(ctx), in.ID) {
		return "Somebody else has deleted it.", nil
	}
	return "Deleted.", t.server.ResourceUpdated(ctx, "issue://"+strconv.Itoa(in.ID))
}

func (t *tracker) read(ctx context.Context, in oneIssue) (issue, error) {
	found, ok := t.find(caller(ctx), in.ID)
	if !ok {
		return issue{}, mcp.ErrNotFound
	}
	return found, nil
}

type triage struct {
	ID   int    `json:"id" doc:"The number of the issue"`
	Tone string `json:"tone" doc:"How to write" enum:"friendly,strict" default:"friendly"`
}

func (t *tracker) triage(ctx context.Context, in triage) (string, error) {
	found, ok := t.find(caller(ctx), in.ID)
	if !ok {
		return "", mcp.UserErrorf("there is no issue %d", in.ID)
	}
	return fmt.Sprintf("Decide what becomes of issue %d and write a %s answer: %s", in.ID, in.Tone, found.Title), nil
}

// numbers proposes numbers of the caller's own issues.
func (t *tracker) numbers(ctx context.Context, typed string, _ map[string]string) (proposals []string, err error) {
	for _, i := range t.all(caller(ctx)) {
		if number := strconv.Itoa(i.ID); strings.HasPrefix(number, typed) {
			proposals = append(proposals, number)
		}
	}
	return proposals, nil
}
