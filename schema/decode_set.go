package schema

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// unstorable reports a value that the schema accepts and the Go type cannot hold.
func (w *walker) unstorable(b *binding, value []byte) {
	w.expected("a value that fits the Go type "+b.typ.String(), value)
}

func (w *walker) setBool(value bool, text []byte, b *binding, dst reflect.Value) {
	if b.set != setBool {
		w.unstorable(b, text)
		return
	}
	dst.SetBool(value)
}

func (w *walker) setInt(n int64, literal []byte, b *binding, dst reflect.Value) {
	switch b.set {
	case setInt:
		if !dst.OverflowInt(n) {
			dst.SetInt(n)
			return
		}
	case setUint:
		if n >= 0 && !dst.OverflowUint(uint64(n)) {
			dst.SetUint(uint64(n))
			return
		}
	case setFloat:
		w.setFloat(literal, dst)
		return
	default:
		w.unstorable(b, literal)
		return
	}
	w.expected(rangeWords(dst), literal)
}

func (w *walker) setDecimal(d decimal, literal []byte, b *binding, dst reflect.Value) {
	switch b.set {
	case setInt:
		if n, ok := d.int64(); ok && !dst.OverflowInt(n) {
			dst.SetInt(n)
			return
		}
	case setUint:
		if n, ok := d.uint64(); ok && (!d.neg || n == 0) && !dst.OverflowUint(n) {
			dst.SetUint(n)
			return
		}
	case setFloat:
		w.setFloat(literal, dst)
		return
	default:
		w.unstorable(b, literal)
		return
	}
	w.expected(rangeWords(dst), literal)
}

func (w *walker) setFloat(literal []byte, dst reflect.Value) {
	f, err := strconv.ParseFloat(string(literal), dst.Type().Bits())
	if err != nil {
		w.expected("number within the range of "+dst.Kind().String(), literal)
		return
	}
	dst.SetFloat(f)
}

// rangeWords words the integers that a Go value holds.
func rangeWords(dst reflect.Value) string {
	bits := dst.Type().Bits()
	if dst.CanInt() {
		return "integer from " + strconv.FormatInt(-1<<(bits-1), 10) + " to " + strconv.FormatInt(1<<(bits-1)-1, 10)
	}
	return "integer from 0 to " + strconv.FormatUint(1<<bits-1, 10)
}

// setText stores a string: content if it was escaped, raw otherwise.
func (w *walker) setText(raw []byte, content string, escaped bool, b *binding, dst reflect.Value) {
	switch b.set {
	case setString:
		if !escaped {
			content = string(raw)
		}
		dst.SetString(content)
		return
	case setText, setBytes, setByteArray:
	default:
		w.unstorable(b, quoted(raw, content, escaped))
		return
	}
	text := raw
	if escaped {
		text = []byte(content)
	}
	if b.set == setText {
		if err := textOf(dst).UnmarshalText(text); err != nil {
			w.expected(textWords(b.typ, err), quoted(raw, content, escaped))
		}
		return
	}
	data, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, text)
	switch {
	case err != nil:
		w.expected("base64 text (RFC 4648, section 4, with padding)", quoted(raw, content, escaped))
	case b.set == setBytes:
		dst.SetBytes(data)
	case len(data) != dst.Len():
		w.expected("base64 text of "+strconv.Itoa(dst.Len())+" bytes", quoted(raw, content, escaped))
	default:
		reflect.Copy(dst, reflect.ValueOf(data).Convert(reflect.SliceOf(dst.Type().Elem())))
	}
}

func quoted(raw []byte, content string, escaped bool) []byte {
	if escaped {
		return jsonstring.AppendQuoted(nil, content)
	}
	return append(append([]byte{'"'}, raw...), '"')
}

func textWords(t reflect.Type, err error) string {
	if t == reflect.TypeFor[time.Time]() {
		return "date-time (RFC 3339, such as 2006-01-02T15:04:05Z)"
	}
	return "text that " + t.String() + " reads (" + clip(err.Error()) + ")"
}

// opaque stores a value as a whole.
func (w *walker) opaque(b *binding, value []byte, dst reflect.Value) {
	switch {
	case b.typ == reflect.TypeFor[json.RawMessage]() || b.typ == reflect.TypeFor[jsontext.Value]():
		dst.SetBytes(append([]byte(nil), value...))
	case b.typ.Kind() == reflect.Interface:
		l := lexer{src: value}
		made, ok := l.goValue(maxValueDepth)
		switch {
		case !ok:
			w.expected("numbers within the range of float64", value)
		case made == nil:
			dst.SetZero()
		default:
			dst.Set(reflect.ValueOf(made))
		}
	default:
		if err := jsonv2.Unmarshal(value, dst.Addr().Interface()); err != nil {
			w.expected("a value that "+b.typ.String()+" reads"+cause(err), value)
		}
	}
}

// cause words what a type's own method said. What the JSON library says around it is not the same in every run.
func cause(err error) string {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	if _, ours := err.(*jsonv2.SemanticError); ours {
		return ""
	}
	return " (" + clip(err.Error()) + ")"
}

// begin prepares an object or an array for its content and returns its binding, or nil when it has nowhere to go.
func (w *walker) begin(b *binding, one, other setter, dst reflect.Value) *binding {
	switch {
	case b == nil:
		return nil
	case b.set != one && b.set != other:
		w.unstorable(b, w.src[w.pos:])
		return nil
	case b.set == setMap:
		dst.Set(reflect.MakeMap(b.typ))
	case b.set == setSlice:
		dst.SetZero()
	}
	return b
}

// fit ends an array.
func (w *walker) fit(count int, b *binding, dst reflect.Value) {
	switch {
	case b == nil:
	case b.set == setSlice && count == 0:
		dst.Set(reflect.MakeSlice(b.typ, 0, 0))
	case b.set == setArray && count != dst.Len():
		w.add(violation{text: "expected exactly " + strconv.Itoa(dst.Len()) + " items, got " + strconv.Itoa(count)})
	}
}

// entry takes a value into a map.
func (w *walker) entry(p *plan, name []byte, b *binding, dst reflect.Value) bool {
	key := reflect.New(b.typ.Key()).Elem()
	if b.textKey {
		if err := textOf(key).UnmarshalText(name); err != nil {
			w.expected("a name that "+b.typ.Key().String()+" reads ("+clip(err.Error())+")", jsonstring.AppendQuoted(nil, string(name)))
			return w.skip(maxValueDepth - w.depth)
		}
	} else {
		key.SetString(string(name))
	}
	elem := reflect.New(b.typ.Elem()).Elem()
	ok := w.value(p, b.elem, elem)
	dst.SetMapIndex(key, elem)
	return ok
}
