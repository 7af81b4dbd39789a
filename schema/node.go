package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// A node is one JSON value of a schema document. Objects keep the order of their members.
type node struct {
	kind  jsontext.Kind // '{' '[' '"' '0' 't' 'f' 'n'
	text  string        // string: its content; number: its literal
	names []string      // object: member names, len(names) == len(items)
	items []*node       // object: member values; array: elements
}

// maxNesting bounds the nesting of schema text as JSON. Each level of sub-schemas is up to two levels of JSON.
const maxNesting = 3 * maxSchemaDepth

func textNode(s string) *node         { return &node{kind: '"', text: s} }
func numberNode(literal string) *node { return &node{kind: '0', text: literal} }
func listNode(items ...*node) *node   { return &node{kind: '[', items: items} }
func objectNode() *node               { return &node{kind: '{'} }

func boolNode(b bool) *node {
	if b {
		return &node{kind: 't'}
	}
	return &node{kind: 'f'}
}

// get returns the member of an object, or nil.
func (n *node) get(name string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	if i := slices.Index(n.names, name); i >= 0 {
		return n.items[i]
	}
	return nil
}

// members ranges over the members of an object; anything else, nil included, has none.
func (n *node) members() iter.Seq2[string, *node] {
	return func(yield func(string, *node) bool) {
		if n == nil || n.kind != '{' {
			return
		}
		for i, name := range n.names {
			if !yield(name, n.items[i]) {
				return
			}
		}
	}
}

// set adds a member to an object or replaces it where it stands.
func (n *node) set(name string, value *node) *node {
	if i := slices.Index(n.names, name); i >= 0 {
		n.items[i] = value
		return n
	}
	n.names = append(n.names, name)
	n.items = append(n.items, value)
	return n
}

// remove deletes a member of an object and returns its value, or nil.
func (n *node) remove(name string) *node {
	i := slices.Index(n.names, name)
	if i < 0 {
		return nil
	}
	value := n.items[i]
	n.names = slices.Delete(n.names, i, i+1)
	n.items = slices.Delete(n.items, i, i+1)
	return value
}

// insertAfter sets a member; a new one is put right after the last of the named ones that is present, else first.
func (n *node) insertAfter(name string, value *node, after ...string) {
	if slices.Contains(n.names, name) {
		n.set(name, value)
		return
	}
	at := 0
	for _, a := range after {
		at = max(at, slices.Index(n.names, a)+1)
	}
	n.names = slices.Insert(n.names, at, name)
	n.items = slices.Insert(n.items, at, value)
}

func (n *node) clone() *node {
	c := &node{kind: n.kind, text: n.text, names: slices.Clone(n.names)}
	for _, item := range n.items {
		c.items = append(c.items, item.clone())
	}
	return c
}

// append writes the compact JSON text of n.
func (n *node) append(dst []byte) []byte {
	switch n.kind {
	case '"':
		return jsonstring.AppendQuoted(dst, n.text)
	case '0':
		return append(dst, n.text...)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	case '{', '[':
		dst = append(dst, byte(n.kind))
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.kind == '{' {
				dst = append(jsonstring.AppendQuoted(dst, n.names[i]), ':')
			}
			dst = item.append(dst)
		}
		return append(dst, byte(n.kind)+2) // '}' is '{'+2, ']' is '['+2
	}
	return append(dst, "null"...)
}

// parseNode reads one JSON value: strict UTF-8, no duplicate members, nothing behind it.
func parseNode(text []byte) (*node, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	n, err := readNode(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, errors.New("more text follows the JSON value; a schema is one value")
	}
	return n, nil
}

func readNode(d *jsontext.Decoder, depth int) (*node, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("nested deeper than %d levels", maxNesting)
	}
	token, err := d.ReadToken()
	if err != nil {
		if err == io.EOF {
			return nil, errors.New("the text is empty")
		}
		return nil, err
	}
	n := &node{kind: token.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = token.String()
		return n, nil
	case '{', '[':
		return n, n.readItems(d, depth+1)
	}
	return n, nil
}

func (n *node) readItems(d *jsontext.Decoder, depth int) error {
	for {
		if kind := d.PeekKind(); kind == '}' || kind == ']' {
			_, err := d.ReadToken()
			return err
		}
		if n.kind == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return err
			}
			n.names = append(n.names, name.String())
		}
		item, err := readNode(d, depth)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
}
