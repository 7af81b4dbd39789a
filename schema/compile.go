package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
)

// A Role says what a schema is for.
type Role uint8

const (
	// Input describes the arguments of a call. The root must have "type": "object".
	Input Role = iota
	// Output describes a structured result. The root may be any schema.
	Output
	// Form describes what a user fills in: it is like Input, but what is wrong with a value is told of fields of a form.
	Form
)

// words names a schema whose root is an object.
func (r Role) words() string {
	if r == Form {
		return "the schema of a form"
	}
	return "an input schema"
}

// CompileOptions say how a schema is compiled. The zero value compiles a strict input schema.
type CompileOptions struct {
	// Role is what the schema is for.
	Role Role
	// Lenient accepts a number or a boolean that is sent as a string where the schema declares a number or a boolean
	// and no string. [Compiled.Complete] and [Compiled.Decode] convert it.
	Lenient bool
	// Trusted says that whoever passes values has checked that they are strict JSON, as a decoder of messages or an encoder
	// does. Their strings are then not checked a second time, which is most of the cost of large ones. Text that is no JSON
	// all the same leads to some value or some error, never to a panic.
	Trusted bool
}

// A Compiled schema checks, completes and converts values. It is immutable and safe for concurrent use.
type Compiled struct {
	role    Role
	lenient bool
	trusted bool
	doc     *node
	text    []byte
	wrapped []byte
	plan    *plan
	general *general // nil: the plan says all
	headers []HeaderParam
	certain bool
	last    atomic.Pointer[typeBinding] // of the Go type that was decoded into last
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
	c := &Compiled{role: o.Role, lenient: o.Lenient, trusted: o.Trusted, doc: doc, headers: v.headers.found}
	if c.text = doc.append(nil); len(c.text) > maxSchemaBytes {
		return nil, fmt.Errorf("at the root: the schema has %d bytes, more than %d; split it", len(c.text), maxSchemaBytes)
	}
	if o.Role != Output && !c.PlainObject() {
		// server/tools#tool: arguments are objects, so the root of an input schema says so.
		return nil, fmt.Errorf("at the root: %s must have \"type\": \"object\"; make the root an object, such as a struct or schema.Object()", o.Role.words())
	}
	if err := c.compilePlan(v); err != nil {
		return nil, err
	}
	if o.Role == Output && !c.PlainObject() {
		c.wrapped = wrap(doc, v.dialect).append(nil)
	}
	c.certain = s.form == formGo && o.Role == Output && !r.fallible && !s.constrained()
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
