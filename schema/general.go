package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// general checks what is outside a plan, with a validator of the whole vocabulary.
type general struct {
	resolved *jsonschema.Resolved
	cost     *costs
}

func newGeneral(v *survey, doc *node) (*general, error) {
	if err := refuseInexact(v); err != nil {
		return nil, err
	}
	cost, err := costsOf(v)
	if err != nil {
		return nil, err
	}
	doc = doc.clone()
	if v.dialect == draft07 {
		doc.set("$schema", textNode("http://json-schema.org/draft-07/schema#")) // the one spelling that it knows
	} else {
		doc.remove("$schema")
	}
	var s jsonschema.Schema
	if err := s.UnmarshalJSON(doc.append(nil)); err != nil {
		return nil, fmt.Errorf("at the root: the schema cannot be read: %w; correct it", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("at the root: the schema cannot be resolved: %w; correct it", err)
	}
	return &general{resolved, cost}, nil
}

// refuseInexact finds numbers that the general validator, which reads them as float64, would change.
func refuseInexact(v *survey) error {
	for _, p := range v.parts {
		for i, name := range p.node.names {
			switch name {
			case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "enum":
				if literal := inexact(p.node.items[i]); literal != "" {
					v.fail(pointerTo(p.at, name), "the number %s is not exact as a float64, and this schema uses keywords that need it to be; "+
						"use a smaller one, or remove composition and conditions", clip(literal))
				}
			}
		}
	}
	return joinMistakes(v.mistakes)
}

// inexact returns an integral number in n that float64 would change, or one that it cannot hold.
func inexact(n *node) string {
	if n.kind == '0' {
		d := parseDecimal([]byte(n.text), nil)
		made, ok := goNumber([]byte(n.text), false)
		if !ok {
			return n.text
		}
		back := parseDecimal(fmt.Appendf(nil, "%.0f", made), nil)
		if d.integral() && d.compare(back) != 0 {
			return n.text
		}
		return ""
	}
	for _, item := range n.items {
		if literal := inexact(item); literal != "" {
			return literal
		}
	}
	return ""
}

// check decides about a value that is valid JSON. The error is a [*Violations].
func (g *general) check(value []byte, root string) error {
	w := walker{root: root}
	if !g.cost.affordable(value) {
		w.add(violation{text: "too large or too deeply nested to be checked; send less"})
		return w.bad
	}
	l := lexer{src: value}
	instance, ok := l.goValue(maxValueDepth)
	if !ok {
		w.add(violation{text: "expected numbers within the range of float64; send smaller ones"})
		return w.bad
	}
	if err := g.resolved.Validate(instance); err != nil {
		w.add(violation{text: generalWords(err)})
		return w.bad
	}
	return nil
}

// generalWords words an error of the general validator: what the innermost rule is, and where in the schema it stands.
func generalWords(err error) string {
	at := ""
	for {
		if where, ok := strings.CutPrefix(err.Error(), "validating "); ok {
			at, _, _ = strings.Cut(where, ":")
		}
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	keyword, detail, _ := strings.Cut(err.Error(), ":")
	if at == "root" || !strings.HasPrefix(at, "/") {
		at = ""
	}
	where := pointerTo(at, keyword)
	switch keyword {
	case "oneOf":
		return "expected exactly one of the alternatives of " + where + " of the schema to fit"
	case "anyOf":
		return "expected one of the alternatives of " + where + " of the schema to fit"
	case "not":
		return "expected a value that " + where + " of the schema does not describe"
	}
	if strings.ContainsAny(keyword, " \"") {
		return clip(err.Error()) + " (" + place(at) + " of the schema)"
	}
	return "refused by " + where + " of the schema:" + clip(detail)
}
