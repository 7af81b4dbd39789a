package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/sampling"
)

type promptIn struct {
	Prompt string `json:"prompt" doc:"What the model is asked"`
}

type messageIn struct {
	Message string `json:"message" doc:"What the user is asked"`
}

type person struct {
	Username string `json:"username" doc:"User's response"`
	Email    string `json:"email" doc:"User's email address"`
}

// filledIn is a form in which every field has a default.
type filledIn struct {
	Name     string  `json:"name" doc:"User name" default:"John Doe"`
	Age      int     `json:"age" doc:"User age" default:"30"`
	Score    float64 `json:"score" doc:"User score" default:"95.5"`
	Status   string  `json:"status" doc:"User status" enum:"active,inactive,pending" default:"active"`
	Verified bool    `json:"verified" doc:"Verification status" default:"true"`
}

// choices is a form with every kind of choice. The third is the old way of giving titles, which a Go type cannot ask for.
const choices = `{
	"type": "object",
	"properties": {
		"untitledSingle": {"type": "string", "description": "Select one option", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "description": "Select one option with titles", "oneOf": [
			{"const": "value1", "title": "First Option"},
			{"const": "value2", "title": "Second Option"},
			{"const": "value3", "title": "Third Option"}]},
		"legacyEnum": {"type": "string", "description": "Select one option", "enum": ["opt1", "opt2", "opt3"],
			"enumNames": ["Option One", "Option Two", "Option Three"]},
		"untitledMulti": {"type": "array", "description": "Select several options", "minItems": 1, "maxItems": 3,
			"items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "description": "Select several options with titles", "minItems": 1, "maxItems": 3,
			"items": {"anyOf": [
				{"const": "value1", "title": "First Choice"},
				{"const": "value2", "title": "Second Choice"},
				{"const": "value3", "title": "Third Choice"}]}}
	}
}`

// addAskingTools are the tools that ask the client one thing. They do so in every revision.
func addAskingTools(r mcp.Registrar) {
	mcp.AddTool(r, mcp.Tool{Name: "test_sampling", Description: "Asks the client's model"},
		func(ctx context.Context, in promptIn) (string, error) {
			answer, err := sampling.Create(ctx, "prompt", sampling.Params{
				Messages: []sampling.Message{sampling.UserText(in.Prompt)}, MaxTokens: 100,
			})
			if err != nil {
				return "", err
			}
			return "LLM response: " + answer.Text(), nil
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_elicitation", Description: "Asks the user for a name and an address"},
		func(ctx context.Context, in messageIn) (string, error) {
			return described(mcp.Ask[person](ctx, "person", in.Message))
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_elicitation_sep1034_defaults", Description: "Asks the user, with a default in every field"},
		func(ctx context.Context, _ none) (string, error) {
			return described(mcp.Ask[filledIn](ctx, "values", "Please review and update the form fields with defaults"))
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_elicitation_sep1330_enums", Description: "Asks the user, with every kind of choice"},
		func(ctx context.Context, _ none) (string, error) {
			return described(mcp.AskRaw(ctx, "choices", "elicitation/create", map[string]any{
				"message": "Please select options from the enum fields", "requestedSchema": json.RawMessage(choices),
			}))
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_streaming_elicitation", Description: "Asks the user while the client may stream"},
		func(ctx context.Context, _ none) (string, error) {
			return described(mcp.Ask[nameForm](ctx, "user_name", "What is your name?"))
		})
}

// described is what the user filled in, as a text.
func described[T any](answer T, err error) (string, error) {
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(answer)
	return fmt.Sprintf("Elicitation completed: %s", text), err
}
