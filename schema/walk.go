package schema

import (
	"reflect"
	"strconv"
)

const (
	maxValueDepth = 512
	rootArguments = "arguments"
	rootForm      = "form"
	rootResult    = "result"
)

// A walker takes one pass over a value with a plan: it checks, and fills a Go value or gathers what has to be changed in
// the text, if asked to.
//
// Its methods return false when the text is not JSON; the pass ends there. What is wrong with the value itself is added
// to bad, and the pass goes on to find the rest.
type walker struct {
	lexer
	root    string // what the value is called in messages
	lenient bool
	fills   bool // edits that fill defaults are gathered
	mends   bool // edits that unquote lenient values are gathered
	depth   int
	bad     *Violations
	edits   []edit
}

// An edit replaces src[from:to].
type edit struct {
	from, to int
	text     []byte
}

// walk checks a whole text.
func (w *walker) walk(p *plan, b *binding, dst reflect.Value) error {
	ok := w.value(p, b, dst)
	if ok {
		w.space()
		ok = w.pos == len(w.src)
	}
	if !ok {
		w.bad = &Violations{root: w.root}
		w.add(violation{text: "not valid JSON, or nested too deeply, near byte " + strconv.Itoa(w.pos) + " of " + strconv.Itoa(len(w.src)) + "; send one JSON value"})
	}
	if w.bad != nil {
		return w.bad
	}
	return nil
}

// complete checks a text and returns it with its defaults filled in; the text itself when there was nothing to fill.
func (w *walker) complete(p *plan) ([]byte, error) {
	w.fills, w.mends = true, true
	return w.edited(p)
}

// edited checks a text and returns it with the edits that were asked for.
func (w *walker) edited(p *plan) ([]byte, error) {
	if err := w.walk(p, nil, reflect.Value{}); err != nil {
		return nil, err
	}
	if len(w.edits) == 0 {
		return w.src, nil
	}
	size := len(w.src)
	for _, e := range w.edits {
		size += len(e.text)
	}
	out, from := make([]byte, 0, size), 0
	for _, e := range w.edits {
		out = append(append(out, w.src[from:e.from]...), e.text...)
		from = e.to
	}
	return append(out, w.src[from:]...), nil
}

// value takes the next value. b is nil when only the check is wanted; dst is then unused.
func (w *walker) value(p *plan, b *binding, dst reflect.Value) bool {
	c := w.peek()
	for b != nil && b.set == setPointer && c != 'n' {
		dst.Set(reflect.New(b.elem.typ))
		b, dst = b.elem, dst.Elem()
	}
	if p == nil || p.free() {
		return w.free(b, dst)
	}
	if p.orNull != nil {
		if c == 'n' {
			return w.null(b, dst)
		}
		return w.value(p.orNull, b, dst)
	}
	if p.never {
		start := w.pos
		ok := w.skip(maxValueDepth - w.depth)
		w.expected("no value here", w.src[start:w.pos])
		return ok
	}
	start, since, target := w.pos, w.found(), b
	if b != nil && b.set == setOpaque {
		target = nil // it takes the text as a whole
	}
	ok := w.kind(c, p, target, dst)
	if ok && len(p.options) > 0 && c != '"' {
		w.listed(p, w.src[start:w.pos])
	}
	if ok && target != b && w.found() == since {
		text := w.src[start:w.pos]
		if c == '"' && !p.types.allows(typeString) {
			text = text[1 : len(text)-1] // accepted leniently for what it holds
		}
		w.opaque(b, text, dst)
	}
	return ok
}

func (w *walker) kind(c byte, p *plan, b *binding, dst reflect.Value) bool {
	switch c {
	case '{':
		if !p.types.allows(typeObject) {
			return w.mistyped(p)
		}
		return w.object(p, b, dst)
	case '[':
		if !p.types.allows(typeArray) {
			return w.mistyped(p)
		}
		return w.array(p, b, dst)
	case '"':
		return w.string(p, b, dst)
	case 't', 'f':
		if !p.types.allows(typeBoolean) {
			return w.mistyped(p)
		}
		return w.boolean(c == 't', b, dst)
	case 'n':
		if !p.types.allows(typeNull) {
			return w.mistyped(p)
		}
		return w.null(b, dst)
	}
	return w.numeric(p, b, dst)
}

// free takes a value that nothing is known of.
func (w *walker) free(b *binding, dst reflect.Value) bool {
	start := w.pos
	if !w.skip(maxValueDepth - w.depth) {
		return false
	}
	switch {
	case b == nil:
	case b.set == setPointer:
		dst.SetZero() // the value is null
	default:
		w.opaque(b, w.src[start:w.pos], dst)
	}
	return true
}

// mistyped skips a value of a type that the plan refuses.
func (w *walker) mistyped(p *plan) bool {
	start := w.pos
	ok := w.skip(maxValueDepth - w.depth)
	w.expected(p.String(), w.src[start:w.pos])
	return ok
}

// listed checks a value that is no string against every enumeration.
func (w *walker) listed(p *plan, value []byte) {
	for _, o := range p.options {
		if len(o.other) == 0 || !o.other[canonical(value)] {
			w.expected(o.words, value)
			return
		}
	}
}

func (w *walker) null(b *binding, dst reflect.Value) bool {
	if !w.literal("null") {
		return false
	}
	if b != nil {
		dst.SetZero()
	}
	return true
}

func (w *walker) boolean(value bool, b *binding, dst reflect.Value) bool {
	start := w.pos
	if !w.literal("true") && !w.literal("false") {
		return false
	}
	if b != nil {
		w.setBool(value, w.src[start:w.pos], b, dst)
	}
	return true
}
