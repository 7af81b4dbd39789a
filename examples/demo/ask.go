package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
)

// addAskingTools are the tools that ask the client something before they answer.
func addAskingTools(r mcp.Registrar) {
	mcp.AddTool(r, mcp.Tool{
		Name: "greet_user", Description: "Ask the user for a name and greet them", ReadOnly: new(true),
	}, greetUser)
	mcp.AddTool(r, mcp.Tool{
		Name: "delete_note", Description: "Delete a note, if the user agrees; a play, nothing is lost", Destructive: new(true),
	}, deleteNote)
	mcp.AddTool(r, mcp.Tool{
		Name: "plan_trip", Description: "Plan a trip in two rounds of questions to the user", ReadOnly: new(true),
	}, planTrip)
	mcp.AddTool(r, mcp.Tool{
		Name: "summarize", Description: "Have the client's model summarize a text", ReadOnly: new(true),
		Needs: []mcp.Capability{mcp.CapabilitySampling},
	}, summarize)
	mcp.AddTool(r, mcp.Tool{
		Name: "list_roots", Description: "List the folders that the client shares", ReadOnly: new(true),
		Needs: []mcp.Capability{mcp.CapabilityRoots},
	}, listRoots)
}

type who struct {
	Name string `json:"name" doc:"The name to greet"`
}

func greetUser(ctx context.Context, _ struct{}) (string, error) {
	in, err := mcp.Ask[who](ctx, "who", "Who should be greeted?")
	if errors.Is(err, mcp.ErrDeclined) || errors.Is(err, mcp.ErrDismissed) {
		in.Name, err = "stranger", nil
	}
	return "Hello, " + in.Name + "!", err
}

type note struct {
	Name string `json:"name" doc:"Which note"`
}

type confirm struct {
	Sure bool `json:"sure" doc:"Yes, do it"`
}

func deleteNote(ctx context.Context, in note) (string, error) {
	if answer, err := mcp.Ask[confirm](ctx, "sure", "Delete the note "+in.Name+"?"); err != nil || !answer.Sure {
		return "Nothing was deleted.", err
	}
	return "Deleted " + in.Name + ".", nil
}

type destination struct {
	City string `json:"city" doc:"Where to" enum:"Lisbon,Kyoto,Oslo"`
}

type party struct {
	People int `json:"people" doc:"How many" min:"1" max:"9" default:"2"`
}

// planTrip asks two things at once, and a third that depends on them.
func planTrip(ctx context.Context, _ struct{}) (string, error) {
	to, err1 := mcp.Ask[destination](ctx, "to", "Where do you want to go?")
	with, err2 := mcp.Ask[party](ctx, "with", "How many of you?")
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	price, err := mcp.Remember(ctx, "price", func(context.Context) (int, error) {
		return with.People * 100 * len(to.City), nil // a search that should not run once a round
	})
	if err != nil {
		return "", err
	}
	answer, err := mcp.Ask[confirm](ctx, "book", fmt.Sprintf("Book %s for %d, at %d€?", to.City, with.People, price))
	if err != nil || !answer.Sure {
		return "Nothing was booked.", err
	}
	return fmt.Sprintf("Booked %s for %d, at %d€.", to.City, with.People, price), nil
}

type text struct {
	Text string `json:"text" doc:"What to summarize" minLength:"1"`
}

func summarize(ctx context.Context, in text) (string, error) {
	result, err := sampling.Create(ctx, "summary", sampling.Params{
		Messages:  []sampling.Message{sampling.UserText("Summarize in one sentence: " + in.Text)},
		MaxTokens: 200,
	})
	if err != nil {
		return "", err
	}
	return result.Text(), nil
}

func listRoots(ctx context.Context, _ struct{}) (string, error) {
	list, err := roots.List(ctx, "roots")
	if err != nil {
		return "", err
	}
	uris := make([]string, len(list))
	for i, root := range list {
		uris[i] = root.URI
	}
	return strings.Join(uris, "\n"), nil
}
