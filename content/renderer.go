package content

import (
	stdjson "encoding/json"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Renderer turns the value that a procedure returned into content blocks. A
// renderer holds configuration only, so that concurrent calls can share it.
type Renderer interface {
	Render(v any) ([]Block, error)
}

// RendererFunc is a function as a [Renderer].
type RendererFunc func(v any) ([]Block, error)

// Render calls f.
func (f RendererFunc) Render(v any) ([]Block, error) { return f(v) }

// JSON renders any value that has a JSON form as one text block of compact JSON:
// struct tags as in encoding/json, sorted map keys, [] for a nil slice and {} for
// a nil map, []byte as base64. Strings that are not UTF-8 get U+FFFD.
func JSON() Renderer {
	return jsonRenderer{json.JoinOptions(
		json.Deterministic(true),
		jsontext.AllowInvalidUTF8(true),
		// Left alone, a json.Number would be a string.
		json.WithMarshalers(json.MarshalFunc(func(n stdjson.Number) ([]byte, error) { return []byte(n), nil })),
	)}
}

type jsonRenderer struct{ options json.Options }

func (r jsonRenderer) Render(v any) ([]Block, error) {
	text, err := json.Marshal(v, r.options)
	if err != nil {
		return nil, fmt.Errorf("content: a %T has no JSON form: %w", v, err)
	}
	return []Block{Text{Text: string(text)}}, nil
}
