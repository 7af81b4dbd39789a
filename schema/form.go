package schema

import (
	"encoding/json"
	"errors"
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
		return nil, errors.New("a form is an object with at least one field; use a struct or schema.Object()")
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
	formFormats = []string{"email", "uri", "date", "date-time"}
)

// formKeywords are those of one type of field beside formCommon.
func formKeywords(kind string) (keywords []string, known bool) {
	switch kind {
	case "string":
		return []string{"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"}, true
	case "number", "integer":
		return []string{"minimum", "maximum"}, true
	case "boolean":
		return nil, true
	case "array":
		return []string{"minItems", "maxItems", "items"}, true
	}
	return nil, false
}

func formField(field *node, d FormDialect) (*node, error) {
	kind, err := formType(field)
	if err != nil {
		return nil, err
	}
	keywords, _ := formKeywords(kind)
	for _, name := range field.names {
		if !slices.Contains(formCommon, name) && !slices.Contains(keywords, name) {
			return nil, fmt.Errorf("a form field of type %s cannot have the keyword %q; leave it out", kind, name)
		}
	}
	if format := field.get("format"); format != nil && !slices.Contains(formFormats, format.text) {
		return nil, fmt.Errorf("a form does not know the format %q; use one of %q", format.text, formFormats)
	}
	field = field.clone()
	if !d.Defaults && kind != "boolean" {
		field.remove("default")
	}
	switch {
	case kind == "array":
		return field, listOfChoices(field, d)
	case field.get("enum") != nil || field.get("enumNames") != nil || field.get("oneOf") != nil:
		return field, choices(field, d)
	}
	return field, nil
}

func formType(field *node) (string, error) {
	kind := field.get("type")
	if kind == nil || kind.kind != '"' {
		return "", errors.New("a form field has one type; use a string, a number, a boolean or a list of choices")
	}
	if _, known := formKeywords(kind.text); !known {
		return "", fmt.Errorf("a form field cannot be %q; use a string, a number, a boolean or a list of choices", kind.text)
	}
	return kind.text, nil
}

// choices checks a text that is chosen and writes it in the dialect.
func choices(field *node, d FormDialect) error {
	for _, name := range []string{"minLength", "maxLength", "format"} {
		if field.get(name) != nil {
			return fmt.Errorf("a choice in a form cannot have the keyword %q; leave it out", name)
		}
	}
	values, titled, names := field.get("enum"), field.get("oneOf"), field.get("enumNames")
	switch {
	case values != nil && titled != nil:
		return errors.New("a choice in a form has enum or oneOf, not both")
	case titled == nil:
		return plainChoices(values, names)
	case names != nil:
		return errors.New("enumNames belongs to enum; the titles of oneOf stand in it")
	}
	if err := titledChoices(titled); err != nil || d.Titled {
		return err
	}
	// 2025-06-18/client/elicitation#supported-schema-types: titles stand in enumNames.
	values, names = listNode(), listNode()
	for _, choice := range field.remove("oneOf").items {
		values.items = append(values.items, choice.get("const"))
		names.items = append(names.items, choice.get("title"))
	}
	field.set("enum", values).set("enumNames", names)
	return nil
}

// listOfChoices checks a list of choices and writes titled ones as forms have them, under anyOf.
func listOfChoices(field *node, d FormDialect) error {
	if !d.Multi {
		return errors.New("this client has no lists of choices; ask for one choice at a time")
	}
	items := field.get("items")
	titled := items.get("anyOf")
	if titled == nil {
		titled = items.get("oneOf")
	}
	for _, name := range items.keywords() {
		if !slices.Contains([]string{"type", "enum", "anyOf", "oneOf"}, name) {
			return fmt.Errorf("the items of a list of choices cannot have the keyword %q; leave it out", name)
		}
	}
	if kind := items.get("type"); kind != nil && (kind.kind != '"' || kind.text != "string") || items.get("enum") != nil && titled != nil {
		return errNoChoices
	}
	if titled == nil {
		return plainChoices(items.get("enum"), nil)
	}
	if err := titledChoices(titled); err != nil {
		return err
	}
	field.set("items", objectNode().set("anyOf", titled))
	return nil
}

// keywords are the members of a schema, none when it is no object.
func (n *node) keywords() []string {
	if n == nil {
		return nil
	}
	return n.names
}

var errNoChoices = errors.New("a list in a form is of choices, which are text; give its items an enum")

// plainChoices checks choices without titles, or with the older enumNames.
func plainChoices(values, names *node) error {
	if !isTexts(values) {
		return errNoChoices
	}
	if names != nil && (!isTexts(names) || len(names.items) != len(values.items)) {
		return errors.New("enumNames has one text for each value of enum")
	}
	return nil
}

func isTexts(list *node) bool {
	if list == nil || list.kind != '[' || len(list.items) == 0 {
		return false
	}
	return !slices.ContainsFunc(list.items, func(n *node) bool { return n.kind != '"' })
}

// titledChoices checks choices with titles.
func titledChoices(list *node) error {
	if len(list.items) == 0 {
		return errNoChoices
	}
	for _, choice := range list.items {
		value, title := choice.get("const"), choice.get("title")
		if value == nil || value.kind != '"' || title == nil || title.kind != '"' || len(choice.names) != 2 {
			return errors.New("a choice with a title is {\"const\": text, \"title\": text} and nothing else")
		}
	}
	return nil
}
