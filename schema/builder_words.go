package schema

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Describe sets the description, which tells a model what the value means.
func (s *Schema) Describe(text string) *Schema {
	return s.with(func(c *Schema) { c.description = text })
}

// Title sets a short name for people.
func (s *Schema) Title(text string) *Schema {
	return s.with(func(c *Schema) { c.title = text })
}

// Default sets the value that an absent optional member has: anything that encodes as JSON and satisfies the schema.
func (s *Schema) Default(value any) *Schema {
	return s.with(func(c *Schema) {
		text, err := json.Marshal(value, json.Deterministic(true))
		if err != nil {
			c.fail(fmt.Errorf("the default, a %T, does not encode as JSON; use a value that does", value))
			return
		}
		n, err := parseNode(text)
		if err != nil {
			c.fail(fmt.Errorf("the default, a %T, encodes as JSON that is too deep; use a flatter value", value))
			return
		}
		c.setWord("default", n)
	})
}

// Header mirrors an argument into the HTTP header Mcp-Param-name. It may stand on a string, an integer or a boolean that
// is reached from the root through properties alone.
func (s *Schema) Header(name string) *Schema {
	return s.with(func(c *Schema) { c.setWord(headerWord, textNode(name)) })
}

// Min sets the least number that is accepted.
func (s *Schema) Min(n float64) *Schema { return s.numeric("Min", "minimum", n) }

// Max sets the greatest number that is accepted.
func (s *Schema) Max(n float64) *Schema { return s.numeric("Max", "maximum", n) }

// ExclusiveMin sets a number that every accepted number is greater than.
func (s *Schema) ExclusiveMin(n float64) *Schema {
	return s.numeric("ExclusiveMin", "exclusiveMinimum", n)
}

// ExclusiveMax sets a number that every accepted number is less than.
func (s *Schema) ExclusiveMax(n float64) *Schema {
	return s.numeric("ExclusiveMax", "exclusiveMaximum", n)
}

// MultipleOf sets a positive number that every accepted number is an integral multiple of, in decimal arithmetic.
func (s *Schema) MultipleOf(n float64) *Schema { return s.numeric("MultipleOf", "multipleOf", n) }

// MinLength sets the least number of code points of a string.
func (s *Schema) MinLength(n int) *Schema { return s.count("MinLength", "minLength", n, formString) }

// MaxLength sets the greatest number of code points of a string.
func (s *Schema) MaxLength(n int) *Schema { return s.count("MaxLength", "maxLength", n, formString) }

// MinItems sets the least number of elements of an array.
func (s *Schema) MinItems(n int) *Schema { return s.count("MinItems", "minItems", n, formArray) }

// MaxItems sets the greatest number of elements of an array.
func (s *Schema) MaxItems(n int) *Schema { return s.count("MaxItems", "maxItems", n, formArray) }

// Unique makes an array refuse equal elements.
func (s *Schema) Unique() *Schema {
	return s.keyword("Unique", "uniqueItems", boolNode(true), formArray)
}

// Pattern sets a Go regular expression that a string must match somewhere; anchor it with ^ and $ to match it whole.
func (s *Schema) Pattern(expr string) *Schema {
	return s.keyword("Pattern", "pattern", textNode(expr), formString)
}

// Format names the format of a string, such as "date-time", "email" or "uri". It informs; it is not enforced.
func (s *Schema) Format(name string) *Schema {
	return s.keyword("Format", "format", textNode(name), formString)
}

func (s *Schema) numeric(method, name string, n float64) *Schema {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return s.with(func(c *Schema) { c.fail(fmt.Errorf("%s(%v) is no JSON number; use a finite one", method, n)) })
	}
	literal := string(jsontext.AppendFloat(nil, n, 64))
	return s.keyword(method, name, numberNode(literal), formInteger, formNumber)
}

func (s *Schema) count(method, name string, n int, on form) *Schema {
	if n < 0 {
		return s.with(func(c *Schema) { c.fail(fmt.Errorf("%s(%d) is negative; use 0 or more", method, n)) })
	}
	return s.keyword(method, name, numberNode(fmt.Sprint(n)), on)
}

// keyword sets a keyword on the forms that it applies to.
func (s *Schema) keyword(method, name string, value *node, on ...form) *Schema {
	return s.with(func(c *Schema) {
		switch {
		case slices.Contains(on, c.form):
			c.setWord(name, value)
		case c.form == formNullable:
			c.fail(fmt.Errorf("%s stands outside schema.Nullable; call it on the schema inside", method))
		default:
			c.fail(fmt.Errorf("%s does not apply to %s; it applies to %s", method, c.form.words(), on[0].words()))
		}
	})
}
