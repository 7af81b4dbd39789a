package yaml

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// The characters of the private use area, which stand in for others while the library writes.
const (
	firstPrivate = '\uE000'
	lastPrivate  = '\uF8FF'
)

// standIns work around the library, which escapes every character above U+FFFF (\U0001F600): valid, but no model's
// favourite. It is given a character of the private use area instead, one that the text does not have, and the exchange
// is undone in what it wrote.
type standIns struct {
	taken map[rune]bool // private characters of the text itself
	nodes []*yaml.Node  // whose strings have characters above U+FFFF
}

// note looks at a string of the document.
func (s *standIns) note(n *yaml.Node) {
	above := false
	for _, r := range n.Value {
		switch {
		case r > '\uFFFF':
			above = true
		case firstPrivate <= r && r <= lastPrivate:
			if s.taken == nil {
				s.taken = map[rune]bool{}
			}
			s.taken[r] = true
		}
	}
	if above && !strings.HasPrefix(n.Value, "\uFEFF") { // a string that begins with it is escaped throughout
		s.nodes = append(s.nodes, n)
	}
}

// exchange puts stand-ins into the document and returns what undoes that. Characters for which none is left stay.
func (s *standIns) exchange() (undo func(string) string) {
	if len(s.nodes) == 0 {
		return func(written string) string { return written }
	}
	there, back := map[rune]rune{}, map[rune]rune{}
	next := firstPrivate
	swap := func(r rune) rune {
		if r <= '\uFFFF' {
			return r
		}
		if standIn, known := there[r]; known {
			return standIn
		}
		for s.taken[next] {
			next++
		}
		if next > lastPrivate {
			return r
		}
		there[r], back[next] = next, r
		next++
		return there[r]
	}
	for _, n := range s.nodes {
		n.Value = strings.Map(swap, n.Value)
	}
	return func(written string) string {
		return strings.Map(func(r rune) rune {
			if own, swapped := back[r]; swapped {
				return own
			}
			return r
		}, written)
	}
}
