package schema

import (
	"encoding"
	"reflect"
)

// A setter says how a Go value is filled.
type setter uint8

const (
	setNothing setter = iota // the type has no JSON form
	setBool
	setInt
	setUint
	setFloat
	setString
	setText      // UnmarshalText
	setBytes     // base64 into a slice
	setByteArray // base64 into an array
	setOpaque    // the JSON text as a whole: any, raw text, a type with UnmarshalJSON
	setPointer
	setStruct
	setMap
	setSlice
	setArray
)

// A binding says how values fill one Go type. It is immutable; recursive types make it a graph.
type binding struct {
	set     setter
	typ     reflect.Type
	elem    *binding // of pointer, map, slice, array
	textKey bool     // the keys of the map have UnmarshalText

	// Struct: fields[i] belongs to rule.properties[i]; another rule finds its fields by name.
	rule   *objectRule
	fields []*fieldBinding
	byName map[string]*fieldBinding
}

// A fieldBinding is a field of a struct, perhaps promoted.
type fieldBinding struct {
	*binding
	index []int
}

// A typeBinding is the binding of the type that a schema decodes into.
type typeBinding struct {
	typ  reflect.Type
	root *binding
}

// A bindingKey is one pair that is bound once: the same type may stand for different parts of a schema.
type bindingKey struct {
	plan *plan
	typ  reflect.Type
}

func newTypeBinding(p *plan, t reflect.Type) *typeBinding {
	made := map[bindingKey]*binding{}
	return &typeBinding{t, bind(p, t, made)}
}

func bind(p *plan, t reflect.Type, made map[bindingKey]*binding) *binding {
	for p != nil && p.orNull != nil {
		p = p.orNull
	}
	key := bindingKey{p, t}
	if b, ok := made[key]; ok {
		return b
	}
	b := &binding{typ: t, set: setterOf(t)}
	made[key] = b
	switch b.set {
	case setPointer:
		b.elem = bind(p, t.Elem(), made)
	case setSlice, setArray:
		b.elem = bind(p.elements(), t.Elem(), made)
	case setMap:
		b.textKey = methodsOf(t.Key(), Input) == byText
		b.elem = bind(p.others(), t.Elem(), made)
	case setStruct:
		b.bindFields(p, made)
	}
	return b
}

func (p *plan) elements() *plan {
	if p == nil || p.array == nil {
		return nil
	}
	return p.array.items
}

func (p *plan) others() *plan {
	if p == nil || p.object == nil {
		return nil
	}
	return p.object.extra
}

func (b *binding) bindFields(p *plan, made map[bindingKey]*binding) {
	if p != nil {
		b.rule = p.object
	}
	fields, _ := fieldsOf(b.typ)
	b.byName = make(map[string]*fieldBinding, len(fields))
	declared := map[string]*plan{}
	if b.rule != nil {
		for i := range b.rule.properties {
			declared[b.rule.properties[i].name] = b.rule.properties[i].plan
		}
	}
	for _, f := range fields {
		b.byName[f.name] = &fieldBinding{bind(declared[f.name], f.typ, made), f.index}
	}
	if b.rule != nil {
		for i := range b.rule.properties {
			b.fields = append(b.fields, b.byName[b.rule.properties[i].name])
		}
	}
}

func setterOf(t reflect.Type) setter {
	switch methodsOf(t, Input) {
	case byJSON:
		return setOpaque
	case byText:
		return setText
	}
	switch t.Kind() {
	case reflect.Bool:
		return setBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return setInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return setUint
	case reflect.Float32, reflect.Float64:
		return setFloat
	case reflect.String:
		return setString
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return setOpaque
		}
	case reflect.Pointer:
		return setPointer
	case reflect.Struct:
		return setStruct
	case reflect.Map:
		if t.Key().Kind() == reflect.String || methodsOf(t.Key(), Input) == byText {
			return setMap
		}
	case reflect.Slice:
		if isBytes(t) {
			return setBytes
		}
		return setSlice
	case reflect.Array:
		if isBytes(t) {
			return setByteArray
		}
		return setArray
	}
	return setNothing
}

// field returns the binding and the place of a declared member; nil for a member that the type does not have.
func (b *binding) field(rule *objectRule, i int, dst reflect.Value) (*binding, reflect.Value) {
	if b == nil || b.set != setStruct {
		return nil, reflect.Value{}
	}
	f := (*fieldBinding)(nil)
	if b.rule == rule {
		f = b.fields[i]
	} else {
		f = b.byName[rule.properties[i].name]
	}
	return f.in(dst)
}

func (b *binding) fieldNamed(name []byte, dst reflect.Value) (*binding, reflect.Value) {
	if b == nil || b.set != setStruct {
		return nil, reflect.Value{}
	}
	return b.byName[string(name)].in(dst)
}

// in returns the place of a field, making the embedded structs on the way.
func (f *fieldBinding) in(dst reflect.Value) (*binding, reflect.Value) {
	if f == nil {
		return nil, reflect.Value{}
	}
	for i, at := range f.index {
		if i > 0 && dst.Kind() == reflect.Pointer {
			if dst.IsNil() {
				dst.Set(reflect.New(dst.Type().Elem()))
			}
			dst = dst.Elem()
		}
		dst = dst.Field(at)
	}
	return f.binding, dst
}

// element returns the binding and the place of an element, making room for it.
func (b *binding) element(i int, dst reflect.Value) (*binding, reflect.Value) {
	switch {
	case b == nil:
		return nil, reflect.Value{}
	case b.set == setSlice:
		if i >= dst.Cap() {
			dst.Grow(1)
		}
		dst.SetLen(i + 1)
	case i >= dst.Len():
		return nil, reflect.Value{}
	}
	return b.elem, dst.Index(i)
}

// textOf returns the text methods of an addressable value.
func textOf(dst reflect.Value) encoding.TextUnmarshaler {
	return dst.Addr().Interface().(encoding.TextUnmarshaler)
}
