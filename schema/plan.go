package schema

import (
	"regexp"
	"strconv"
	"strings"
)

// types is a set of JSON Schema types; 0 stands for all of them.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeObject
	typeArray
	typeString
	typeNumber
	typeInteger
)

func typeNamed(name string) types {
	switch name {
	case "null":
		return typeNull
	case "boolean":
		return typeBoolean
	case "object":
		return typeObject
	case "array":
		return typeArray
	case "string":
		return typeString
	case "number":
		return typeNumber
	case "integer":
		return typeInteger
	}
	return 0
}

// String words the set as a model reads it: "string or null".
func (t types) String() string {
	var names []string
	for _, name := range []string{"boolean", "object", "array", "string", "number", "integer", "null"} {
		if t&typeNamed(name) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

func (t types) allows(one types) bool { return t == 0 || t&one != 0 }

// A plan decides about a value in one pass over its bytes. Rules that are nil do not restrict anything; a rule applies to
// values of its own kind alone. A plan is immutable once its planner is done; recursive schemas make it a graph.
type plan struct {
	types   types
	never   bool  // nothing is accepted
	orNull  *plan // not nil: null, or what this plan accepts; the other fields are unused
	options []*options
	number  *numberRule
	text    *textRule
	object  *objectRule
	array   *arrayRule
}

// free reports whether every value is accepted.
func (p *plan) free() bool {
	return p.types == 0 && !p.never && p.orNull == nil && p.options == nil && p.number == nil && p.text == nil &&
		p.object == nil && p.array == nil
}

// String words what a plan expects, as far as its type and its enumeration say.
func (p *plan) String() string {
	switch {
	case p.orNull != nil:
		return p.orNull.String() + " or null"
	case p.never:
		return "nothing"
	case len(p.options) > 0:
		return p.options[0].words
	case p.types == 0:
		return "any value"
	}
	return p.types.String()
}

// options are the values that enum, const or titled branches list.
type options struct {
	words string // "one of "a", "b""
	texts []string
	index map[string]int  // texts by content, where there are many
	other map[string]bool // canonical texts of what is no string
}

// text returns the listed string that equals b.
func (o *options) text(b []byte) (string, bool) {
	if o.index != nil {
		i, ok := o.index[string(b)]
		if !ok {
			return "", false
		}
		return o.texts[i], true
	}
	for _, t := range o.texts {
		if string(b) == t {
			return t, true
		}
	}
	return "", false
}

type textRule struct {
	least, most int // in code points; most is -1 without a bound
	pattern     *regexp.Regexp
	longest     int // bytes of a string that is matched against the pattern
}

type arrayRule struct {
	items       *plan
	least, most int
	unique      bool
}

type objectRule struct {
	properties  []propertyRule
	index       map[string]int // properties by name, where there are many
	closed      bool           // members that are not declared are refused
	extra       *plan          // what others must satisfy; nil: anything
	least, most int
	defaults    bool // a property has a default
}

// A propertyRule is a declared or required member. Order is that of the schema.
type propertyRule struct {
	name     string
	quoted   []byte // the name as JSON text
	plan     *plan
	declared bool // it stands in properties
	required bool
	fallback []byte // the default as JSON text, completed by its own plan; nil: none
}

// manyNames is where a map finds a name faster than comparing does.
const manyNames = 8

// find returns the index of a member by name, or -1. Callers send members in the order of the schema as a rule, so next
// is tried first.
func (o *objectRule) find(name []byte, next int) int {
	if next < len(o.properties) && string(name) == o.properties[next].name {
		return next
	}
	if o.index != nil {
		if i, ok := o.index[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range o.properties {
		if string(name) == o.properties[i].name {
			return i
		}
	}
	return -1
}

// numberRule bounds a number, exactly.
type numberRule struct {
	bounds []bound
	// low and high are the bounds for integers that fit int64: low > high when no such integer is within them.
	low, high int64
	factor    *factor
	step      uint64 // factor as an integer, or 0
	stepText  string
}

// A bound is one end of the numbers that are accepted.
type bound struct {
	limit decimal
	keep  int  // the sign that limit.compare(value) must not have: 1 for a lower bound, -1 for an upper one
	open  bool // the limit itself is refused
	words string
}

func (b bound) refuses(value decimal) bool {
	c := b.limit.compare(value)
	return c == b.keep || b.open && c == 0
}

func quoteWords(texts []string) string {
	const most = 12
	var words []string
	for i, t := range texts {
		if i == most {
			words = append(words, "… ("+strconv.Itoa(len(texts))+" in all)")
			break
		}
		words = append(words, strconv.Quote(clip(t)))
	}
	return strings.Join(words, ", ")
}
