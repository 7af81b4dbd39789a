package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
)

// A Role says what a schema is for.
type Role uint8

const (
	// Input describes the arguments of a call. The root must have "type": "object".
	Input Role = iota
	// Output describes a structured result. The root may be any schema.
	Output
)

// CompileOptions say how a schema is compiled. The zero value compiles a strict input schema.
type CompileOptions struct {
	// Role is what the schema is for.
	Role Role
	// Lenient accepts a number or a boolean that is sent as a string where the schema declares a number or a boolean
	// and no string. [Compiled.Complete] and [Compiled.Decode] convert it.
	Lenient bool
}

// A Compiled schema checks, completes and converts values. It is immutable and safe for concurrent use.
type Compiled struct {
	role     Role
	lenient  bool
	doc      *node
	text     []byte
	wrapped  []byte
	plan     *plan
	general  *general // nil: the plan says all
	headers  []HeaderParam
	certain  bool
	origin   reflect.Type                // of a schema that was inferred; nil otherwise
	bindings atomic.Pointer[typeBinding] // how the plan fills the Go type that was decoded into last
}

// Compile checks a schema and prepares it for use. The error joins every mistake; each names the place (a JSON pointer,
// or a Go field), what is wrong and what to do.
func (s *Schema) Compile(o CompileOptions) (*Compiled, error) {
	r := newRenderer(o.Role)
	doc := r.document(s)
	if err := r.err(); err != nil {
		return nil, err
	}
	v := surveyOf(doc, o.Role)
	if err := joinMistakes(v.mistakes); err != nil {
		return nil, err
	}
	c := &Compiled{role: o.Role, lenient: o.Lenient, doc: doc, headers: v.headers.found}
	if c.text = doc.append(nil); len(c.text) > maxSchemaBytes {
		return nil, fmt.Errorf("at the root: the schema has %d bytes, more than %d; split it", len(c.text), maxSchemaBytes)
	}
	if o.Role == Input && !c.PlainObject() {
		// server/tools#tool: arguments are objects, so the root of an input schema says so.
		return nil, errors.New("at the root: an input schema must have \"type\": \"object\"; make the root an object, such as a struct or schema.Object()")
	}
	if err := c.compilePlan(v); err != nil {
		return nil, err
	}
	if o.Role == Output && !c.PlainObject() {
		c.wrapped = wrap(doc, v.dialect).append(nil)
	}
	if s.form == formGo {
		c.origin, c.certain = s.typ, !r.fallible && o.Role == Output && !s.constrained()
		if o.Role == Input {
			c.bindings.Store(newTypeBinding(c.plan, s.typ))
		}
	}
	return c, nil
}

// constrained reports whether keywords were put on an inferred schema that its type does not promise.
func (s *Schema) constrained() bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return w.name != "default" && w.name != headerWord })
}

func (c *Compiled) compilePlan(v *survey) error {
	b := newPlanner(v)
	c.plan = b.planOf(v.root)
	b.completeDefaults(c)
	if err := joinMistakes(v.mistakes); err != nil {
		return err
	}
	if !b.outside {
		return nil
	}
	var err error
	c.general, err = newGeneral(v, c.doc)
	return err
}

// JSON returns the text of the schema: compact, always the same for the same schema. It must not be changed.
func (c *Compiled) JSON() json.RawMessage { return c.text }

// PlainObject reports whether the root says "type": "object", which every revision of the protocol can publish.
func (c *Compiled) PlainObject() bool {
	kind := c.doc.get("type")
	return kind != nil && kind.kind == '"' && kind.text == "object"
}

// Wrapped returns the text of the schema {"type":"object","properties":{"result":…},"required":["result"]} for clients
// that know only objects as results, with definitions and references moved to fit. It is nil when the schema is a
// [Compiled.PlainObject] or an input schema. It must not be changed.
func (c *Compiled) Wrapped() json.RawMessage { return c.wrapped }

// Headers returns the arguments that clients mirror into HTTP headers, in the order of the schema. It must not be
// changed.
func (c *Compiled) Headers() []HeaderParam { return c.headers }

// Infallible reports whether a value of the Go type that an output schema was inferred from always satisfies it once it
// is encoded by github.com/go-json-experiment/json, so that it need not be checked.
func (c *Compiled) Infallible() bool { return c.certain }

// wrap makes a schema whose only member "result" has the schema doc.
//
// server/tools#output-schema: before 2026-07-28 the root of an output schema is an object.
func wrap(doc *node, d dialect) *node {
	inner := doc.clone()
	wrapper := objectNode()
	var keep []string
	hoisted := objectNode()
	if inner.get("$id") == nil {
		if dialect := inner.remove("$schema"); dialect != nil {
			wrapper.set("$schema", dialect)
		}
		for _, name := range []string{"$defs", "definitions"} {
			if defs := inner.remove(name); defs != nil {
				keep = append(keep, "#/"+name)
				hoisted.set(name, defs)
			}
		}
		const result = "#/properties/result"
		rewriteRefs(inner, result, keep)
		rewriteRefs(hoisted, result, keep)
	}
	wrapper.set("type", textNode("object"))
	wrapper.set("properties", objectNode().set("result", inner))
	wrapper.set("required", listNode(textNode("result")))
	for i, name := range hoisted.names {
		wrapper.set(name, hoisted.items[i])
	}
	return wrapper
}

// A Property describes one declared member of the root, for those who list arguments in another form.
type Property struct {
	Name        string
	Title       string
	Description string
	Type        string   // the type, if it is a single one
	Enum        []string // the texts that are accepted, if they are listed
	Required    bool
}

// Properties returns the declared members of the root in order.
func (c *Compiled) Properties() []Property {
	text := func(n *node, name string) string {
		if member := n.get(name); member != nil {
			return member.text
		}
		return ""
	}
	var all []Property
	properties := c.doc.get("properties")
	if properties == nil {
		return nil
	}
	required := c.doc.get("required")
	for i, name := range properties.names {
		n := properties.items[i]
		p := Property{Name: name, Title: text(n, "title"), Description: text(n, "description"), Type: text(n, "type")}
		p.Enum = enumTexts(n)
		p.Required = required != nil && slices.ContainsFunc(required.items, func(r *node) bool { return r.text == name })
		all = append(all, p)
	}
	return all
}

func enumTexts(n *node) []string {
	var texts []string
	if enum := n.get("enum"); enum != nil {
		for _, item := range enum.items {
			if item.kind == '"' {
				texts = append(texts, item.text)
			}
		}
		return texts
	}
	if branches := n.get("oneOf"); branches != nil {
		for _, branch := range branches.items {
			if value := branch.get("const"); value != nil && value.kind == '"' {
				texts = append(texts, value.text)
			}
		}
	}
	return texts
}

// describeKind names the kind of a JSON value by its first byte.
func describeKind(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// clip shortens text for a message to 60 code points.
func clip(text string) string {
	const most = 60
	count := 0
	for i := range text {
		if count == most {
			return strings.ToValidUTF8(text[:i], "\uFFFD") + "…"
		}
		count++
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
