package schema

import (
	"strconv"
	"strings"
	"unicode"
)

// maxViolations is how many violations are kept and told.
const maxViolations = 10

// Violations says what is wrong with a value, in words that a model can correct itself by. One is "arguments.limit:
// expected integer ≤ 100, got 250"; at most ten are told.
type Violations struct {
	root  string // what the value is called
	list  []violation
	count int // of all that were found
}

// A violation is one thing that is wrong with a value.
type violation struct {
	path string // from the root: ".filter.names[3]"
	text string
	bare bool // at the root the text stands alone
}

// Error joins the violations with "; ".
func (v *Violations) Error() string {
	var b strings.Builder
	for i, one := range v.list {
		if i > 0 {
			b.WriteString("; ")
		}
		if one.path != "" || !one.bare {
			b.WriteString(v.root)
			b.WriteString(one.path)
			b.WriteString(": ")
		}
		b.WriteString(one.text)
	}
	if more := v.count - len(v.list); more > 0 {
		b.WriteString("; and ")
		b.WriteString(strconv.Itoa(more))
		b.WriteString(" more")
	}
	return b.String()
}

// Len returns how many violations were found, told or not.
func (v *Violations) Len() int { return v.count }

// found returns how many violations there are so far.
func (w *walker) found() int {
	if w.bad == nil {
		return 0
	}
	return w.bad.count
}

// below prepends the name of a member to the violations that were found since.
func (w *walker) below(since int, name string) {
	if w.found() > since {
		w.prepend(since, memberPath(name))
	}
}

// belowItem prepends the position of an element to the violations that were found since.
func (w *walker) belowItem(since, i int) {
	if w.found() > since {
		w.prepend(since, "["+strconv.Itoa(i)+"]")
	}
}

func (w *walker) prepend(since int, step string) {
	for i := since; i < len(w.bad.list); i++ {
		w.bad.list[i].path = step + w.bad.list[i].path
	}
}

// memberPath words a step to a member: .name, or ["any name"].
func memberPath(name string) string {
	for i, r := range name {
		if r != '_' && r != '-' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return "[" + strconv.Quote(clip(name)) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + clip(name)
}

func (w *walker) add(v violation) {
	if w.bad == nil {
		w.bad = &Violations{root: w.root}
	}
	w.bad.count++
	if len(w.bad.list) < maxViolations {
		w.bad.list = append(w.bad.list, v)
	}
}

// untold counts a violation that will not be told, so that no work goes into its words: a hostile value can have a
// hundred thousand.
func (w *walker) untold() bool {
	if w.found() < maxViolations {
		return false
	}
	w.bad.count++
	return true
}

// expected reports a value that is not what was expected.
func (w *walker) expected(what string, value []byte) {
	if w.untold() {
		return
	}
	w.add(violation{text: "expected " + what + ", got " + describeValue(value)})
}

// noun is what a member is called: an argument at the root of arguments, a field at that of a form, a property elsewhere.
func (w *walker) noun() string {
	switch {
	case w.depth == 1 && w.root == rootArguments:
		return "argument"
	case w.depth == 1 && w.root == rootForm:
		return "field"
	}
	return "property"
}

func (w *walker) missing(p *propertyRule) {
	if w.untold() {
		return
	}
	text := "missing required " + w.noun() + " " + strconv.Quote(p.name)
	if p.plan != nil && !p.plan.free() {
		text += " (" + p.plan.String() + ")"
	}
	w.add(violation{text: text, bare: true})
}

func (w *walker) unknown(name string, o *objectRule) {
	if w.untold() {
		return
	}
	text := "unknown " + w.noun() + " " + strconv.Quote(clip(name))
	var known []string
	for i := range o.properties {
		if o.properties[i].declared {
			known = append(known, o.properties[i].name)
		}
	}
	switch near := nearest(name, known); {
	case near != "":
		text += "; did you mean " + strconv.Quote(near) + "?"
	case len(known) == 0:
		text += "; none is accepted"
	default:
		text += "; known: " + quoteWords(known)
	}
	w.add(violation{text: text, bare: true})
}
