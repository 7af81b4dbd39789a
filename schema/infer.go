package schema

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// goType renders a Go type where it stands. A recursive type is written in full there and once more in $defs.
func (r *renderer) goType(t reflect.Type, at string) *node {
	path := typeName(t)
	if at != "" {
		path = at + " (" + path + ")"
	}
	r.markCycles(t, path, map[reflect.Type]bool{})
	if r.cyclic[t] {
		return r.shape(t, path)
	}
	return r.typeNode(t, path)
}

// typeNode renders a type below another one: inline, or as a reference when it contains itself.
func (r *renderer) typeNode(t reflect.Type, path string) *node {
	if r.cyclic[t] {
		return objectNode().set("$ref", textNode(fragmentTo(pointerTo("", "$defs", r.define(t, path)))))
	}
	return r.shape(t, path)
}

// define places a recursive type in $defs once and returns its name there.
func (r *renderer) define(t reflect.Type, path string) string {
	if name, known := r.names[t]; known {
		return name
	}
	name := definitionName(t)
	for n := 2; r.taken[name]; n++ {
		name = definitionName(t) + strconv.Itoa(n)
	}
	r.names[t], r.taken[name] = name, true
	if r.defs == nil {
		r.defs = objectNode()
	}
	r.defs.set(name, objectNode()) // keeps the place while the definition refers to itself
	r.defs.set(name, r.shape(t, path))
	return name
}

// definitionName is a type's name with what a JSON pointer would have to escape replaced.
func definitionName(t reflect.Type) string {
	name := []byte(t.Name())
	for i, c := range name {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && c != '_' && c != '.' && c != '-' {
			name[i] = '_'
		}
	}
	return string(name)
}

func typeName(t reflect.Type) string {
	if name := t.Name(); name != "" {
		return name
	}
	return t.String()
}

// encodingOf says how a type that chooses its own JSON form is written or read.
type encodingOf uint8

const (
	byShape encodingOf = iota // as its kind says
	byJSON                    // by methods of its own: any JSON value
	byText                    // by text methods: a string
)

func methodsOf(t reflect.Type, role Role) encodingOf {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return byShape
	}
	has := func(methods ...reflect.Type) bool {
		for _, m := range methods {
			if t.Implements(m) || reflect.PointerTo(t).Implements(m) {
				return true
			}
		}
		return false
	}
	anyJSON, text := reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()
	streamed, appended := reflect.TypeFor[jsonv2.UnmarshalerFrom](), text
	if role == Output {
		anyJSON, text = reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()
		streamed, appended = reflect.TypeFor[jsonv2.MarshalerTo](), reflect.TypeFor[encoding.TextAppender]()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return byText
	case has(anyJSON, streamed):
		return byJSON
	case has(text, appended):
		return byText
	}
	return byShape
}

// isBytes reports whether a slice or array is written as base64 text.
func isBytes(t reflect.Type) bool { return t.Elem().Kind() == reflect.Uint8 }

func isRaw(t reflect.Type) bool {
	return t == reflect.TypeFor[json.RawMessage]() || t == reflect.TypeFor[jsontext.Value]()
}

// shape renders a type in full.
func (r *renderer) shape(t reflect.Type, path string) *node {
	typed := func(name string) *node { return objectNode().set("type", textNode(name)) }
	switch {
	case isRaw(t):
		return objectNode()
	case t == reflect.TypeFor[time.Time]():
		return typed("string").set("format", textNode("date-time"))
	case t == reflect.TypeFor[time.Duration]():
		r.fail(path, "time.Duration has no agreed JSON form; use an int of seconds, or a string and time.ParseDuration")
		return objectNode()
	}
	switch methodsOf(t, r.role) {
	case byJSON:
		return objectNode()
	case byText:
		return typed("string")
	}
	switch t.Kind() {
	case reflect.Bool:
		return typed("boolean")
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			r.fail(path, "json.Number is written as a string; use int64, float64 or json.RawMessage")
		}
		return typed("string")
	case reflect.Float32, reflect.Float64:
		return typed("number")
	case reflect.Struct:
		return r.structNode(t, path)
	}
	if low, high, ok := integerRange(t.Kind()); ok {
		return withRange(typed("integer"), low, high)
	}
	return r.compound(t, path)
}

// compound renders the types that are made of another one.
func (r *renderer) compound(t reflect.Type, path string) *node {
	n := objectNode()
	switch t.Kind() {
	case reflect.Pointer:
		elem := r.typeNode(t.Elem(), path)
		if r.role == Output {
			return nullableType(elem)
		}
		return elem
	case reflect.Slice, reflect.Array:
		if isBytes(t) {
			return n.set("type", textNode("string")).set("contentEncoding", textNode("base64"))
		}
		n.set("type", textNode("array")).set("items", r.typeNode(t.Elem(), path+"[]"))
		if t.Kind() == reflect.Array {
			n.set("minItems", numberNode(strconv.Itoa(t.Len()))).set("maxItems", numberNode(strconv.Itoa(t.Len())))
		}
		return n
	case reflect.Map:
		if key := t.Key(); key.Kind() != reflect.String && methodsOf(key, r.role) != byText {
			r.fail(path, "a map with keys of type %s has no JSON form; use string keys, or keys with text methods", key)
		}
		return n.set("type", textNode("object")).set("additionalProperties", r.typeNode(t.Elem(), path+"[]"))
	case reflect.Interface:
		if t.NumMethod() > 0 {
			r.fail(path, "the interface %s has methods, so no value can be made for it; use a struct, any or json.RawMessage", t)
		}
		return n
	}
	r.fail(path, "the type %s has no JSON form; leave the field out with `json:\"-\"` or use another type", t)
	return n
}

// integerRange returns the bounds of an integer kind as literals; empty where the bound is that of int64 or uint64.
func integerRange(k reflect.Kind) (low, high string, ok bool) {
	bits := 0
	switch k {
	case reflect.Int, reflect.Int64:
		return "", "", true
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return "0", "", true
	case reflect.Int8, reflect.Uint8:
		bits = 8
	case reflect.Int16, reflect.Uint16:
		bits = 16
	case reflect.Int32, reflect.Uint32:
		bits = 32
	default:
		return "", "", false
	}
	if reflect.Int <= k && k <= reflect.Int64 {
		return strconv.FormatInt(-1<<(bits-1), 10), strconv.FormatInt(1<<(bits-1)-1, 10), true
	}
	return "0", strconv.FormatInt(1<<bits-1, 10), true
}

func withRange(n *node, low, high string) *node {
	if low != "" {
		n.set("minimum", numberNode(low))
	}
	if high != "" {
		n.set("maximum", numberNode(high))
	}
	return n
}
