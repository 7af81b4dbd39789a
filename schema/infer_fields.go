package schema

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A goField is a field of a struct, or one that Go promotes from an embedded struct, that has a JSON member.
type goField struct {
	name          string // of the JSON member
	goPath        string // of the Go field, for messages
	index         []int
	typ           reflect.Type
	tag           reflect.StructTag
	named         bool // the json tag gives the name
	omits         bool // omitempty or omitzero
	behindPointer bool // promoted through an embedded pointer, which may be nil
}

// An embedding is a struct whose fields are yet to be collected.
type embedding struct {
	typ           reflect.Type
	index         []int
	goPath        string
	behindPointer bool
}

// fieldsOf lists the JSON members of a struct in the order of their declaration, with Go's rule for promoted fields: the
// shallowest wins, then the one that a tag names; otherwise a shared name belongs to none.
func fieldsOf(t reflect.Type) (fields []goField, mistakes []mistake) {
	queue := []embedding{{typ: t}}
	seen := map[reflect.Type]bool{t: true}
	for len(queue) > 0 {
		e := queue[0]
		queue = queue[1:]
		own := map[string]string{}
		usable := 0 // fields that have a JSON form, or whose own mistake is told
		for i := range e.typ.NumField() {
			sf := e.typ.Field(i)
			f, inner, err := e.field(sf, i)
			switch {
			case err != nil:
				usable++
				mistakes = append(mistakes, mistake{e.goPath + sf.Name, err})
			case inner != nil:
				usable++
				if !seen[inner.typ] {
					seen[inner.typ] = true
					queue = append(queue, *inner)
				}
			case f != nil:
				usable++
				if other, taken := own[f.name]; taken {
					mistakes = append(mistakes, mistake{f.goPath, fmt.Errorf("the name %q is already that of field %s; rename one in its json tag", f.name, other)})
				}
				own[f.name] = sf.Name
				fields = append(fields, *f)
			}
		}
		if usable == 0 && e.typ.NumField() > 0 && !anyJSONTag(e.typ) {
			mistakes = append(mistakes, mistake{strings.TrimSuffix(e.goPath, "."), fmt.Errorf("%s has no exported field; use a type that has, or leave the field out with `json:\"-\"`", e.typ)})
		}
	}
	return dominant(fields), mistakes
}

func anyJSONTag(t reflect.Type) bool {
	for i := range t.NumField() {
		if _, ok := t.Field(i).Tag.Lookup("json"); ok {
			return true
		}
	}
	return false
}

// field reads one Go field: a member, an embedded struct, or nothing.
func (e embedding) field(sf reflect.StructField, i int) (*goField, *embedding, error) {
	tag, hasTag := sf.Tag.Lookup("json")
	if tag == "-" {
		return nil, nil, nil
	}
	if !sf.IsExported() && !sf.Anonymous {
		if hasTag {
			return nil, nil, errors.New("the field has a json tag but is not exported; export it or remove the tag")
		}
		return nil, nil, nil
	}
	if _, rest := tagNames(sf.Tag); rest != "" {
		return nil, nil, fmt.Errorf("the tag cannot be read from `%s` on; write name:\"value\" pairs with a blank between them", clip(rest))
	}
	name, options, _ := strings.Cut(tag, ",")
	f := &goField{
		name: cmp.Or(name, sf.Name), named: name != "", goPath: e.goPath + sf.Name, typ: sf.Type, tag: sf.Tag,
		index: append(slices.Clone(e.index), i), behindPointer: e.behindPointer,
	}
	if err := f.readOptions(name, options); err != nil {
		return nil, nil, err
	}
	if sf.Anonymous && !f.named {
		inner, err := f.embedded(sf)
		return nil, inner, err
	}
	if !sf.IsExported() {
		return nil, nil, errors.New("an embedded field that has a name in its json tag must be exported; export its type or remove the name")
	}
	return f, nil, nil
}

func (f *goField) readOptions(name, options string) error {
	if strings.ContainsAny(name, "\\'\"`") {
		return fmt.Errorf("the name %q in the json tag has quotes or a backslash; use plain text", name)
	}
	for option := range strings.SplitSeq(options, ",") {
		key, _, _ := strings.Cut(option, ":")
		switch key {
		case "omitempty", "omitzero":
			f.omits = true
		case "", "case":
		case "string", "format", "embed", "inline", "unknown":
			return fmt.Errorf("the json option %q changes the JSON form in a way that a schema cannot follow; remove it or write the schema by hand", option)
		default:
			return fmt.Errorf("the json option %q is unknown; use omitempty or omitzero", option)
		}
	}
	return nil
}

func (f *goField) embedded(sf reflect.StructField) (*embedding, error) {
	t, pointer := sf.Type, false
	if t.Kind() == reflect.Pointer {
		t, pointer = t.Elem(), true
	}
	switch {
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("the embedded type %s is no struct; name it in a json tag", sf.Type)
	case methodsOf(t, Input) != byShape || methodsOf(t, Output) != byShape:
		return nil, fmt.Errorf("the embedded type %s has JSON or text methods of its own; name it in a json tag", sf.Type)
	case pointer && !sf.IsExported():
		return nil, fmt.Errorf("the embedded pointer to the unexported type %s cannot be filled; embed it by value", t)
	case f.omits:
		return nil, errors.New("an embedded struct cannot be omitted as a whole; remove the option or give the field a name")
	}
	return &embedding{typ: t, index: f.index, goPath: f.goPath + ".", behindPointer: f.behindPointer || pointer}, nil
}

// dominant keeps the field that owns each name and restores the order of declaration.
func dominant(fields []goField) []goField {
	byName := map[string][]goField{}
	for _, f := range fields {
		byName[f.name] = append(byName[f.name], f)
	}
	kept := fields[:0]
	for _, f := range fields {
		if owns(f, byName[f.name]) {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b goField) int { return slices.Compare(a.index, b.index) })
	return kept
}

func owns(f goField, rivals []goField) bool {
	for _, r := range rivals {
		switch {
		case slices.Equal(r.index, f.index) || len(r.index) > len(f.index):
		case len(r.index) < len(f.index) || r.named == f.named || r.named:
			return false
		}
	}
	return true
}
