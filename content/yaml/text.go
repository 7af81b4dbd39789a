package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"github.com/bowline-go/mcp/content"
)

// Text renders any value that has a JSON form as one text block of YAML: block style, lines as long as they are, no newline at the end. A value whose JSON form is a string stands as that string, without quotes and
// escapes, so that text goes out as it came in. Strings that are not UTF-8 get U+FFFD.
func Text() content.Renderer { return text{} }

type text struct{}

func (text) Render(v any) ([]content.Block, error) {
	if s, ok := v.(string); ok {
		return []content.Block{content.NewText(s)}, nil
	}
	encoded, err := jsonv2.Marshal(v, jsonOptions())
	if err != nil {
		return nil, fmt.Errorf("yaml: a %T has no JSON form, which its YAML text is made from: %w", v, err)
	}
	written, err := write(encoded)
	if err != nil {
		return nil, fmt.Errorf("yaml: a %T could not be written: %w", v, err)
	}
	return []content.Block{content.NewText(written)}, nil
}

func jsonOptions() jsonv2.Options {
	return jsonv2.JoinOptions(
		jsonv2.Deterministic(true),
		jsontext.AllowInvalidUTF8(true),
		// Left alone, a json.Number would be a string.
		jsonv2.WithMarshalers(jsonv2.MarshalFunc(func(n json.Number) ([]byte, error) { return []byte(n), nil })),
	)
}

// write turns JSON text into YAML text, or a JSON string into what it says.
func write(encoded []byte) (string, error) {
	r := reader{json: jsontext.NewDecoder(bytes.NewReader(encoded))}
	root, err := r.value()
	if err != nil {
		return "", err
	}
	if root.Tag == stringTag {
		return root.Value, nil
	}
	undo := r.astral.exchange()
	out, err := yaml.Dump(root, yaml.WithV4Defaults(), yaml.WithLineWidth(-1), yaml.WithQuotePreference(yaml.QuoteDouble))
	if err != nil {
		return "", err
	}
	return undo(string(bytes.TrimSuffix(out, []byte("\n")))), nil
}

// reader turns JSON into the nodes of a YAML document.
type reader struct {
	json   *jsontext.Decoder
	astral standIns
}

// value reads the next JSON value.
func (r *reader) value() (*yaml.Node, error) {
	token, err := r.json.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return r.parts(yaml.MappingNode)
	case '[':
		return r.parts(yaml.SequenceNode)
	case '"':
		n := stringNode(token.String())
		r.astral.note(n)
		return n, nil
	case '0':
		return &yaml.Node{Kind: yaml.ScalarNode, Value: number(token.String())}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil // null, true, false
}

// parts reads the members of an object or the elements of an array, and its end.
func (r *reader) parts(kind yaml.Kind) (*yaml.Node, error) {
	n := &yaml.Node{Kind: kind}
	for next := r.json.PeekKind(); next != '}' && next != ']'; next = r.json.PeekKind() {
		part, err := r.value()
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, part)
	}
	_, err := r.json.ReadToken()
	return n, err
}
