package schema

import (
	"errors"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// text reads a schema that was given as JSON text. Below another schema, its references are rewritten to where it stands.
func (r *renderer) text(text []byte, at string) *node {
	if len(text) > maxSchemaBytes {
		r.fail(at, "the text has %d bytes, more than %d; split the schema", len(text), maxSchemaBytes)
		return objectNode()
	}
	n, err := parseNode(text)
	if err != nil {
		var syntax *jsontext.SyntacticError
		if errors.As(err, &syntax) {
			r.fail(at, "the text is not strict JSON near byte %d: %v; correct the text", syntax.ByteOffset, syntax.Err)
		} else {
			r.fail(at, "the text cannot be read: %v", err)
		}
		return objectNode()
	}
	switch n.kind {
	case 't', 'f':
		return plainBoolean(n)
	case '{':
	default:
		r.fail(at, "a schema is a JSON object, got %s; write an object", describeKind(byte(n.kind)))
		return objectNode()
	}
	if at != "" {
		r.embed(n, at)
	}
	return n
}

// embed makes a document a part of another one.
func (r *renderer) embed(n *node, at string) {
	if dialect := n.get("$schema"); dialect != nil && n.get("$id") == nil {
		if strings.TrimSuffix(dialect.text, "#") != dialect2020 {
			r.fail(at, "a part of a schema cannot have a dialect of its own (%q); use 2020-12 in both", dialect.text)
		}
		n.remove("$schema")
	}
	if n.get("$id") == nil {
		rewriteRefs(n, fragmentTo(at), nil)
	}
}

// rewriteRefs prepends a place to every reference by JSON pointer that is relative to the document. Sub-schemas with an
// $id are documents of their own. References below one of the pointers in keep stay as they are.
func rewriteRefs(n *node, prefix string, keep []string) {
	if n.kind == '[' {
		for _, item := range n.items {
			rewriteRefs(item, prefix, keep)
		}
		return
	}
	for i, name := range n.names {
		item := n.items[i]
		switch {
		case name == "$ref" && item.kind == '"':
			if item.text == "#" || strings.HasPrefix(item.text, "#/") && !below(item.text, keep) {
				n.items[i] = textNode(prefix + strings.TrimPrefix(item.text, "#"))
			}
		case holdsNoSchema(name) || item.kind == '{' && item.get("$id") != nil && !holdsNamedSchemas(name):
		case holdsNamedSchemas(name):
			for _, named := range item.items {
				if named.get("$id") == nil {
					rewriteRefs(named, prefix, keep)
				}
			}
		default:
			rewriteRefs(item, prefix, keep)
		}
	}
}

// fragmentTo is a reference to a JSON pointer of the same document.
func fragmentTo(at string) string {
	return "#" + (&url.URL{Fragment: at}).EscapedFragment()
}

func below(ref string, keep []string) bool {
	for _, k := range keep {
		if ref == k || strings.HasPrefix(ref, k+"/") {
			return true
		}
	}
	return false
}

// holdsNoSchema names keywords whose value may look like a schema but is data.
func holdsNoSchema(keyword string) bool {
	switch keyword {
	case "const", "enum", "default", "examples", "$vocabulary":
		return true
	}
	return false
}

// holdsNamedSchemas names keywords whose value is an object from names to schemas.
func holdsNamedSchemas(keyword string) bool {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return true
	}
	return false
}

// plainBoolean replaces true and false, which many hosts cannot read as schemas.
func plainBoolean(n *node) *node {
	if n.kind == 't' {
		return objectNode()
	}
	return objectNode().set("not", objectNode())
}
