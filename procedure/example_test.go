package procedure_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
	"github.com/bowline-go/mcp/stdio"
)

// Two tables, joined by name: the functions, and what a model is told of them.
func Example() {
	var table procedure.Table
	err := errors.Join(
		table.Register("add", func(a, b int) int { return a + b }),
		table.Register("greet", func(ctx context.Context, name string, times *int) (string, error) {
			if times != nil && *times > 3 {
				return "", errors.New("three times is enough")
			}
			return "Hello, " + name + "!", nil
		}),
	)

	declaration := procedure.NewDeclaration("calc", "1.0.0")
	declaration.AddTool(mcp.Tool{Name: "add", Description: "Add two integers"}).
		Param("a", schema.Integer(), "First operand").
		Param("b", schema.Integer(), "Second operand")
	declaration.AddTool(mcp.Tool{Name: "greet", Description: "Greet somebody"}).
		Param("name", schema.String(), "Who is greeted").
		Param("times", schema.Integer(), "How often").Optional("times")

	if err := errors.Join(err, declaration.Verify(&table)); err != nil {
		log.Fatal(err)
	}
	server := procedure.NewServer(declaration, &table, &mcp.Options{Legacy: mcp.LegacySessionless})

	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"b":7}}}`)
	if err := stdio.ServeStream(context.Background(), server, in, os.Stdout, nil); err != nil {
		log.Fatal(err)
	}
	// Output: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"13"}],"isError":false}}
}

// What does not go together is reported before anybody calls.
func ExampleDeclaration_Verify() {
	var table procedure.Table
	if err := table.Register("resize", func(width int, unit string) {}); err != nil {
		log.Fatal(err)
	}
	declaration := procedure.NewDeclaration("images", "1.0.0")
	declaration.AddTool(mcp.Tool{Name: "resize", Description: "Resize the image"}).
		Param("unit", schema.Enum("px", "mm"), "").
		Param("width", schema.Integer(), "")
	declaration.AddTool(mcp.Tool{Name: "crop", Description: "Crop the image"})
	fmt.Println(declaration.Verify(&table))
	// Output:
	// example_test.go:58: tool "resize": parameter "unit" and parameter 1 of the procedure (int): the schema has string, but the Go type holds integer; change one of the two
	// example_test.go:58: tool "resize": parameter "width" and parameter 2 of the procedure (string): the schema has integer, but the Go type holds string; change one of the two
	// example_test.go:61: tool "crop": no procedure has this name; register one with Table.Register
}

// A renderer of one's own is a function from a value to content blocks.
func ExampleTool_Render() {
	markdown := content.RendererFunc(func(v any) ([]content.Block, error) {
		rows, ok := v.([][]string)
		if !ok {
			return nil, fmt.Errorf("expected a table, got %T", v)
		}
		var text strings.Builder
		for _, row := range rows {
			text.WriteString("| " + strings.Join(row, " | ") + " |\n")
		}
		return []content.Block{content.NewText(text.String())}, nil
	})
	declaration := procedure.NewDeclaration("report", "1.0.0")
	declaration.AddTool(mcp.Tool{Name: "sales", Description: "The sales of a year"}).
		Param("year", schema.Integer().Min(2000), "Which year").
		Render(markdown)
}
