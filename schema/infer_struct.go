package schema

import (
	"reflect"
	"strings"
)

// structNode renders a struct: an object that has its fields and nothing else.
func (r *renderer) structNode(t reflect.Type, path string) *node {
	properties, required := objectNode(), listNode()
	for _, f := range r.fieldsOf(t, path) {
		properties.set(f.name, r.fieldNode(f, path+"."+f.goPath))
		if r.required(f) {
			required.items = append(required.items, textNode(f.name))
		}
	}
	n := objectNode().set("type", textNode("object")).set("properties", properties)
	if len(required.items) > 0 {
		n.set("required", required)
	}
	return n.set("additionalProperties", boolNode(false))
}

// fieldsOf lists the fields of a struct, and tells its mistakes once.
func (r *renderer) fieldsOf(t reflect.Type, path string) []goField {
	fields, known := r.fields[t]
	if !known {
		var mistakes []mistake
		fields, mistakes = fieldsOf(t)
		for _, m := range mistakes {
			r.fail(strings.TrimSuffix(path+"."+m.at, "."), "%w", m.err)
		}
		r.fields[t] = fields
	}
	return fields
}

// required says whether a member must be present: in an argument, what the function cannot do without; in a result, what
// is always written.
func (r *renderer) required(f goField) bool {
	if f.omits || f.behindPointer || f.tag.Get("optional") == "true" {
		return false
	}
	if r.role == Output {
		return true
	}
	_, hasDefault := f.tag.Lookup("default")
	return !hasDefault && f.typ.Kind() != reflect.Pointer
}

func (r *renderer) fieldNode(f goField, path string) *node {
	t := f.typ
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	n := r.typeNode(t, path)
	r.applyTags(n, t, f, path)
	// A result writes a nil pointer as null, unless the field is then left out.
	if r.role == Output && f.typ.Kind() == reflect.Pointer && !f.omits {
		words := (&Schema{title: f.tag.Get("title"), description: f.tag.Get("doc")})
		n.remove("title")
		n.remove("description")
		n = nullableType(n)
		words.describe(n)
	}
	return n
}

// markCycles finds the named types that contain themselves. Every cycle has at least one of them.
func (r *renderer) markCycles(t reflect.Type, path string, open map[reflect.Type]bool) {
	if t.Name() != "" {
		if isOpen, seen := open[t]; seen {
			if isOpen {
				r.cyclic[t] = true
			}
			return
		}
		open[t] = true
		defer func() { open[t] = false }()
	}
	if methodsOf(t, r.role) != byShape {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		r.markCycles(t.Elem(), path, open)
	case reflect.Slice, reflect.Array, reflect.Map:
		r.markCycles(t.Elem(), path+"[]", open)
	case reflect.Struct:
		for _, f := range r.fieldsOf(t, path) {
			r.markCycles(f.typ, path+"."+f.goPath, open)
		}
	}
}
