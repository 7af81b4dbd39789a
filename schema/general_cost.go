package schema

import "fmt"

// costs bounds what the general validator may be asked to do: a recursive schema with alternatives can visit a deep value
// an exponential number of times, and a schema that refers to itself in many places can be as large as that without
// recursion.
//
// basic/index#composition-keyword-resource-use: a server bounds the cost of validation.
type costs struct {
	root      *part
	recursive bool
}

const (
	maxExpanded  = 100_000   // parts of a schema once every reference is followed
	maxCost      = 64 << 20  // bytes that the general validator may look at, repeated looks counted
	cheapBelow   = 256 << 10 // bytes of a value
	costOfVisit  = 64        // a visit's own cost in the same unit
	costOfNaming = 16        // of passing over a member or an element, beside a quarter of its bytes
)

func costsOf(v *survey) (*costs, error) {
	c := &costs{root: v.root}
	const open = -1
	sizes := make(map[*part]int, len(v.parts))
	var size func(p *part) int
	size = func(p *part) int {
		switch known := sizes[p]; {
		case known == open:
			c.recursive = true
			return 0
		case known > 0:
			return known
		}
		sizes[p] = open
		total := 1
		for _, next := range p.all() {
			total = min(total+size(next), maxExpanded+1)
		}
		sizes[p] = total
		return total
	}
	if total := size(v.root); total > maxExpanded {
		return nil, fmt.Errorf("at the root: the schema has more than %d sub-schemas once its references are followed; refer less", maxExpanded)
	}
	return c, nil
}

// all returns every schema that a part applies to the value or to what is in it.
func (p *part) all() []*part {
	all := p.beside()
	all = all[:len(all):len(all)]
	for _, name := range p.node.names {
		if name == "properties" {
			all = append(all, p.branches[name]...)
		}
	}
	return append(append(append(all, p.members...), p.elements...), p.items...)
}

// affordable reports whether a value can be checked in reasonable time, by counting the visits that the worst case would
// take. Small values of schemas without recursion need not be counted: they are visited a bounded number of times.
func (c *costs) affordable(value []byte) bool {
	if !c.recursive && len(value) <= cheapBelow {
		return true
	}
	l := costing{lexer: lexer{src: value}, left: maxCost}
	return l.visit(c.root, 0)
}

// costing counts down what is left to spend.
type costing struct {
	lexer
	left int
}

// visit counts the visits to the value at pos by p and everything that p applies, and ends behind the value.
func (l *costing) visit(p *part, depth int) bool {
	start := l.pos
	for _, next := range p.beside() {
		l.pos = start
		if !l.visit(next, depth) {
			return false
		}
	}
	l.pos = start
	ok := true
	switch c := l.peek(); {
	case depth > maxValueDepth:
		return false
	case c == '{' || c == '[':
		ok = l.visitItems(p, c, depth+1)
	default:
		ok = l.skip(1)
	}
	l.left -= costOfVisit + l.pos - start
	return ok && l.left > 0
}

func (l *costing) visitItems(p *part, opening byte, depth int) bool {
	l.pos++
	for i := 0; ; i++ {
		another, ok := l.more(opening+2, i == 0)
		if !ok || !another {
			return ok
		}
		applied := p.items
		if opening == '{' {
			if applied, ok = l.visitName(p); !ok {
				return false
			}
		} else if i < len(p.elements) {
			applied = append(applied[:len(applied):len(applied)], p.elements[i])
		}
		l.space()
		start := l.pos
		if !l.skip(maxValueDepth) {
			return false
		}
		l.left -= costOfNaming + (l.pos-start)/4
		end := l.pos
		for _, next := range applied {
			l.pos = start
			if !l.visit(next, depth) {
				return false
			}
		}
		l.pos = end
	}
}

// visitName takes the name of a member and returns the schemas that apply to its value.
func (l *costing) visitName(p *part) ([]*part, bool) {
	name, ok := l.name()
	if !ok {
		return nil, false
	}
	applied := p.members
	if named := p.named[name]; named != nil {
		applied = append(applied[:len(applied):len(applied)], named)
	}
	return applied, true
}
