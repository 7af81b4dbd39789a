package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// CheckType reports where a schema that was written by hand and a Go type cannot go together, joined, each with its path,
// such as .filter.names[]. As an input schema it must not accept a kind of value or declare a member that the type cannot
// hold; as an output schema it must not refuse every value that the type gives. What depends on a single value, such as a
// length or a bound, is not looked at, and neither is a schema or a type that is wrong in itself: [Schema.Compile] reports
// that.
func (s *Schema) CheckType(t reflect.Type, role Role) error {
	declared, inferred := newRenderer(role), newRenderer(role)
	f := &fit{seen: map[[2]*node]bool{}}
	f.declared, f.inferred = declared.document(s), inferred.document(Of(t))
	if declared.err() != nil || inferred.err() != nil {
		return nil
	}
	if role == Output {
		f.gives("", f.declared, f.inferred)
	} else {
		f.takes("", f.declared, f.inferred)
	}
	return errors.Join(f.found...)
}

// A fit compares a declared schema with the one of a Go type: kinds of values, and where they nest.
type fit struct {
	declared, inferred *node             // the roots, where definitions stand
	seen               map[[2]*node]bool // pairs that have been compared
	found              []error
}

// pair follows references and reports whether there is anything to compare.
func (f *fit) pair(declared, inferred *node) (*node, *node, bool) {
	declared, inferred = definitionIn(f.declared, declared), definitionIn(f.inferred, inferred)
	key := [2]*node{declared, inferred}
	if declared == nil || inferred == nil || f.seen[key] {
		return nil, nil, false
	}
	f.seen[key] = true
	return declared, inferred, true
}

// takes finds what a schema accepts and the Go type of an argument cannot hold.
func (f *fit) takes(path string, declared, inferred *node) {
	declared, inferred, ok := f.pair(declared, inferred)
	if !ok {
		return
	}
	for _, branch := range slices.Concat(elementsOf(declared.get("oneOf")), elementsOf(declared.get("anyOf"))) {
		f.takes(path, branch, inferred)
	}
	held := kindsOf(inferred)
	for _, kind := range kindsOf(declared) {
		if len(held) > 0 && !slices.Contains(held, kind) && !(kind == "integer" && slices.Contains(held, "number")) {
			f.add(path, "the schema has %s, but the Go type holds %s", kind, strings.Join(held, " or "))
			return
		}
	}
	f.takesMembers(path, declared, inferred)
	f.takes(path+"[]", declared.get("items"), inferred.get("items"))
}

func (f *fit) takesMembers(path string, declared, inferred *node) {
	if !slices.Contains(kindsOf(inferred), "object") {
		return
	}
	others := inferred.get("additionalProperties") // the values of a map, or false
	f.takes(path+"[]", declared.get("additionalProperties"), others)
	for name, member := range declared.get("properties").members() {
		target := inferred.get("properties").get(name)
		if target == nil && others != nil && others.kind == '{' {
			target = others
		}
		if target == nil {
			f.add(path, "the schema has property %q, but the Go type has no field for it", name)
			continue
		}
		f.takes(path+"."+name, member, target)
	}
}

// gives finds what a Go type gives as a result and the schema refuses always.
func (f *fit) gives(path string, declared, inferred *node) {
	declared, inferred, ok := f.pair(declared, inferred)
	if !ok {
		return
	}
	for _, branch := range slices.Concat(elementsOf(inferred.get("oneOf")), elementsOf(inferred.get("anyOf"))) {
		f.gives(path, declared, branch)
	}
	wanted, given := kindsOf(declared), kindsOf(inferred)
	if len(wanted) > 0 && len(given) > 0 && !slices.ContainsFunc(given, func(kind string) bool { return overlaps(wanted, kind) }) {
		f.add(path, "the schema has %s, but the Go type gives %s", strings.Join(wanted, " or "), strings.Join(given, " or "))
		return
	}
	if isStruct(inferred) {
		f.givesMembers(path, declared, inferred)
	}
	f.gives(path+"[]", declared.get("items"), inferred.get("items"))
}

func (f *fit) givesMembers(path string, declared, inferred *node) {
	fields, properties := inferred.get("properties"), declared.get("properties")
	for _, name := range elementsOf(declared.get("required")) {
		if fields.get(name.text) == nil {
			f.add(path, "the schema requires property %q, but the Go type has no field for it", name.text)
		}
	}
	others := declared.get("additionalProperties")
	closed := others != nil && others.kind == 'f' && declared.get("patternProperties") == nil
	for name, field := range fields.members() {
		member := properties.get(name)
		if member == nil && closed {
			f.add(path, "the Go type has a field for %q, but the schema allows no such property", name)
		}
		f.gives(path+"."+name, member, field)
	}
}

func (f *fit) add(path, format string, args ...any) {
	err := fmt.Errorf(format+"; change one of the two", args...)
	if path != "" {
		err = fmt.Errorf("at %s: %w", path, err)
	}
	f.found = append(f.found, err)
}

// isStruct reports whether an inferred schema is that of a struct, whose members are all known.
func isStruct(n *node) bool {
	others := n.get("additionalProperties")
	return n.get("properties") != nil && others != nil && others.kind == 'f'
}

func overlaps(kinds []string, kind string) bool {
	isNumber := func(k string) bool { return k == "integer" || k == "number" }
	return slices.Contains(kinds, kind) || isNumber(kind) && slices.ContainsFunc(kinds, isNumber)
}

// kindsOf lists the types that a schema names, but null: none for any.
func kindsOf(n *node) (kinds []string) {
	kind := n.get("type")
	if kind != nil && kind.kind == '"' {
		kind = listNode(kind)
	}
	for _, k := range elementsOf(kind) {
		if k.text != "null" {
			kinds = append(kinds, k.text)
		}
	}
	return kinds
}

// elementsOf lists the elements of an array, and nothing of anything else.
func elementsOf(n *node) []*node {
	if n == nil || n.kind != '[' {
		return nil
	}
	return n.items
}

// definitionIn follows references to the root and its definitions. Other references lead nowhere.
func definitionIn(root, n *node) *node {
	for range maxSchemaDepth {
		if n.get("$ref") == nil {
			return n
		}
		name, ok := strings.CutPrefix(n.get("$ref").text, "#/$defs/")
		switch {
		case n.get("$ref").text == "#":
			n = root
		case ok:
			n = root.get("$defs").get(name)
		default:
			return nil
		}
	}
	return nil
}
