package jsonrpc

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// fewNames is the size of an object up to which its names are compared pair by pair; from about here
// on hashing is cheaper.
const fewNames = 32

// names is a stack of the names of all open objects, the innermost last. It needs no allocation
// while few are open at once.
type names struct {
	count int
	few   [fewNames]span
	many  []span // takes the place of few once that has overflowed
}

func (n *names) push(name span) {
	switch {
	case n.many != nil:
		n.many = append(n.many[:n.count], name)
	case n.count < len(n.few):
		n.few[n.count] = name
	default:
		n.many = append(append(make([]span, 0, 4*len(n.few)), n.few[:]...), name)
	}
	n.count++
}

// from returns the names from the i-th on.
func (n *names) from(i int) []span {
	if n.many != nil {
		return n.many[i:n.count]
	}
	return n.few[i:n.count]
}

// nameMarks has a bit for each name of an object, by its length and its last byte. Names are compared only where two
// have the same: most objects have no such two, which saves 3 % of a call.
type nameMarks struct {
	bits uint64
	met  bool // two names may be the same
}

func (n *nameMarks) add(name []byte) {
	mark := len(name) << 3
	if len(name) > 0 {
		mark += int(name[len(name)-1])
	}
	bit := uint64(1) << (mark & 63)
	n.met = n.met || n.bits&bit != 0
	n.bits |= bit
}

// name reads the member name at p, notes it for the search for duplicates, and returns its decoded
// text and the position behind it, or -1.
func (s *scanner) name(p int) ([]byte, int) {
	if p >= len(s.data) || s.data[p] != '"' {
		return nil, s.fail(p, "expected a member name in double quotes")
	}
	if quote := jsonstring.Short(s.data, p+1); quote > 0 {
		s.names.push(span{uint32(p + 1), uint32(quote)})
		return s.data[p+1 : quote], quote + 1
	}
	end, escaped := s.text(p)
	if end < 0 {
		return nil, -1
	}
	if !escaped {
		s.names.push(span{uint32(p + 1), uint32(end - 1)})
		return s.data[p+1 : end-1], end
	}
	start := len(s.spelled)
	s.spelled = jsonstring.AppendUnescaped(s.spelled, s.data[p+1:end-1])
	s.names.push(span{uint32(len(s.data) + start), uint32(len(s.data) + len(s.spelled))})
	return s.spelled[start:], end
}

// nameText returns the decoded text of a noted name. Spans behind the data are those of names that
// were spelled with escapes.
func (s *scanner) nameText(n span) []byte {
	if size := uint32(len(s.data)); n.start >= size {
		return s.spelled[n.start-size : n.end-size]
	}
	return s.data[n.start:n.end]
}

// duplicate returns the first name that repeats an earlier one of the same object.
func (s *scanner) duplicate(names []span) (name []byte, found bool) {
	if len(names) > fewNames {
		return s.duplicateOfMany(names)
	}
	for i := 1; i < len(names); i++ {
		size := names[i].end - names[i].start
		for _, earlier := range names[:i] {
			if earlier.end-earlier.start == size && bytes.Equal(s.nameText(earlier), s.nameText(names[i])) {
				return s.nameText(names[i]), true
			}
		}
	}
	return nil, false
}

// duplicateOfMany is duplicate with an open-addressed table. The seed is fresh, so that nobody can
// choose names that collide.
func (s *scanner) duplicateOfMany(names []span) (name []byte, found bool) {
	seed := maphash.MakeSeed()
	table := make([]uint32, 1<<bits.Len(uint(2*len(names)))) // positions in names plus one; at most half full
	mask := uint64(len(table) - 1)
	for i, n := range names {
		text := s.nameText(n)
		slot := maphash.Bytes(seed, text) & mask
		for ; table[slot] != 0; slot = (slot + 1) & mask {
			if bytes.Equal(s.nameText(names[table[slot]-1]), text) {
				return text, true
			}
		}
		table[slot] = uint32(i + 1)
	}
	return nil, false
}
