package uri

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// MaxURI is the length in bytes of the longest URI that matches, and of the longest template.
	MaxURI = 8 << 10
	// MaxVariables is the largest number of variables in one template.
	MaxVariables = 32
)

// Template is a parsed URI template. It is immutable and safe for concurrent use.
type Template struct {
	text   string
	names  []string // path variables, then query names
	pieces []piece  // as written, for Expand
	path   path
	query  *query // nil: the template has none
}

// path is the part of a template before its query: literals[0] vars[0] literals[1] … literals[len(vars)].
// Invariants: len(literals) == len(wide)+1; only the first and the last literal may be empty; no narrow variable
// stands between two wide ones.
type path struct {
	literals []string // canonical
	wide     []bool   // may variable i hold a raw '/'?
	lastWide int      // index of the last wide variable, -1 without one
	tail     int      // slashes in the literals after lastWide, without the last literal
	least    int      // length of the shortest text that matches
}

// Parse reads a template. An error says at which character (counted from 1) what was found and what to write instead.
func Parse(text string) (*Template, error) {
	p := parser{text: text}
	if err := p.run(); err != nil {
		return nil, err
	}
	t := &Template{text: text, pieces: p.pieces}
	for _, piece := range p.pieces {
		if piece.name != "" {
			t.names = append(t.names, piece.name)
		}
	}
	if err := t.compile(&p); err != nil {
		return nil, err
	}
	return t, nil
}

// Names returns the names of the variables in order of appearance: the order of the values that Index.Match returns.
func (t *Template) Names() []string { return slices.Clone(t.names) }

// String returns the template as it was given to Parse.
func (t *Template) String() string { return t.text }

// Expand makes the URI that values stand for. A variable before the query needs a value that is not empty; a name of the
// query is left out when values does not hold it. Names that the template does not have are ignored. Values must be UTF-8,
// and the result, in ASCII, is at most MaxURI bytes.
func (t *Template) Expand(values map[string]string) (string, error) {
	// Not left to uritemplate, which escapes the bytes of a code point instead of those of its UTF-8 form.
	out := make([]byte, 0, 2*len(t.text))
	inQuery := false
	for i := range t.pieces {
		piece := &t.pieces[i]
		if piece.name == "" {
			out = appendEscaped(out, piece.literal, reserved)
			continue
		}
		value, given := values[piece.name]
		if piece.op.query && !given {
			continue
		}
		if value == "" && !piece.op.query {
			return "", fmt.Errorf("uri template %q: variable %q has no value; give it one that is not empty", t.text, piece.name)
		}
		if !utf8.ValidString(value) {
			return "", fmt.Errorf("uri template %q: the value of variable %q is not UTF-8; encode it first", t.text, piece.name)
		}
		if piece.op.query {
			if inQuery {
				out = append(out, '&')
			} else {
				out = append(out, piece.op.first...)
			}
			out = append(append(out, piece.name...), '=')
			inQuery = true
		}
		out = appendEscaped(out, value, t.keep(piece))
	}
	if len(out) > MaxURI {
		return "", fmt.Errorf("uri template %q: the expanded URI has %d bytes, at most %d are allowed; use shorter values", t.text, len(out), MaxURI)
	}
	return string(out), nil
}

// keep returns the reserved characters that stay raw in the value of a piece.
func (t *Template) keep(piece *piece) string {
	switch {
	case piece.exploded:
		return "/"
	case !piece.op.wide:
		return ""
	case t.query != nil:
		return wideWithQuery // a raw '?' would begin the query too early
	default:
		return wideKeep
	}
}

const (
	wideKeep      = "!#$&'()*+,/:;=?@[]"
	wideWithQuery = "!#$&'()*+,/:;=@[]"
)

// compile turns the pieces into what is matched and refuses what cannot be decided.
func (t *Template) compile(p *parser) error {
	t.path.literals = []string{""}
	var names []string
	for i := range p.pieces {
		piece := &p.pieces[i]
		last := len(t.path.literals) - 1
		switch {
		case piece.name == "":
			t.path.literals[last] += piece.literal
		case piece.op.query:
			names = append(names, piece.name)
		default:
			t.path.literals = append(t.path.literals, "")
			t.path.wide = append(t.path.wide, piece.op.wide || piece.exploded)
		}
	}
	if len(names) > 0 {
		t.query = &query{names: names}
		if p.continued {
			last := &t.path.literals[len(t.path.literals)-1]
			*last, t.query.fixed, _ = strings.Cut(*last, "?")
			t.query.begun = true
		}
	}
	return t.path.finish(t, p)
}

// finish makes the literals canonical and fills in what matching derives from them.
func (w *path) finish(t *Template, p *parser) error {
	valid := true
	for i, literal := range w.literals {
		var ok bool
		w.literals[i], ok = canonical(literal)
		valid = valid && ok
		w.least += len(w.literals[i])
	}
	if t.query != nil {
		var ok bool
		t.query.fixed, ok = canonical(t.query.fixed)
		valid = valid && ok
	}
	if !valid {
		return p.fail(strings.IndexByte(t.text, '%'), "the escapes do not decode to UTF-8; escape the bytes of whole UTF-8 characters")
	}
	w.least += len(w.wide)
	w.lastWide = -1
	for i, wide := range w.wide {
		if wide {
			w.lastWide = i
		}
	}
	for _, literal := range w.literals[w.lastWide+1 : max(w.lastWide+1, len(w.wide))] {
		w.tail += strings.Count(literal, "/")
	}
	return nil
}
