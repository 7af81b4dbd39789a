package procedure

import (
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

var (
	byHandType = reflect.TypeFor[*mcp.ToolResult]()
	blockType  = reflect.TypeFor[content.Block]()
	blocksType = reflect.TypeFor[[]content.Block]()
	bytesType  = reflect.TypeFor[[]byte]()
	readerType = reflect.TypeFor[io.Reader]()
)

// resultOf makes the function that turns what a procedure returned into the result of its tool.
func resultOf(t *Tool, s *signature) func(out []reflect.Value) (*mcp.ToolResult, error) {
	if len(s.results) == 0 {
		return func([]reflect.Value) (*mcp.ToolResult, error) { return &mcp.ToolResult{}, nil }
	}
	renderer := t.def.Render
	if renderer == nil {
		renderer = content.RendererFunc(asItIs)
	}
	structured := t.def.OutputSchema != nil
	render := func(v any) (*mcp.ToolResult, error) {
		blocks, err := renderer.Render(v)
		if err != nil {
			drop(v)
			return nil, fmt.Errorf("rendering the result: %w", err)
		}
		result := &mcp.ToolResult{Content: blocks}
		if structured {
			result.Structured = v
		}
		return result, nil
	}
	switch {
	case len(s.results) > 1:
		object := objectOf(t.resultNames(len(s.results)), s.results)
		return func(out []reflect.Value) (*mcp.ToolResult, error) {
			v := reflect.New(object).Elem()
			for i, value := range out {
				v.Field(i).Set(value)
			}
			return render(v.Interface())
		}
	case s.results[0] == byHandType:
		return func(out []reflect.Value) (*mcp.ToolResult, error) { return out[0].Interface().(*mcp.ToolResult), nil }
	}
	return func(out []reflect.Value) (*mcp.ToolResult, error) { return render(out[0].Interface()) }
}

// asItIs renders a string and content blocks as what they are, and anything else as compact JSON.
func asItIs(v any) ([]content.Block, error) {
	switch v := v.(type) {
	case string:
		return []content.Block{content.Text{Text: v}}, nil
	case int:
		return []content.Block{content.Text{Text: strconv.Itoa(v)}}, nil
	case content.Block:
		return []content.Block{v}, nil
	case []content.Block:
		return v, nil
	case []byte, io.Reader:
		return nil, needsRenderer(reflect.TypeOf(v))
	}
	if value := reflect.ValueOf(v); value.Kind() == reflect.String {
		return []content.Block{content.Text{Text: value.String()}}, nil
	}
	return content.JSON().Render(v)
}

func needsRenderer(t reflect.Type) error {
	return fmt.Errorf("a result of type %s has no MIME type; give the tool a renderer, such as content.ImageOf(\"image/png\")", t)
}

// objectOf is a struct that encodes as an object of several results, in their order.
func objectOf(names []string, types []reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for i, t := range types {
		fields = append(fields, field("R"+strconv.Itoa(i), names[i], t))
	}
	return reflect.StructOf(fields)
}

// resultNames are the names of n results.
func (t *Tool) resultNames(n int) []string {
	if t.results != nil {
		return t.results
	}
	names := make([]string, n)
	for i := range names {
		names[i] = "result" + strconv.Itoa(i+1)
	}
	return names
}

// drop closes what a result holds that goes nowhere, such as an open file.
func drop(v any) {
	switch v := v.(type) {
	case content.Block:
		content.Discard(v)
	case []content.Block:
		content.Discard(v...)
	case *mcp.ToolResult:
		if v != nil {
			content.Discard(v.Content...)
		}
	case io.Reader:
		content.Discard(content.Image{Reader: v})
	}
}
