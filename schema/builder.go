package schema

import (
	"fmt"
	"slices"
)

// String makes {"type":"string"}.
func String() *Schema { return &Schema{form: formString} }

// Integer makes {"type":"integer"}: a number without a fraction, 4.0 included.
func Integer() *Schema { return &Schema{form: formInteger} }

// Number makes {"type":"number"}.
func Number() *Schema { return &Schema{form: formNumber} }

// Boolean makes {"type":"boolean"}.
func Boolean() *Schema { return &Schema{form: formBoolean} }

// Null makes {"type":"null"}, which only null satisfies.
func Null() *Schema { return &Schema{form: formNull} }

// Any makes {}, which every value satisfies.
func Any() *Schema { return &Schema{} }

// Enum makes a string that is one of values, compared exactly.
func Enum(values ...string) *Schema {
	s := &Schema{form: formEnum}
	for _, v := range values {
		s.values = append(s.values, Choice{Value: v})
	}
	s.checkChoices()
	return s
}

// A Choice is one value of a titled enumeration.
type Choice struct {
	Value string // what is sent
	Title string // what a person reads
}

// Choices makes a string that is the value of one of choices, each with a title for people:
// {"type":"string","oneOf":[{"const":"r","title":"Red"},…]}.
func Choices(choices ...Choice) *Schema {
	s := &Schema{form: formTitled, values: slices.Clone(choices)}
	s.checkChoices()
	return s
}

func (s *Schema) checkChoices() {
	seen := make(map[string]bool, len(s.values))
	for _, c := range s.values {
		if seen[c.Value] {
			s.fail(fmt.Errorf("the value %q is listed twice; remove one", c.Value))
		}
		seen[c.Value] = true
	}
}

// Array makes an array whose elements satisfy items.
func Array(items *Schema) *Schema { return &Schema{form: formArray, inner: items} }

// Map makes an object with any members, whose values satisfy values.
func Map(values *Schema) *Schema { return &Schema{form: formMap, inner: values} }

// Object makes an object without members; [Schema.Prop] declares them. It ignores members that are not declared unless
// [Schema.Strict] is called.
func Object() *Schema { return &Schema{form: formObject} }

// Nullable makes a schema that accepts null and what of accepts. It is idempotent.
func Nullable(of *Schema) *Schema {
	if of != nil && (of.form == formNullable || of.form == formNull || of.form == formAny) {
		return of
	}
	return &Schema{form: formNullable, inner: of}
}

// Prop declares a required member of an object, after those declared before it.
func (s *Schema) Prop(name string, of *Schema) *Schema {
	return s.with(func(c *Schema) {
		switch {
		case c.form != formObject:
			c.fail(fmt.Errorf("Prop(%q) declares a member of %s; only schema.Object() has members", name, c.form.words()))
		case slices.ContainsFunc(c.fields, func(p property) bool { return p.name == name }):
			c.fail(fmt.Errorf("property %q is already defined; rename or remove one of the two", name))
		default:
			c.fields = append(c.fields, property{name: name, of: of})
		}
	})
}

// Optional makes declared members of an object optional.
func (s *Schema) Optional(names ...string) *Schema {
	return s.with(func(c *Schema) {
		c.fields = slices.Clone(c.fields)
		for _, name := range names {
			i := slices.IndexFunc(c.fields, func(p property) bool { return p.name == name })
			if i < 0 {
				c.fail(fmt.Errorf("Optional(%q) names no property; declare it with Prop first", name))
				continue
			}
			c.fields[i].optional = true
		}
	})
}

// Strict makes an object refuse members that are not declared.
func (s *Schema) Strict() *Schema {
	return s.with(func(c *Schema) {
		if c.form != formObject {
			c.fail(fmt.Errorf("Strict applies to an object, not to %s", c.form.words()))
		}
		c.strict = true
	})
}
