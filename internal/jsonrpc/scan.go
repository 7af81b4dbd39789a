package jsonrpc

import (
	"strconv"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// The strict pass is written by hand. The JSON library needs nearly twice the time for a tool call
// and four times the time for a string of 64 KiB, bounds depth at 10,000 only, and would need a pool;
// here one pass without allocations finds syntax, encoding, depth, duplicates and the wanted members.
// The library is the slow twin in the tests: both must come to the same verdict and values.

// scanner is the state of one strict pass. Its methods take the position of the first byte of what
// they read and return the position behind it, or -1 after fail.
type scanner struct {
	data    []byte
	deepest int // how many brackets may be open at once
	names   names
	spelled []byte // the decoded text of those names that had escapes

	message *Message
	index   *Index
	fields  [fieldCount]span

	reason string
	at     int
}

// place is where an object stands; only in some places members are wanted.
type place uint8

const (
	elsewhere place = iota
	inEnvelope
	inParams
	inMeta
	inError
)

// fail notes why and where the pass ends.
func (s *scanner) fail(at int, reason string) int {
	s.at, s.reason = at, reason
	return -1
}

const textEnds = "the text ends inside a value"

func (s *scanner) failDepth(at int) int {
	return s.fail(at, "objects and arrays are nested too deeply; at most "+strconv.Itoa(s.deepest)+" levels are read")
}

// blankSet has a bit for each of the four blanks of JSON.
const blankSet = 1<<' ' | 1<<'\n' | 1<<'\r' | 1<<'\t'

// blanks returns the position of the first byte at or after p that is no blank.
func (s *scanner) blanks(p int) int {
	for p < len(s.data) && s.data[p] <= ' ' && blankSet>>s.data[p]&1 != 0 {
		p++
	}
	return p
}

// value reads any value. depth is how many brackets are open around it.
func (s *scanner) value(p, depth int) int {
	if p >= len(s.data) {
		return s.fail(p, textEnds)
	}
	switch c := s.data[p]; c {
	case '"':
		if quote := jsonstring.Short(s.data, p+1); quote > 0 {
			return quote + 1
		}
		end, _ := s.text(p)
		return end
	case '{':
		return s.object(p, depth+1, elsewhere)
	case '[':
		return s.array(p, depth+1)
	case 't':
		return s.literal(p, "true")
	case 'f':
		return s.literal(p, "false")
	case 'n':
		return s.literal(p, "null")
	default:
		return s.number(p)
	}
}

// object reads an object. depth counts its own bracket.
func (s *scanner) object(p, depth int, in place) int {
	if depth > s.deepest {
		return s.failDepth(p)
	}
	outerNames, outerSpelled := s.names.count, len(s.spelled)
	p = s.blanks(p + 1)
	if p < len(s.data) && s.data[p] == '}' {
		return p + 1
	}
	var marks nameMarks
	for {
		var name []byte
		if name, p = s.name(p); p < 0 {
			return -1
		}
		marks.add(name)
		if p = s.blanks(p); p >= len(s.data) || s.data[p] != ':' {
			return s.fail(p, "expected ':' after a member name")
		}
		if p = s.blanks(p + 1); in == elsewhere {
			p = s.value(p, depth)
		} else {
			p = s.member(p, depth, in, name)
		}
		if p < 0 {
			return -1
		}
		p = s.blanks(p)
		if p < len(s.data) && s.data[p] == ',' {
			p = s.blanks(p + 1)
			continue
		}
		if p >= len(s.data) || s.data[p] != '}' {
			return s.fail(p, "expected ',' or '}' after a member")
		}
		if marks.met {
			if name, found := s.duplicate(s.names.from(outerNames)); found {
				return s.fail(p, "the object that ends here has the member "+strconv.Quote(string(name[:min(len(name), 64)]))+" twice")
			}
		}
		s.names.count, s.spelled = outerNames, s.spelled[:outerSpelled]
		return p + 1
	}
}

// array reads an array. depth counts its own bracket.
func (s *scanner) array(p, depth int) int {
	if depth > s.deepest {
		return s.failDepth(p)
	}
	p = s.blanks(p + 1)
	if p < len(s.data) && s.data[p] == ']' {
		return p + 1
	}
	for {
		if p = s.value(p, depth); p < 0 {
			return -1
		}
		p = s.blanks(p)
		if p < len(s.data) && s.data[p] == ',' {
			p = s.blanks(p + 1)
			continue
		}
		if p >= len(s.data) || s.data[p] != ']' {
			return s.fail(p, "expected ',' or ']' after an element")
		}
		return p + 1
	}
}

// literal reads true, false or null.
func (s *scanner) literal(p int, word string) int {
	if end := p + len(word); end <= len(s.data) && string(s.data[p:end]) == word {
		return end
	}
	return s.fail(p, "expected a value")
}

// number reads a number of any size.
func (s *scanner) number(p int) int {
	if s.data[p] == '-' {
		p++
	}
	if p = s.integer(p); p < 0 {
		return -1
	}
	if p < len(s.data) && s.data[p] == '.' {
		if p = s.digits(p + 1); p < 0 {
			return -1
		}
	}
	if p < len(s.data) && s.data[p]|0x20 == 'e' {
		p++
		if p < len(s.data) && (s.data[p] == '+' || s.data[p] == '-') {
			p++
		}
		return s.digits(p)
	}
	return p
}

// integer reads digits without a needless leading zero.
func (s *scanner) integer(p int) int {
	if p < len(s.data) && s.data[p] == '0' {
		return p + 1
	}
	return s.digits(p)
}

// digits reads one digit or more.
func (s *scanner) digits(p int) int {
	start := p
	for p < len(s.data) && s.data[p]-'0' <= 9 {
		p++
	}
	if p > start {
		return p
	}
	if p >= len(s.data) {
		return s.fail(p, textEnds)
	}
	return s.fail(p, "expected a value")
}
