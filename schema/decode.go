package schema

import (
	"fmt"
	"reflect"
)

// Validate checks a JSON value. The error is a [*Violations].
func (c *Compiled) Validate(value []byte) error {
	w := c.walker(value)
	if c.general != nil {
		_, err := c.mended(&w)
		return err
	}
	return w.walk(c.plan, nil, reflect.Value{})
}

// Complete checks a JSON value and returns it with the defaults of absent optional members filled in, nested ones too,
// and lenient values converted; args itself when there was nothing to change. Empty args of an input schema or a form are
// {}. The error is a [*Violations].
func (c *Compiled) Complete(args []byte) ([]byte, error) {
	w := c.walker(args)
	if c.general != nil {
		mended, err := c.mended(&w)
		if err != nil {
			return nil, err
		}
		w = c.walker(mended)
	}
	return w.complete(c.plan)
}

// Decode checks a JSON value, fills in defaults, and converts it into the Go value that into points to, which should be
// zero: the type that the schema was inferred from, or any other that holds what the schema accepts. Empty args of an
// input schema or a form are {}. The error is a [*Violations], and the Go value must then not be used, for it is half
// filled; any other error says that into is no pointer.
//
// Nothing in the Go value refers to args afterwards.
func (c *Compiled) Decode(args []byte, into any) error {
	dst := reflect.ValueOf(into)
	if dst.Kind() != reflect.Pointer || dst.IsNil() {
		return fmt.Errorf("cannot decode into %T; pass a pointer to a value", into)
	}
	dst = dst.Elem()
	w := c.walker(args)
	if c.general != nil {
		mended, err := c.mended(&w)
		if err != nil {
			return err
		}
		w = c.walker(mended)
	}
	return w.walk(c.plan, c.bindingOf(dst.Type()), dst)
}

// bindingOf returns how a type is filled. A schema serves one type as a rule, so the last one is kept.
func (c *Compiled) bindingOf(t reflect.Type) *binding {
	known := c.last.Load()
	if known == nil || known.typ != t {
		known = newTypeBinding(c.plan, t)
		c.last.Store(known)
	}
	return known.root
}

func (c *Compiled) walker(value []byte) walker {
	if c.role != Output && len(value) == 0 {
		value = []byte("{}")
	}
	return walker{lexer: lexer{src: value, trusted: c.trusted}, root: rootOf(c.role), lenient: c.lenient}
}

// rootOf is what a value is called in messages.
func rootOf(role Role) string {
	switch role {
	case Output:
		return rootResult
	case Form:
		return rootForm
	}
	return rootArguments
}

// mended checks a value with the plan as far as that goes, which finds the better words, and then with the general
// validator. It returns the value with lenient values converted.
func (c *Compiled) mended(w *walker) ([]byte, error) {
	w.mends = true
	value, err := w.edited(c.plan)
	if err != nil {
		return nil, err
	}
	return value, c.general.check(value, w.root)
}
