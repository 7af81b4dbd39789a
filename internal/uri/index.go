package uri

import (
	"math"
	"slices"
	"strings"
)

// Index finds the template that a URI belongs to. It is immutable and safe for concurrent use.
type Index struct {
	templates []*Template
	whole     *node // templates without a query, by the whole URI; nil when there are none
	cut       *node // templates with a query, by the URI up to its '?'
}

// NewIndex makes an index of templates. The index keeps the slice's elements, not the slice.
func NewIndex(templates []*Template) *Index {
	ix := &Index{templates: slices.Clone(templates)}
	for i, t := range ix.templates {
		root := &ix.whole
		if t.query != nil {
			root = &ix.cut
		}
		if *root == nil {
			*root = &node{first: i}
		}
		(*root).insert(&t.path, i)
	}
	return ix
}

// Match finds the first template, in the order given to NewIndex, that uri is an expansion of. out holds the values of its
// variables in the order of Template.Names, appended to values[:0]: decoded, and "" for names of a query that uri does not
// hold. A URI without escapes costs no allocation when values has room. Without a match i is -1 and out is values[:0].
// URIs longer than MaxURI match nothing.
func (ix *Index) Match(uri string, values []string) (i int, out []string, ok bool) {
	values = values[:0]
	if len(uri) > MaxURI {
		return -1, values, false
	}
	text, ok := canonical(uri)
	if !ok {
		return -1, values, false
	}
	s := search{templates: ix.templates, text: text, key: text, best: math.MaxInt}
	if ix.whole != nil {
		ix.whole.find(&s, 0)
	}
	if ix.cut != nil {
		s.key, s.query, s.present = strings.Cut(text, "?")
		ix.cut.find(&s, 0)
	}
	if s.best == math.MaxInt {
		return -1, values, false
	}
	for k := range ix.templates[s.best].names {
		values = append(values, decoded(text[s.found[k].from:s.found[k].to]))
	}
	return s.best, values, true
}

// search is one look-up on its way through a trie.
type search struct {
	templates []*Template
	text      string // canonical URI
	key       string // what the trie in hand knows: text, or text up to its '?'
	query     string // what follows the '?'
	present   bool   // is there a '?'
	best      int    // lowest template that matched so far
	found     spans  // of best
	scratch   spans
}

// try matches the templates of a leaf, which are in ascending order.
func (s *search) try(leaf []int) {
	for _, i := range leaf {
		if i >= s.best {
			return
		}
		t := s.templates[i]
		if !t.path.match(s.key, &s.scratch) {
			continue
		}
		if t.query != nil {
			found := s.scratch[len(t.path.wide):len(t.names)]
			if !t.query.match(s.query, s.present, found, len(s.key)+1) {
				continue
			}
		}
		s.best, s.found = i, s.scratch
		return
	}
}
