package schema

import (
	"reflect"
	"strconv"
	"strings"
)

// applyTags puts the tags of a field on the schema of its type.
func (r *renderer) applyTags(n *node, t reflect.Type, f goField, path string) {
	tags := &tagReader{renderer: r, node: n, typ: t, field: f, path: path}
	tags.text("doc", "description")
	tags.text("title", "title")
	tags.enum()
	for _, bound := range [][2]string{{"min", "minimum"}, {"max", "maximum"}, {"multipleOf", "multipleOf"}} {
		tags.number(bound[0], bound[1])
	}
	for _, name := range []string{"minLength", "maxLength"} {
		tags.count(name, "string")
	}
	for _, name := range []string{"minItems", "maxItems"} {
		tags.count(name, "array")
	}
	tags.pattern("pattern")
	tags.pattern("format")
	tags.fallback()
	tags.strangers()
	r.checkBounds(n, path)
	if name, ok := f.tag.Lookup("header"); ok && r.role != Output {
		n.set(headerWord, textNode(name))
	}
	if v, ok := f.tag.Lookup("optional"); ok && v != "true" {
		r.fail(path, "the tag optional is %q; write optional:\"true\" or leave it out", v)
	}
}

// A tagReader reads the tags of one field.
type tagReader struct {
	*renderer
	node  *node
	typ   reflect.Type
	field goField
	path  string
}

// constraint looks up a tag that the type alone does not promise, so a value has to be checked for it.
func (t *tagReader) constraint(tag string) (string, bool) {
	value, ok := t.field.tag.Lookup(tag)
	t.fallible = t.fallible || ok
	return value, ok
}

func (t *tagReader) hasType(n *node, names ...string) bool {
	kind := n.get("type")
	for _, name := range names {
		if kind != nil && kind.text == name {
			return true
		}
	}
	return false
}

func (t *tagReader) text(tag, keyword string) {
	if text := t.field.tag.Get(tag); text != "" {
		t.node.insertAfter(keyword, textNode(text), "$ref", "type", "title")
	}
}

func (t *tagReader) enum() {
	list, ok := t.constraint("enum")
	if !ok {
		return
	}
	if list == "" {
		t.fail(t.path, "the tag enum is empty, so only the empty text is accepted; list the values or remove it")
		return
	}
	n := t.node
	if t.hasType(n, "array") {
		n = n.get("items")
	}
	values := listNode()
	seen := map[string]bool{}
	for item := range strings.SplitSeq(list, ",") {
		if seen[item] {
			t.fail(t.path, "the enum value %q is listed twice; remove one", item)
		}
		seen[item] = true
		switch {
		case t.hasType(n, "string") && strings.TrimSpace(item) != item:
			t.fail(t.path, "the enum value %q begins or ends with a blank; write enum:\"a,b\" without any", item)
		case t.hasType(n, "string"):
			values.items = append(values.items, textNode(item))
		case t.hasType(n, "integer", "number") && numberOf(item) != nil:
			values.items = append(values.items, numberOf(item))
		default:
			t.fail(t.path, "the enum value %q does not fit the type %s; enum lists strings or numbers", item, t.typ)
		}
	}
	n.insertAfter("enum", values, "type", "title", "description")
}

func (t *tagReader) number(tag, keyword string) {
	literal, ok := t.constraint(tag)
	switch {
	case !ok:
	case !t.hasType(t.node, "integer", "number"):
		t.fail(t.path, "the tag %s applies to numbers, not to %s; remove it", tag, t.typ)
	case numberOf(literal) == nil:
		t.fail(t.path, "the tag %s is %q, which is no JSON number; write one such as 10 or 0.5", tag, literal)
	default:
		t.node.set(keyword, numberOf(literal))
	}
}

func (t *tagReader) count(tag, on string) {
	literal, ok := t.constraint(tag)
	if !ok {
		return
	}
	n, err := strconv.Atoi(literal)
	if err != nil || n < 0 {
		t.fail(t.path, "the tag %s is %q; write a number of 0 or more", tag, literal)
		return
	}
	if !t.hasType(t.node, on) {
		t.fail(t.path, "the tag %s applies to a %s, not to %s; remove it", tag, on, t.typ)
		return
	}
	t.node.set(tag, numberNode(strconv.Itoa(n)))
}

func (t *tagReader) pattern(tag string) {
	value, ok := t.field.tag.Lookup(tag)
	if !ok {
		return
	}
	if !t.hasType(t.node, "string") {
		t.fail(t.path, "the tag %s applies to a string, not to %s; remove it", tag, t.typ)
		return
	}
	if tag == "pattern" {
		t.fallible = true
	}
	t.node.set(tag, textNode(value))
}

// fallback reads the default tag: text as it is where the schema is a string, JSON otherwise.
func (t *tagReader) fallback() {
	value, ok := t.field.tag.Lookup("default")
	if !ok {
		return
	}
	if t.hasType(t.node, "string") {
		t.node.set("default", textNode(value))
		return
	}
	n, err := parseNode([]byte(value))
	if err != nil {
		t.fail(t.path, "the default %q is not JSON; write a JSON value that fits %s", value, t.typ)
		return
	}
	t.node.set("default", n)
}

// numberOf reads a JSON number, or returns nil.
func numberOf(text string) *node {
	n, err := parseNode([]byte(text))
	if err != nil || n.kind != '0' {
		return nil
	}
	return n
}
