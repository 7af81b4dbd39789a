package schema

import (
	"encoding/json"
	"fmt"
	"slices"
)

// FormDialect says what the forms of a client can hold beyond text, numbers, switches and plain choices.
type FormDialect struct {
	Titled   bool // choices with titles of their own (oneOf); otherwise enum with enumNames
	Multi    bool // lists of choices
	Defaults bool // defaults of every type; otherwise of booleans only
}

// Form returns the schema as a form that a client can show to a user: a flat object of primitives. It is an error that
// names the field if the schema holds anything else, or something that the dialect has not.
//
// client/elicitation#requested-schema.
func (c *Compiled) Form(d FormDialect) (json.RawMessage, error) {
	properties := c.doc.get("properties")
	if !c.PlainObject() || properties == nil || properties.kind != '{' || len(properties.items) == 0 {
		return nil, fmt.Errorf("a form is an object with at least one field; use a struct or schema.Object()")
	}
	for _, name := range c.doc.names {
		if !slices.Contains(formRoot, name) {
			return nil, fmt.Errorf("a form cannot have the keyword %q; leave it out", name)
		}
	}
	form := objectNode().set("type", textNode("object"))
	fields := objectNode()
	for i, name := range properties.names {
		field, err := formField(properties.items[i], d)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", name, err)
		}
		fields.set(name, field)
	}
	form.set("properties", fields)
	if required := c.doc.get("required"); required != nil && len(required.items) > 0 {
		form.set("required", required)
	}
	return form.append(nil), nil
}

var (
	formRoot    = []string{"$schema", "type", "title", "description", "properties", "required", "additionalProperties"}
	formCommon  = []string{"type", "title", "description", "default"}
	formKeyword = map[string][]string{
		"string":  {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
		"number":  {"minimum", "maximum"},
		"integer": {"minimum", "maximum"},
		"boolean": {},
		"array":   {"minItems", "maxItems", "items"},
	}
	formFormats = []string{"email", "uri", "date", "date-time"}
)

func formField(field *node, d FormDialect) (*node, error) {
	kind := field.get("type")
	if kind == nil || kind.kind != '"' {
		return nil, fmt.Errorf("a form field has one type; use a string, a number, a boolean or a list of choices")
	}
	allowed, known := formKeyword[kind.text]
	if !known {
		return nil, fmt.Errorf("a form field cannot be %q; use a string, a number, a boolean or a list of choices", kind.text)
	}
	for _, name := range field.names {
		if !slices.Contains(formCommon, name) && !slices.Contains(allowed, name) {
			return nil, fmt.Errorf("a form field of type %s cannot have the keyword %q; leave it out", kind.text, name)
		}
	}
	if format := field.get("format"); format != nil && !slices.Contains(formFormats, format.text) {
		return nil, fmt.Errorf("a form does not know the format %q; use one of %q", format.text, formFormats)
	}
	field = field.clone()
	if !d.Defaults && kind.text != "boolean" {
		field.remove("default")
	}
	switch {
	case kind.text == "array" && !d.Multi:
		return nil, fmt.Errorf("this client has no lists of choices; ask for one choice at a time")
	case kind.text == "array":
		return field, listsChoices(field.get("items"), "anyOf")
	case field.get("oneOf") != nil && !d.Titled:
		return untitledChoices(field)
	case field.get("oneOf") != nil:
		return field, listsChoices(field, "oneOf")
	}
	return field, nil
}

// listsChoices checks that a list of choices lists them: plainly, or with titles under the keyword.
func listsChoices(of *node, titled string) error {
	if of == nil || of.kind != '{' {
		return fmt.Errorf("a list in a form is of choices; give its items an enum")
	}
	if of.get("enum") != nil {
		return nil
	}
	choices := of.get(titled)
	if choices == nil || len(choices.items) == 0 {
		return fmt.Errorf("a list in a form is of choices; give its items an enum")
	}
	for _, choice := range choices.items {
		if choice.get("const") == nil || choice.get("title") == nil || len(choice.names) != 2 {
			return fmt.Errorf("a choice with a title is {\"const\": …, \"title\": …} and nothing else")
		}
	}
	return nil
}

// untitledChoices writes choices with titles as the older enum with enumNames.
func untitledChoices(field *node) (*node, error) {
	if err := listsChoices(field, "oneOf"); err != nil {
		return nil, err
	}
	values, titles := listNode(), listNode()
	for _, choice := range field.remove("oneOf").items {
		values.items = append(values.items, choice.get("const"))
		titles.items = append(titles.items, choice.get("title"))
	}
	return field.set("enum", values).set("enumNames", titles), nil
}
