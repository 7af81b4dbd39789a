package schema

import (
	"slices"
	"strings"
)

// A HeaderParam is an argument that clients mirror into the HTTP header Mcp-Param-Name.
type HeaderParam struct {
	Name string   // the part of the header name behind Mcp-Param-, as the schema spells it
	Path []string // the names of the properties that lead from the arguments to the value, at least one
	Type string   // "string", "integer" or "boolean"
}

// headerSurvey gathers the annotations of an input schema.
type headerSurvey struct {
	found []HeaderParam
	taken map[string]string // lower-case name to the pointer of its schema
}

// checkHeader reads the annotation of a part. path leads to it through properties alone, or is nil.
//
// server/tools#x-mcp-header: an annotation that breaks one of these rules makes the tool definition invalid.
func (v *survey) checkHeader(p *part, path []string) {
	n := p.node.get(headerWord)
	if n == nil || v.role == Output {
		return
	}
	at := pointerTo(p.at, headerWord)
	kind := p.node.get("type")
	lower := strings.ToLower(n.text)
	switch {
	case n.kind != '"' || !isToken(n.text):
		v.fail(at, "the header name %s is no HTTP token; use letters, digits and - alone", clip(string(n.append(nil))))
	case len(path) == 0:
		v.fail(at, "a header can mirror only a property that the root reaches through properties alone; move the annotation or remove it")
	case kind == nil || !slices.Contains([]string{"string", "integer", "boolean"}, kind.text):
		v.fail(at, "a header can mirror only a string, an integer or a boolean; give the property one of these types, or remove the annotation")
	case v.headers.taken[lower] != "":
		v.fail(at, "the header %q is already that of %s, and case does not count; use another name", n.text, v.headers.taken[lower])
	default:
		v.headers.taken[lower] = p.at
		v.headers.found = append(v.headers.found, HeaderParam{n.text, slices.Clone(path), kind.text})
	}
}

// isToken reports whether text is a field name of HTTP: RFC 9110, section 5.6.2.
func isToken(text string) bool {
	for _, c := range []byte(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return text != ""
}
