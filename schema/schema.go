package schema

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
)

// A Schema is a JSON Schema document or a part of one. It is immutable and safe for concurrent use; every method returns
// a copy. The zero Schema accepts every value, as [Any] does.
type Schema struct {
	form form

	typ    reflect.Type // formGo
	text   []byte       // formText
	inner  *Schema      // formArray: items; formMap: values; formNullable: the schema inside
	fields []property   // formObject, in order of declaration
	strict bool         // formObject: no other members
	values []Choice     // formEnum, formTitled

	title, description string
	words              []word // further keywords, in order of the calls
	mistakes           []mistake
}

// form says how a schema was made.
type form uint8

const (
	formAny form = iota
	formString
	formInteger
	formNumber
	formBoolean
	formNull
	formEnum
	formTitled
	formArray
	formObject
	formMap
	formNullable
	formGo
	formText
)

// String is the type of the forms that are one type.
func (f form) String() string {
	switch f {
	case formInteger:
		return "integer"
	case formNumber:
		return "number"
	case formBoolean:
		return "boolean"
	case formNull:
		return "null"
	}
	return "string"
}

// words names the form in a message.
func (f form) words() string {
	return [...]string{
		"any value", "a string", "an integer", "a number", "a boolean", "null", "an enum", "titled choices", "an array",
		"an object", "a map", "a nullable value", "a Go type", "JSON text",
	}[f]
}

// A property is one declared member of an object.
type property struct {
	name     string
	of       *Schema
	optional bool
}

// A word is a keyword and its value.
type word struct {
	name  string
	value *node
}

// A mistake is something wrong with a schema: where, what, and what to do.
type mistake struct {
	at  string // JSON pointer below the schema that carries it, or a Go field
	err error
}

// with returns a copy of s that edit has changed. A nil schema is a mistake of the caller that Compile reports.
func (s *Schema) with(edit func(c *Schema)) *Schema {
	c := Schema{}
	if s == nil {
		c.mistakes = []mistake{{err: errors.New("the schema is nil; build one, for example with schema.String()")}}
	} else {
		c = *s
	}
	c.fields = slices.Clip(c.fields)
	c.words = slices.Clip(c.words)
	c.mistakes = slices.Clip(c.mistakes)
	edit(&c)
	return &c
}

func (s *Schema) fail(err error) { s.mistakes = append(s.mistakes, mistake{err: err}) }

// setWord adds a keyword or replaces its value.
func (s *Schema) setWord(name string, value *node) {
	for i, w := range s.words {
		if w.name == name {
			s.words = slices.Clone(s.words)
			s.words[i].value = value
			return
		}
	}
	s.words = append(s.words, word{name, value})
}

// MarshalJSON returns the compact JSON text of the schema as an input schema, always the same for the same schema. The
// error lists every mistake that was made in building it; [Schema.Compile] finds more.
func (s *Schema) MarshalJSON() ([]byte, error) {
	r := newRenderer(Input)
	doc := r.document(s)
	if err := r.err(); err != nil {
		return nil, err
	}
	return doc.append(nil), nil
}

// Text makes a schema from JSON text: an object, or true or false. Members keep their order. A mistake in the text is
// reported by [Schema.Compile].
func Text(text string) *Schema { return Raw(json.RawMessage(text)) }

// Raw is [Text] for text that is at hand as bytes, which are copied.
func Raw(text json.RawMessage) *Schema {
	return &Schema{form: formText, text: slices.Clone(text)}
}

// For makes the schema of a Go type. See [Of].
func For[T any]() *Schema { return Of(reflect.TypeFor[T]()) }

// Of makes the schema of a Go type:
//
//   - a struct is an object without other members; a field's name is that of its json tag, `json:"-"` leaves it out, and
//     embedded structs are flattened as Go promotes their fields;
//   - a field is required unless it is a pointer, has omitempty or omitzero, a default tag or `optional:"true"`;
//   - slices and arrays are arrays, maps with text keys are objects, []byte is base64 text;
//   - bool, string, floats and integers are what they look like; the range of an integer type is published unless it is
//     that of int64, and the upper end of uint64 is not;
//   - time.Time is a date-time; a type with UnmarshalText (for results: MarshalText) is a string;
//   - any, json.RawMessage and a type with UnmarshalJSON (for results: MarshalJSON) accept every value;
//   - a type that contains itself is placed in $defs;
//   - [time.Duration], [json.Number], channels, functions and complex numbers are mistakes.
//
// Null is not accepted for a pointer: an optional argument is left out. In a result, where a nil pointer is written as
// null, the field is required and nullable instead.
//
// These tags describe a field further: doc and title; enum:"a,b" (of a slice: its items); min, max and multipleOf for
// numbers; minLength, maxLength, pattern and format for strings; minItems and maxItems for slices; default (text as it
// is, anything else as JSON); header:"Region" mirrors the argument into an HTTP header; optional:"true". Tags of other
// libraries are not read, and an argument whose jsonschema, description, desc, minimum, maximum or required says what ours do
// not is a mistake. So is a tag of ours that is spelled otherwise or given twice, and what [reflect.StructTag] cannot read.
//
// Decoded into any, a number is an int64, a uint64 when only that holds it, or else a float64.
func Of(t reflect.Type) *Schema {
	if t == nil {
		return (*Schema)(nil).with(func(*Schema) {})
	}
	return &Schema{form: formGo, typ: t}
}
