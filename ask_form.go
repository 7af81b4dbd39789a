package mcp

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// form is what a user fills in.
type form struct {
	text json.RawMessage // as a client of one dialect sees it
	// schema is what an answer is held against. It is open, because clients may add fields, and
	// has all defaults, so that an answer means the same whatever the client was told.
	schema *schema.Compiled
}

// formKey tells the forms of a server apart.
type formKey struct {
	typ     reflect.Type
	dialect schema.FormDialect
}

// formDialect says what forms of the client can hold.
func (c *Call) formDialect() schema.FormDialect {
	r := c.revision
	return schema.FormDialect{Titled: r.ElicitEnums, Multi: r.ElicitEnums, Defaults: r.ElicitDefaults}
}

// formOf is the form of a struct. It is made once a server, type and dialect.
func formOf[T any](c *Call) (*form, error) {
	key := formKey{reflect.TypeFor[T](), c.formDialect()}
	forms := &c.session.server.forms
	if ready, ok := forms.Load(key); ok {
		return ready.(*form), nil
	}
	f, err := newForm(schema.Of(key.typ), key.dialect)
	if err != nil {
		return nil, err
	}
	forms.Store(key, f)
	return f, nil
}

// newForm makes a form of a schema, or says which field cannot be in one.
func newForm(of *schema.Schema, dialect schema.FormDialect) (*form, error) {
	if of == nil {
		return nil, errors.New("the schema of the form is nil; build one with schema.Object()")
	}
	compiled, err := of.Compile(schema.CompileOptions{Role: schema.Form})
	if err != nil {
		return nil, err
	}
	text, err := compiled.Form(dialect)
	if err != nil {
		return nil, err
	}
	whole, err := compiled.Form(schema.FormDialect{Titled: true, Multi: true, Defaults: true})
	if err != nil {
		return nil, err
	}
	open, err := schema.Raw(whole).Compile(schema.CompileOptions{Role: schema.Form})
	if err != nil {
		return nil, err
	}
	return &form{text, open}, nil
}

// question asks for the form. fill gets what was filled in.
//
// client/elicitation#form-mode-security: what the client sends is validated.
func (f *form) question(message string, fill func(filled []byte) error) *question {
	return &question{
		method: protocol.MethodOf(protocol.ElicitationCreate).Name, needs: protocol.CanElicitForm,
		params: protocol.ElicitParams{Message: message, RequestedSchema: f.text},
		take: func(answer []byte) error {
			result, err := takeAction(answer)
			if err != nil {
				return err
			}
			filled := []byte(result.Content)
			if filled == nil {
				filled = []byte("{}")
			}
			if err := fill(filled); err != nil {
				return &invalidAnswer{err}
			}
			return nil
		},
	}
}
