package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
)

type nameForm struct {
	Name string `json:"name" doc:"Your name"`
}

type confirmForm struct {
	OK bool `json:"ok" doc:"Whether to go on"`
}

type colorForm struct {
	Color string `json:"color" doc:"A color"`
}

// addRoundTools are the tools that a client of the modern revision calls again with its answers.
func addRoundTools(r mcp.Registrar) {
	add := func(name, description string, handle func(ctx context.Context) (string, error)) {
		mcp.AddTool(r, mcp.Tool{Name: "test_input_required_result_" + name, Description: description},
			func(ctx context.Context, _ none) (string, error) { return handle(ctx) })
	}
	add("elicitation", "Asks the user for a name", greeted)
	add("sampling", "Asks the client's model about a capital", func(ctx context.Context) (string, error) {
		return completed(ctx, "capital_question", "What is the capital of France?", 100)
	})
	add("list_roots", "Asks the client for its roots", listed)
	add("request_state", "Asks for a confirmation and carries state", func(ctx context.Context) (string, error) {
		_, err := mcp.Ask[confirmForm](ctx, "confirm", "Please confirm")
		return "state-ok", err
	})
	add("multiple_inputs", "Asks three things at once", threeAtOnce)
	add("multi_round", "Asks one thing after the other", twoRounds)
	add("tampered_state", "Asks for a confirmation and refuses foreign state", func(ctx context.Context) (string, error) {
		_, err := mcp.Ask[confirmForm](ctx, "confirm", "Please confirm")
		return "state is intact", err
	})
	add("capabilities", "Asks only what the client can be asked", capable)
}

func greeted(ctx context.Context) (string, error) {
	answer, err := mcp.Ask[nameForm](ctx, "user_name", "What is your name?")
	return "Hello, " + answer.Name + "!", err
}

func completed(ctx context.Context, key, prompt string, maxTokens int) (string, error) {
	answer, err := sampling.Create(ctx, key, sampling.Params{
		Messages: []sampling.Message{sampling.UserText(prompt)}, MaxTokens: maxTokens,
	})
	if err != nil {
		return "", err
	}
	return answer.Text(), nil
}

func listed(ctx context.Context) (string, error) {
	list, err := roots.List(ctx, "client_roots")
	return fmt.Sprintf("The client has %d roots: %v", len(list), list), err
}

func threeAtOnce(ctx context.Context) (string, error) {
	hello, err1 := greeted(ctx)
	greeting, err2 := completed(ctx, "greeting", "Generate a greeting", 50)
	list, err3 := listed(ctx)
	return hello + " " + greeting + " " + list, errors.Join(err1, err2, err3)
}

func twoRounds(ctx context.Context) (string, error) {
	who, err := mcp.Ask[nameForm](ctx, "step1", "Step 1: What is your name?")
	if err != nil {
		return "", err
	}
	what, err := mcp.Ask[colorForm](ctx, "step2", "Step 2: What is your favorite color?")
	return who.Name + " likes " + what.Color, err
}

func capable(ctx context.Context) (string, error) {
	var errs []error
	request := mcp.RequestFrom(ctx)
	if request.Supports(mcp.CapabilitySampling) {
		_, err := completed(ctx, "capital_question", "What is the capital of France?", 100)
		errs = append(errs, err)
	}
	if request.Supports(mcp.CapabilityElicitation) {
		_, err := greeted(ctx)
		errs = append(errs, err)
	}
	if request.Supports(mcp.CapabilityRoots) {
		_, err := listed(ctx)
		errs = append(errs, err)
	}
	return "Asked everything that the client can be asked", errors.Join(errs...)
}
