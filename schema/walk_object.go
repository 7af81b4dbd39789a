package schema

import (
	"reflect"
	"strconv"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// seen remembers which declared members an object has.
type seen struct {
	few  [4]uint64
	many []uint64 // beyond 256 members
}

// mark returns false when i was marked before.
func (s *seen) mark(i int) bool {
	bits := s.few[:]
	if s.many != nil {
		bits = s.many
	}
	bit := uint64(1) << (i % 64)
	if bits[i/64]&bit != 0 {
		return false
	}
	bits[i/64] |= bit
	return true
}

func (s *seen) has(i int) bool {
	if s.many != nil {
		return s.many[i/64]&(1<<(i%64)) != 0
	}
	return s.few[i/64]&(1<<(i%64)) != 0
}

// object takes an object.
func (w *walker) object(p *plan, b *binding, dst reflect.Value) bool {
	rule := p.object
	if rule == nil {
		rule = &objectRule{most: -1}
	}
	if w.depth++; w.depth > maxValueDepth {
		return false
	}
	b = w.begin(b, setStruct, setMap, dst)
	w.pos++
	var have seen
	if len(rule.properties) > 64*len(have.few) {
		have.many = make([]uint64, (len(rule.properties)+63)/64)
	}
	count, next := 0, 0
	for {
		another, ok := w.more('}', count == 0)
		if !ok {
			return false
		}
		if !another {
			break
		}
		i, ok := w.member(rule, next, &have, b, dst)
		if !ok {
			return false
		}
		if i >= 0 {
			next = i + 1
		}
		count++
	}
	w.close(rule, &have, count, b, dst)
	w.size("properties", count, rule.least, rule.most)
	w.depth--
	return true
}

// member takes a name and its value, and returns the index of the declared member or -1.
func (w *walker) member(rule *objectRule, next int, have *seen, b *binding, dst reflect.Value) (i int, ok bool) {
	if w.peek() != '"' {
		return -1, false
	}
	raw, escaped, ok := w.text()
	if !ok || !w.take(':') {
		return -1, false
	}
	if escaped {
		raw = []byte(jsonstring.Unescape(raw))
	}
	since := w.found()
	if i = rule.find(raw, next); i < 0 || !rule.properties[i].declared {
		if i >= 0 {
			have.mark(i)
		}
		return i, w.undeclared(rule, raw, b, dst)
	}
	property := &rule.properties[i]
	if !have.mark(i) {
		w.add(violation{text: "given twice; send it once"})
		w.below(since, property.name)
		return i, w.skip(maxValueDepth - w.depth)
	}
	if b != nil && b.set == setMap {
		ok = w.entry(property.plan, raw, b, dst)
	} else {
		field, target := b.field(rule, i, dst)
		ok = w.value(property.plan, field, target)
	}
	w.below(since, property.name)
	return i, ok
}

// undeclared takes the value of a member that the schema does not name.
func (w *walker) undeclared(rule *objectRule, name []byte, b *binding, dst reflect.Value) bool {
	since := w.found()
	switch {
	case rule.closed:
		w.unknown(string(name), rule)
		return w.skip(maxValueDepth - w.depth)
	case rule.extra == nil && b == nil:
		return w.skip(maxValueDepth - w.depth)
	}
	var ok bool
	if b != nil && b.set == setMap {
		ok = w.entry(rule.extra, name, b, dst)
	} else {
		field, target := b.fieldNamed(name, dst)
		ok = w.value(rule.extra, field, target)
	}
	if w.found() > since {
		w.below(since, string(name))
	}
	return ok
}

// close looks for members that are absent: required ones are missed, defaults are filled in.
func (w *walker) close(rule *objectRule, have *seen, count int, b *binding, dst reflect.Value) {
	for i := range rule.properties {
		property := &rule.properties[i]
		switch {
		case have.has(i):
		case property.required:
			w.missing(property)
		case property.fallback != nil:
			w.fill(rule, i, count, b, dst)
			count++
		}
	}
}

// fill gives an absent member its default.
func (w *walker) fill(rule *objectRule, i, count int, b *binding, dst reflect.Value) {
	property := &rule.properties[i]
	if w.fills {
		end := w.pos - 1 // the closing brace
		text := make([]byte, 0, len(property.quoted)+len(property.fallback)+2)
		if count > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, property.quoted...), ':'), property.fallback...)
		w.edits = append(w.edits, edit{end, end, text})
	}
	if b == nil {
		return
	}
	inner := walker{lexer: lexer{src: property.fallback}, root: w.root, depth: w.depth}
	since := w.found()
	if b.set == setMap {
		inner.entry(property.plan, []byte(property.name), b, dst)
	} else {
		field, target := b.field(rule, i, dst)
		inner.value(property.plan, field, target)
	}
	if inner.bad != nil {
		for _, v := range inner.bad.list {
			w.add(v)
		}
		w.below(since, property.name)
	}
}

// size checks how many members or elements there are.
func (w *walker) size(what string, count, least, most int) bool {
	switch {
	case count < least:
		w.add(violation{text: "expected at least " + strconv.Itoa(least) + " " + what + ", got " + strconv.Itoa(count)})
		return false
	case most >= 0 && count > most:
		w.add(violation{text: "expected at most " + strconv.Itoa(most) + " " + what + ", got " + strconv.Itoa(count)})
		return false
	}
	return true
}

// array takes an array.
func (w *walker) array(p *plan, b *binding, dst reflect.Value) bool {
	rule := p.array
	if rule == nil {
		rule = &arrayRule{most: -1}
	}
	if w.depth++; w.depth > maxValueDepth {
		return false
	}
	b = w.begin(b, setSlice, setArray, dst)
	w.pos++
	var items map[string]int
	count := 0
	for ; ; count++ {
		another, ok := w.more(']', count == 0)
		if !ok {
			return false
		}
		if !another {
			break
		}
		w.space()
		from, since := w.pos, w.found()
		elem, target := b.element(count, dst)
		if !w.value(rule.items, elem, target) {
			return false
		}
		w.belowItem(since, count)
		if rule.unique {
			items = w.distinct(items, w.src[from:w.pos], count)
		}
	}
	if w.size("items", count, rule.least, rule.most) {
		w.fit(count, b, dst)
	}
	w.depth--
	return true
}

// distinct reports an element that equals an earlier one.
func (w *walker) distinct(items map[string]int, value []byte, i int) map[string]int {
	if items == nil {
		items = map[string]int{}
	}
	key := canonical(value)
	if first, taken := items[key]; taken {
		w.add(violation{text: "expected different items, but [" + strconv.Itoa(i) + "] equals [" + strconv.Itoa(first) + "]"})
		return items
	}
	items[key] = i
	return items
}
