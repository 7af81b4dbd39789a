package schema

import (
	"bytes"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// string takes a string: first as its content, in lenient mode as the number or boolean in it.
func (w *walker) string(p *plan, b *binding, dst reflect.Value) bool {
	start := w.pos
	raw, escaped, ok := w.text()
	if !ok {
		return false
	}
	if !p.types.allows(typeString) {
		if w.lenient && !escaped && w.unquote(start, raw, p, b, dst) {
			return true
		}
		w.expected(p.String(), w.src[start:w.pos])
		return true
	}
	// A string is unescaped once, and only when somebody needs its content.
	var content string
	if escaped && (b != nil || p.text != nil || p.options != nil) {
		content = jsonstring.Unescape(raw)
	}
	shared := ""
	for _, o := range p.options {
		var found bool
		if escaped {
			shared, found = o.text([]byte(content))
		} else {
			shared, found = o.text(raw)
		}
		if !found {
			w.expected(o.words, w.src[start:w.pos])
			return true
		}
	}
	if p.text != nil {
		if wrong := p.text.check(raw, content, escaped); wrong != "" {
			w.expected(wrong, w.src[start:w.pos])
		}
	}
	if b != nil {
		if p.options != nil {
			content, escaped = shared, true // the listed text itself: no allocation
		}
		w.setText(raw, content, escaped, b, dst)
	}
	return true
}

// unquote reads a number or a boolean that was sent as a string where the plan wants one. It returns false when the
// content is neither.
func (w *walker) unquote(start int, raw []byte, p *plan, b *binding, dst reflect.Value) bool {
	if !p.types.allows(typeNumber) && !p.types.allows(typeInteger) && !p.types.allows(typeBoolean) {
		return false
	}
	inner := walker{lexer: lexer{src: raw}, root: w.root, depth: w.depth}
	if c := inner.peek(); inner.pos != 0 || c != '-' && c != 't' && c != 'f' && c-'0' > 9 {
		return false
	}
	if !inner.value(p, b, dst) || inner.pos != len(raw) || inner.mistypedOnly(p, raw) {
		return false
	}
	if inner.bad != nil {
		for _, v := range inner.bad.list {
			w.add(v)
		}
		return true
	}
	if w.mends {
		w.edits = append(w.edits, edit{start, w.pos, bytes.Clone(raw)})
	}
	return true
}

// mistypedOnly reports whether the content of a string is of no type that the plan wants, so that the string itself is
// the mistake to tell.
func (w *walker) mistypedOnly(p *plan, raw []byte) bool {
	isBoolean := raw[0] == 't' || raw[0] == 'f'
	return isBoolean && !p.types.allows(typeBoolean) || !isBoolean && p.types&(typeNumber|typeInteger) == 0
}

// check returns what a string violates, or nothing. content is the string when it was escaped; otherwise raw is.
func (r *textRule) check(raw []byte, content string, escaped bool) string {
	if r.least > 0 || r.most >= 0 {
		count := 0
		if escaped {
			count = utf8.RuneCountInString(content)
		} else {
			count = utf8.RuneCount(raw)
		}
		switch {
		case count < r.least:
			return "string of at least " + strconv.Itoa(r.least) + " characters"
		case r.most >= 0 && count > r.most:
			return "string of at most " + strconv.Itoa(r.most) + " characters"
		}
	}
	switch {
	case r.pattern == nil:
	case max(len(raw), len(content)) > r.longest:
		return "string of at most " + strconv.Itoa(r.longest) + " bytes, to be matched against " + clip(r.pattern.String())
	case escaped && !r.pattern.MatchString(content), !escaped && !r.pattern.Match(raw):
		return "string that matches " + clip(r.pattern.String())
	}
	return ""
}
