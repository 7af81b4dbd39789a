package schema

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	headerWord  = "x-mcp-header"
	dialect2020 = "https://json-schema.org/draft/2020-12/schema"
)

// A renderer turns a Schema into a document. Recursive Go types gather in defs on the way.
type renderer struct {
	role     Role
	mistakes []mistake

	defs     *node // the members of $defs, or nil
	names    map[reflect.Type]string
	taken    map[string]bool
	cyclic   map[reflect.Type]bool
	fields   map[reflect.Type][]goField // of structs that were looked at
	fallible bool                       // a Go value could violate what was inferred from its type
}

func newRenderer(role Role) *renderer {
	return &renderer{
		role: role, names: map[reflect.Type]string{}, taken: map[string]bool{}, cyclic: map[reflect.Type]bool{},
		fields: map[reflect.Type][]goField{},
	}
}

func (r *renderer) fail(at, format string, args ...any) {
	r.mistakes = append(r.mistakes, mistake{at, fmt.Errorf(format, args...)})
}

func (r *renderer) err() error { return joinMistakes(r.mistakes) }

func joinMistakes(mistakes []mistake) error {
	var all []error
	for _, m := range mistakes {
		if m.at == "" {
			all = append(all, fmt.Errorf("at the root: %w", m.err))
			continue
		}
		all = append(all, fmt.Errorf("at %s: %w", m.at, m.err))
	}
	return errors.Join(all...)
}

// document renders a root, with the definitions that it needs.
func (r *renderer) document(s *Schema) *node {
	doc := r.schema(s, "")
	if r.defs != nil {
		doc.set("$defs", r.defs)
	}
	return doc
}

// schema renders s where it stands, at a JSON pointer.
func (r *renderer) schema(s *Schema, at string) *node {
	if s == nil {
		r.fail(at, "the schema is nil; build one, for example with schema.String()")
		return objectNode()
	}
	if strings.Count(at, "/") > 2*maxSchemaDepth {
		r.fail(at, "more than %d levels of sub-schemas; flatten the schema", maxSchemaDepth)
		return objectNode()
	}
	for _, m := range s.mistakes {
		r.mistakes = append(r.mistakes, mistake{at + m.at, m.err})
	}
	n := r.body(s, at)
	s.describe(n)
	for _, w := range s.words {
		if w.name == headerWord && r.role == Output {
			continue // an annotation of inputs alone
		}
		n.set(w.name, w.value.clone())
	}
	if len(s.words) > 0 && s.form != formText {
		r.checkBounds(n, at)
	}
	return n
}

func (r *renderer) body(s *Schema, at string) *node {
	switch s.form {
	case formAny:
		return objectNode()
	case formEnum:
		return objectNode().set("type", textNode("string")).set("enum", choiceValues(s.values))
	case formTitled:
		return objectNode().set("type", textNode("string")).set("oneOf", choiceBranches(s.values))
	case formArray:
		items := r.schema(s.inner, at+"/items")
		return objectNode().set("type", textNode("array")).set("items", items)
	case formMap:
		values := r.schema(s.inner, at+"/additionalProperties")
		return objectNode().set("type", textNode("object")).set("additionalProperties", values)
	case formObject:
		return r.object(s, at)
	case formNullable:
		return r.nullable(s, at)
	case formGo:
		return r.goType(s.typ, at)
	case formText:
		return r.text(s.text, at)
	}
	return objectNode().set("type", textNode(s.form.String()))
}

// describe places title and description behind the type, or at the end of an object that has none.
func (s *Schema) describe(n *node) {
	place := func(name, text string, after ...string) {
		switch {
		case text == "":
		case n.get("type") == nil && n.get("$ref") == nil:
			n.set(name, textNode(text))
		default:
			n.insertAfter(name, textNode(text), after...)
		}
	}
	place("title", s.title, "$schema", "$id", "$ref", "type")
	place("description", s.description, "$schema", "$id", "$ref", "type", "title")
}

func (r *renderer) object(s *Schema, at string) *node {
	properties, required := objectNode(), listNode()
	for _, p := range s.fields {
		properties.set(p.name, r.schema(p.of, pointerTo(at, "properties", p.name)))
		if !p.optional {
			required.items = append(required.items, textNode(p.name))
		}
	}
	n := objectNode().set("type", textNode("object")).set("properties", properties).set("required", required)
	if s.strict {
		n.set("additionalProperties", boolNode(false))
	}
	return n
}

// nullable adds null to a schema: in its type where that is a single primitive, as a branch of its own otherwise.
func (r *renderer) nullable(s *Schema, at string) *node {
	if s.inner == nil {
		return r.schema(nil, at)
	}
	switch s.inner.form {
	case formText:
		// The text may accept null itself, which oneOf would count twice.
		return nullBranch("anyOf", r.schema(s.inner, at+"/anyOf/0"))
	case formArray, formMap, formObject:
		return nullBranch("oneOf", r.schema(s.inner, at+"/oneOf/0"))
	case formGo:
		return nullableType(r.schema(s.inner, at+"/oneOf/0"))
	}
	return flatNullable(r.schema(s.inner, at))
}

// nullableType adds null to what was inferred from a Go type.
func nullableType(n *node) *node {
	kind := n.get("type")
	switch {
	case n.get("$ref") != nil:
		return nullBranch("anyOf", n)
	case kind == nil || kind.kind == '[':
		return n // it accepts null already
	case kind.text == "object" || kind.text == "array":
		return nullBranch("oneOf", n)
	}
	return flatNullable(n)
}

func nullBranch(keyword string, n *node) *node {
	return objectNode().set(keyword, listNode(n, objectNode().set("type", textNode("null"))))
}

func flatNullable(n *node) *node {
	n.set("type", listNode(n.get("type"), textNode("null")))
	if enum := n.get("enum"); enum != nil {
		enum.items = append(enum.items, &node{kind: 'n'})
	}
	if branches := n.get("oneOf"); branches != nil {
		branches.items = append(branches.items, objectNode().set("type", textNode("null")))
	}
	return n
}

func choiceValues(choices []Choice) *node {
	list := listNode()
	for _, c := range choices {
		list.items = append(list.items, textNode(c.Value))
	}
	return list
}

func choiceBranches(choices []Choice) *node {
	list := listNode()
	for _, c := range choices {
		branch := objectNode().set("const", textNode(c.Value))
		if c.Title != "" {
			branch.set("title", textNode(c.Title))
		}
		list.items = append(list.items, branch)
	}
	return list
}

// pointerTo extends a JSON pointer.
func pointerTo(at string, tokens ...string) string {
	p := jsontext.Pointer(at)
	for _, t := range tokens {
		p = p.AppendToken(t)
	}
	return string(p)
}
