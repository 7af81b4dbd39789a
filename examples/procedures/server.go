package main

import (
	"errors"
	"log/slog"
	"os"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/content/yaml"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

// newServer joins the two tables by name: what there is to call, and what a model is told of it.
func newServer() (*mcp.Server, error) {
	table, declaration := new(procedure.Table), declare()
	err := errors.Join(
		table.Register("add", func(a, b int) int { return a + b }),
		table.Register("echo", func(message string) string { return message }),
		table.Register("divide", divide),
		table.Register("count_words", countWords),
		table.Register("draw_gradient", drawGradient),
		table.RegisterAsync("remind", remind),
	)
	if err := errors.Join(err, declaration.Verify(table)); err != nil {
		return nil, err
	}
	return procedure.NewServer(declaration, table, &mcp.Options{
		Title:  "Bowline procedures",
		Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)), // what panics; standard output is the protocol's
		// Clients that know no handshake are served as well.
		Legacy: mcp.LegacySessionless,
	}), nil
}

func declare() *procedure.Declaration {
	d := procedure.NewDeclaration("bowline-procedures", "0.1.0")
	d.AddTool(mcp.Tool{Name: "add", Description: "Add two integers", ReadOnly: new(true)}).
		Param("a", schema.Integer(), "First operand").
		Param("b", schema.Integer(), "Second operand")
	d.AddTool(mcp.Tool{Name: "echo", Description: "Echo a string", ReadOnly: new(true)}).
		Param("message", schema.String(), "The message to echo")
	d.AddTool(mcp.Tool{Name: "divide", Description: "Divide with a remainder", ReadOnly: new(true)}).
		Param("dividend", schema.Integer(), "What is divided").
		Param("divisor", schema.Integer(), "What it is divided by, not 0").
		Results("quotient", "remainder")
	d.AddTool(mcp.Tool{Name: "count_words", Description: "Count the words of a text, the most frequent first", ReadOnly: new(true)}).
		Param("text", schema.String(), "The text").
		Param("most", schema.Integer().Min(1).Max(100), "How many words are listed; all when it is left out").
		Optional("most").
		Render(yaml.Text())
	d.AddTool(mcp.Tool{Name: "draw_gradient", Description: "Draw a square with a gradient", ReadOnly: new(true)}).
		Param("size", schema.Integer().Min(1).Max(4096).Default(64), "Width and height in pixels").
		Optional("size").
		Render(content.ImageOf("image/png"))
	d.AddTool(mcp.Tool{Name: "remind", Description: "Say something after a while; can be cancelled"}).
		Param("message", schema.String(), "What is said").
		Param("seconds", schema.Integer().Min(0).Max(60), "When")
	return d
}
