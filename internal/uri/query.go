package uri

import "strings"

// query is the {?…} or {&…} at the end of a template.
type query struct {
	names []string
	begun bool   // {&…}: fixed stands first
	fixed string // canonical
}

// match fills found with the values in text, what follows the '?' of a URI; present says whether there was one.
func (q *query) match(text string, present bool, found []span, offset int) bool {
	clear(found)
	if !q.begun {
		return !present || q.pairs(text, found, offset)
	}
	rest, ok := strings.CutPrefix(text, q.fixed)
	if !present || !ok {
		return false
	}
	if rest == "" {
		return true
	}
	return rest[0] == '&' && q.pairs(rest[1:], found, offset+len(q.fixed)+1)
}

// pairs reads name=value pairs. It ends after at most one pair a name, because no name may come twice.
func (q *query) pairs(text string, found []span, offset int) bool {
	var seen uint32
	for {
		pair, rest, more := strings.Cut(text, "&")
		name, value, ok := strings.Cut(pair, "=")
		if !ok || strings.IndexByte(value, '#') >= 0 {
			return false
		}
		i := q.index(name)
		if i < 0 || seen&(1<<i) != 0 {
			return false
		}
		seen |= 1 << i
		from := offset + len(name) + 1
		found[i] = span{uint16(from), uint16(from + len(value))}
		if !more {
			return true
		}
		offset += len(pair) + 1
		text = rest
	}
}

func (q *query) index(name string) int {
	for i, n := range q.names {
		if n == name {
			return i
		}
	}
	return -1
}
