package yaml

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/bowline-go/mcp/content"
)

// Text renders any value that has a JSON form as one text block of YAML: block style, lines as long as they are, no
// newline at the end. A value whose JSON form is a string stands as that string, without quotes and escapes, so that text
// goes out as it came in. Strings that are not UTF-8 get U+FFFD.
func Text() content.Renderer { return text{content.JSON()} }

type text struct{ json content.Renderer }

func (t text) Render(v any) ([]content.Block, error) {
	if s, ok := v.(string); ok {
		return []content.Block{content.NewText(s)}, nil
	}
	blocks, err := t.json.Render(v)
	if err != nil {
		return nil, fmt.Errorf("yaml: the text is made from the JSON form: %w", err)
	}
	written, err := write(blocks[0].(content.Text).Text)
	if err != nil {
		return nil, fmt.Errorf("yaml: a %T could not be written: %w", v, err)
	}
	return []content.Block{content.NewText(written)}, nil
}

// write turns JSON text into YAML text, or a JSON string into what it says.
func write(encoded string) (string, error) {
	r := reader{json: json.NewDecoder(strings.NewReader(encoded))}
	r.json.UseNumber()
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
	return undo(strings.TrimSuffix(string(out), "\n")), nil
}

// reader turns JSON into the nodes of a YAML document.
type reader struct {
	json   *json.Decoder
	astral standIns
}

// value reads the next JSON value.
func (r *reader) value() (*yaml.Node, error) {
	token, err := r.json.Token()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch token := token.(type) {
	case json.Delim:
		n.Kind = yaml.SequenceNode
		if token == '{' {
			n.Kind = yaml.MappingNode
		}
		return n, r.parts(n)
	case string:
		n = stringNode(token)
		r.astral.note(n)
	case json.Number:
		n.Value = number(token.String())
	case bool:
		n.Value = strconv.FormatBool(token)
	default:
		n.Value = "null"
	}
	return n, nil
}

// parts reads the members of an object or the elements of an array, and its end.
func (r *reader) parts(n *yaml.Node) error {
	for r.json.More() {
		part, err := r.value()
		if err != nil {
			return err
		}
		n.Content = append(n.Content, part)
	}
	_, err := r.json.Token()
	return err
}
