package main

import (
	"context"

	"github.com/bowline-go/mcp"
)

// addTriggers are the tools that change a list while clients listen. They replace its last entry by one like it, so that
// the lists are the same for every scenario.
func addTriggers(server *mcp.Server) {
	change := func(edit func(c *mcp.Change)) func(ctx context.Context, _ none) (string, error) {
		return func(ctx context.Context, _ none) (string, error) { return "Changed", server.Change(ctx, edit) }
	}
	mcp.AddTool(server, mcp.Tool{Name: "test_trigger_tool_change", Description: "Changes the list of tools"},
		change(func(c *mcp.Change) {
			c.Remove(mcp.ToolItem(changingName))
			addChangingTool(c)
		}))
	mcp.AddTool(server, mcp.Tool{Name: "test_trigger_prompt_change", Description: "Changes the list of prompts"},
		change(func(c *mcp.Change) {
			c.Remove(mcp.PromptItem(changingName))
			addChangingPrompt(c)
		}))
	addChangingTool(server)
	addChangingPrompt(server)
}

const changingName = "test_changing_entry"

func addChangingTool(r mcp.Registrar) {
	mcp.AddTool(r, mcp.Tool{Name: changingName, Description: "Is replaced whenever the list changes"},
		func(context.Context, none) (string, error) { return "still here", nil })
}

func addChangingPrompt(r mcp.Registrar) {
	mcp.AddPrompt(r, mcp.Prompt{Name: changingName, Description: "Is replaced whenever the list changes"},
		func(context.Context, none) (string, error) { return "still here", nil })
}
