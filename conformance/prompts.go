package main

import (
	"context"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

type promptArgs struct {
	Arg1 string `json:"arg1" doc:"First test argument"`
	Arg2 string `json:"arg2" doc:"Second test argument"`
}

type resourceArgs struct {
	ResourceURI string `json:"resourceUri" doc:"URI of the resource to embed"`
}

type contextForm struct {
	Context string `json:"context" doc:"What the prompt is about"`
}

func addPrompts(r mcp.Registrar) {
	mcp.AddPrompt(r, mcp.Prompt{Name: "test_simple_prompt", Description: "One message"},
		func(context.Context, none) (string, error) { return "This is a simple prompt for testing.", nil })
	mcp.AddPrompt(r, mcp.Prompt{
		Name: "test_prompt_with_arguments", Description: "One message with two arguments",
		Complete: map[string]mcp.Completer{"arg1": mcp.CompleteFrom("test-value-1", "test-value-2")},
	}, func(_ context.Context, in promptArgs) (string, error) {
		return fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", in.Arg1, in.Arg2), nil
	})
	mcp.AddPrompt(r, mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "A resource and a question about it"},
		func(_ context.Context, in resourceArgs) ([]mcp.Message, error) {
			resource := content.TextContents(in.ResourceURI, "text/plain", "Embedded resource content for testing.")
			return []mcp.Message{
				{Role: content.RoleUser, Content: content.Embed(resource)},
				mcp.UserText("Please process the embedded resource above."),
			}, nil
		})
	mcp.AddPrompt(r, mcp.Prompt{Name: "test_prompt_with_image", Description: "A picture and a question about it"},
		func(context.Context, none) ([]mcp.Message, error) {
			return []mcp.Message{
				{Role: content.RoleUser, Content: content.PNG(pixel())},
				mcp.UserText("Please analyze the image above."),
			}, nil
		})
	mcp.AddPrompt(r, mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks the user for a context first"},
		func(ctx context.Context, _ none) (string, error) {
			answer, err := mcp.Ask[contextForm](ctx, "user_context", "What context should the prompt use?")
			return "Use this context: " + answer.Context, err
		})
}
