package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tagNames lists the names in a struct tag in their order, read as [reflect.StructTag] reads them. rest is what cannot be
// read, so that everything in it would be ignored.
func tagNames(tag reflect.StructTag) (names []string, rest string) {
	text := string(tag)
	for {
		text = strings.TrimLeft(text, " ")
		name, value, paired := strings.Cut(text, ":")
		if text == "" {
			return names, ""
		}
		if !paired || name == "" || strings.ContainsFunc(name, endsTagName) || value == "" || value[0] != '"' {
			return names, text
		}
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return names, text
		}
		names = append(names, name)
		text = value[len(quoted):]
	}
}

func endsTagName(c rune) bool { return c <= ' ' || c == '"' || c == 0x7f }

// ownTags are the tags that this package reads. They are written exactly so.
var ownTags = [...]string{
	"json", "doc", "title", "enum", "min", "max", "multipleOf", "minLength", "maxLength", "minItems", "maxItems",
	"pattern", "format", "default", "optional", "header",
}

// otherTags are the tags by which other libraries say what one of ours says.
var otherTags = [...]struct{ theirs, ours string }{
	{"jsonschema", "doc"},
	{"description", "doc"},
	{"desc", "doc"},
	{"jsonschema_description", "doc"},
	{"minimum", "min"},
	{"maximum", "max"},
}

// strangers tells of tags that look as if they said something, and say nothing.
func (t *tagReader) strangers() {
	names, _ := tagNames(t.field.tag)
	for i, name := range names {
		own := slices.IndexFunc(ownTags[:], func(own string) bool { return sameWord(own, name) })
		switch {
		case own < 0:
		case ownTags[own] != name:
			t.fail(t.path, "the tag %s is not read; write %s", name, ownTags[own])
		case slices.Contains(names[:i], name):
			t.fail(t.path, "the tag %s is given twice, and only the first is read; remove one", name)
		}
	}
	if t.role != Output {
		t.foreign(names)
	}
}

// foreign tells of tags of other libraries in an argument: without the description a model is left to guess, and without
// the bound nothing is checked.
func (t *tagReader) foreign(names []string) {
	for _, other := range otherTags {
		if slices.Contains(names, other.theirs) && t.field.tag.Get(other.ours) == "" {
			t.fail(t.path, "the tag %s is not read; write %s:\"…\"", other.theirs, other.ours)
		}
	}
	said, given := t.field.tag.Lookup("required")
	switch required := t.required(t.field); {
	case !given:
	case said == "true" && !required:
		t.fail(t.path, "the tag required is not read, and the field is optional, as a pointer or one with omitempty, omitzero, default or optional:\"true\" is; make it required or remove the tag")
	case said == "false" && required:
		t.fail(t.path, "the tag required is not read; write optional:\"true\"")
	}
}

// sameWord compares names without regard to case, '_' and '-'. A start asks it about each tag of each field, so it
// allocates only for a name that has one of these: a strings.Replacer would take 6 KB each time.
func sameWord(a, b string) bool { return strings.EqualFold(letters(a), letters(b)) }

func letters(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "-", "")
}
