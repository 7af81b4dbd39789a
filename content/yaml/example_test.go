package yaml_test

import (
	"fmt"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/content/yaml"
)

func ExampleText() {
	blocks, _ := yaml.Text().Render(struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
		Zip  string   `json:"zip"`
	}{"Ann", []string{"new", "no"}, "0123"})
	fmt.Println(blocks[0].(content.Text).Text)
	// Output:
	// name: Ann
	// tags:
	// - new
	// - "no"
	// zip: "0123"
}
