package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/schema"
)

// ToolResult is the result of a tool by hand.
//
// Source: server/tools#tool-result.
type ToolResult struct {
	// Content is what a model reads. Nil: the JSON text of Structured, if there is one.
	Content []content.Block
	// Structured is any value that encodes as JSON; a json.RawMessage passes as it is. It
	// is sent when the tool has an output schema, which it must match, or when it is not nil.
	Structured any
	// IsError says that the call failed in a way that Content explains.
	IsError bool
	// Meta is sent as the result's _meta, a JSON object. Its keys follow basic/index#meta.
	Meta json.RawMessage

	typed bool // Structured is what a typed handler returned
}

func (*ToolResult) result() {}

// Output is a typed result with content blocks of its own: T gives the output schema and
// the structured content, Content is what a model reads instead of T's JSON text.
type Output[T any] struct {
	Value   T
	Content []content.Block
}

func (o Output[T]) parts() (any, []content.Block) { return o.Value, o.Content }
func (Output[T]) valueType() reflect.Type         { return reflect.TypeFor[T]() }

type outputParts interface {
	parts() (any, []content.Block)
	valueType() reflect.Type
}

// output is how the result type of a handler becomes a ToolResult.
type output struct {
	schema   *schema.Schema // nil: content only, or a value without a known shape
	inferred bool           // schema is that of the handler's result type
	result   func(out any) (*ToolResult, error)
}

var (
	blockType  = reflect.TypeFor[content.Block]()
	errorType  = reflect.TypeFor[error]()
	partsType  = reflect.TypeFor[outputParts]()
	readerType = reflect.TypeFor[io.Reader]()
)

// outputOf decides from the result type alone, so that two results of one tool never
// differ in form.
func outputOf[Out any](r *registry, t *tool) output {
	typ := reflect.TypeFor[Out]()
	var zero Out
	value, withContent := any(zero).(outputParts)
	switch {
	case typ == reflect.TypeFor[*ToolResult]():
		return output{schema: t.def.OutputSchema, result: handmade}
	case typ == reflect.TypeFor[struct{}]():
		return output{schema: t.def.OutputSchema, result: empty}
	case withContent && typ.Kind() != reflect.Pointer:
		return t.shaped(r, value.valueType(), withOwnContent)
	case t.def.Render != nil:
		return t.rendered(r, typ)
	case typ.Kind() == reflect.String && t.def.OutputSchema == nil:
		return output{result: textual}
	case misshapen(typ) != "":
		r.mistake(t.at, "a result of type %s is no content; return %s", typ, misshapen(typ))
		return output{}
	case typ == errorType:
		r.mistake(t.at, "a result of type error is never sent; return the error as the last result, and struct{} if there is no other")
		return output{}
	case typ == blockType || typ.Implements(blockType):
		return output{result: oneBlock}
	case typ.Kind() == reflect.Slice && typ.Elem() == blockType:
		return output{result: manyBlocks}
	case typ == reflect.TypeFor[[]byte]() || typ.Implements(readerType):
		r.mistake(t.at, "a result of type %s has no MIME type; return a content.Image or another block, or set Tool.Render", typ)
	}
	return t.shaped(r, typ, structured)
}

// misshapen finds what is nearly content, and names the type that is meant.
func misshapen(typ reflect.Type) string {
	switch {
	case typ == reflect.TypeFor[ToolResult]():
		return "*mcp.ToolResult"
	case typ == reflect.TypeFor[Contents]():
		return "content.Embedded, which content.Embed makes"
	case typ.Kind() == reflect.Pointer && (typ.Implements(blockType) || typ.Implements(partsType)):
		return typ.Elem().String()
	case typ.Kind() == reflect.Slice && typ.Elem() != blockType && typ.Elem().Implements(blockType):
		return "[]content.Block"
	}
	return ""
}

// shaped is the output of a structured value: with the tool's own schema, or the one inferred
// from the type. A type that can hold anything has none.
func (t *tool) shaped(r *registry, typ reflect.Type, result func(any) (*ToolResult, error)) output {
	switch {
	case t.def.OutputSchema != nil:
		r.mistakesOf(t.at, "OutputSchema and the result type "+typ.String(), t.def.OutputSchema.CheckType(typ, schema.Output))
		return output{schema: t.def.OutputSchema, result: result}
	case typ.Kind() == reflect.Interface || typ == reflect.TypeFor[json.RawMessage]():
		return output{result: result}
	}
	return output{schema: schema.Of(typ), inferred: true, result: result}
}

// rendered is the output of a tool with a renderer. Text and bytes are for the renderer
// alone; other values are structured content as well.
func (t *tool) rendered(r *registry, typ reflect.Type) output {
	opaque := typ.Kind() == reflect.String || typ == reflect.TypeFor[[]byte]() || typ.Implements(readerType)
	if opaque && t.def.OutputSchema == nil {
		return output{result: func(out any) (*ToolResult, error) { return renderedResult(t.def.Render, out) }}
	}
	return t.shaped(r, typ, func(out any) (*ToolResult, error) {
		result, err := renderedResult(t.def.Render, out)
		if err == nil {
			result.Structured, result.typed = out, true
		}
		return result, err
	})
}

func renderedResult(renderer content.Renderer, out any) (*ToolResult, error) {
	blocks, err := renderer.Render(out)
	if err != nil {
		return nil, fmt.Errorf("rendering the result: %w", err)
	}
	return &ToolResult{Content: blocks}, nil
}

func handmade(out any) (*ToolResult, error) {
	result := out.(*ToolResult)
	if result == nil {
		return nil, errors.New("the handler returned neither a result nor an error")
	}
	return result, nil
}

func empty(any) (*ToolResult, error) { return &ToolResult{}, nil }

func structured(out any) (*ToolResult, error) { return &ToolResult{Structured: out, typed: true}, nil }

func textual(out any) (*ToolResult, error) {
	text, plain := out.(string)
	if !plain {
		text = reflect.ValueOf(out).String()
	}
	return resultOf(content.Text{Text: text}), nil
}

// resultOf is a result of one block, in one allocation.
func resultOf(block content.Block) *ToolResult {
	r := &struct {
		ToolResult
		blocks [1]content.Block
	}{blocks: [1]content.Block{block}}
	r.Content = r.blocks[:]
	return &r.ToolResult
}

func oneBlock(out any) (*ToolResult, error) {
	block, ok := out.(content.Block)
	if !ok {
		return nil, errors.New("the handler returned a nil content block")
	}
	return resultOf(block), nil
}

func manyBlocks(out any) (*ToolResult, error) {
	return &ToolResult{Content: out.([]content.Block)}, nil
}

func withOwnContent(out any) (*ToolResult, error) {
	value, blocks := out.(outputParts).parts()
	return &ToolResult{Structured: value, Content: blocks, typed: true}, nil
}
