package mcp

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/seal"
	"github.com/bowline-go/mcp/schema"
)

// checkOptions checks what belongs to the server as a whole, and makes the keys of its tokens.
func (s *Server) checkOptions() (*seal.Ring, error) {
	var mistakes []error
	if s.name == "" || s.version == "" {
		mistakes = append(mistakes, errors.New("mcp: the server has no name or no version; give NewServer both"))
	}
	r := &registry{}
	r.checkIcons(place{kind: "server", name: s.name}, s.options.Icons)
	mistakes = append(mistakes, r.mistakes...)
	keys, err := seal.NewRing(s.options.Keys, s.options.Clock)
	if err != nil {
		mistakes = append(mistakes, fmt.Errorf("mcp: Options.Keys: %w", err))
	}
	return keys, errors.Join(mistakes...)
}

const maxToolName = 128

// checkTool checks the definition of a tool.
//
// server/tools#tool-names: 1 to 128 characters of A-Z, a-z, 0-9, '_', '-' and '.'.
func checkTool(r *registry, t *tool) {
	name := t.def.Name
	if len(name) == 0 || len(name) > maxToolName || strings.IndexFunc(name, notInToolName) >= 0 {
		r.mistake(t.at, "the name must be 1 to %d of A-Z, a-z, 0-9, '_', '-' and '.'; rename it", maxToolName)
	}
	if t.def.Description == "" {
		r.mistake(t.at, "the description is empty; say what the tool does and when to use it")
	}
	if t.def.Timeout < 0 {
		r.mistake(t.at, "the timeout is negative; leave it 0 for none")
	}
	switch {
	case t.def.Output > OutputText:
		r.mistake(t.at, "Output is %d; use one of the OutputMode constants", t.def.Output)
	case t.def.Output == OutputText && t.def.OutputSchema != nil:
		r.mistake(t.at, "OutputText sends no structured result, so OutputSchema describes nothing; remove one of the two")
	}
	r.checkIcons(t.at, t.def.Icons)
	r.checkMeta(t.at, t.def.Meta)
}

func notInToolName(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.'
}

func checkResource(r *registry, e *resource) {
	u, err := url.Parse(e.def.URI)
	switch {
	case strings.ContainsAny(e.def.URI, "{}"):
		r.mistake(e.at, "the URI has braces, which only a template has; use AddTemplate, or write them as %%7B and %%7D")
	case err != nil || u.Scheme == "":
		r.mistake(e.at, "the URI is no absolute URI; use one such as file:///notes.txt")
	}
	r.checkNamed(e.at, e.def.Name, e.def.Icons, e.def.Annotations)
	if e.def.Size < 0 {
		r.mistake(e.at, "the size is negative; leave it 0 if it is unknown")
	}
	r.checkMeta(e.at, e.def.Meta)
}

func checkTemplate(r *registry, t *template) {
	r.checkNamed(t.at, t.def.Name, t.def.Icons, t.def.Annotations)
	r.checkMeta(t.at, t.def.Meta)
}

// checkVariables compares the variables of a template with the fields that take them.
func checkVariables(r *registry, t *template) {
	names := t.pattern.Names()
	for _, property := range t.variables.Properties() {
		switch {
		case !slices.Contains(names, property.Name):
			r.mistake(t.at, "field %q is no variable of the template; rename it or its json tag", property.Name)
		case !isScalar(property):
			r.mistake(t.at, "field %q is no scalar; a URI has text, so use a string, a number or a boolean", property.Name)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == property.Name })
	}
	for _, name := range names {
		r.mistake(t.at, "variable %q has no field; add one with this json tag", name)
	}
}

func checkPrompt(r *registry, p *prompt) {
	if p.def.Description == "" {
		r.mistake(p.at, "the description is empty; say what the prompt is for")
	}
	r.checkNamed(p.at, p.def.Name, p.def.Icons, nil)
	r.checkMeta(p.at, p.def.Meta)
}

func (r *registry) checkNamed(at place, name string, icons []Icon, annotations *content.Annotations) {
	if name == "" {
		r.mistake(at, "the name is empty; give it one")
	}
	r.checkIcons(at, icons)
	if annotations == nil {
		return
	}
	if p := annotations.Priority; p != nil && !(*p >= 0 && *p <= 1) {
		r.mistake(at, "the priority is %v; use 0 to 1", *p)
	}
	for _, role := range annotations.Audience {
		if role != content.RoleUser && role != content.RoleAssistant {
			r.mistake(at, "the audience names %q; use content.RoleUser or content.RoleAssistant", role)
		}
	}
}

// checkIcons checks where pictures come from.
//
// basic/index#icons: consumers refuse everything but https: and data:.
func (r *registry) checkIcons(at place, icons []Icon) {
	for _, icon := range icons {
		if !strings.HasPrefix(icon.Source, "https://") && !strings.HasPrefix(icon.Source, "data:") {
			r.mistake(at, "the icon %.60q is not https: or data:, and clients refuse it; use one of the two", icon.Source)
		}
		if icon.Theme != "" && icon.Theme != "light" && icon.Theme != "dark" {
			r.mistake(at, "the icon's theme is %q; use light, dark or nothing", icon.Theme)
		}
	}
}

// checkMeta checks the keys of a _meta.
func (r *registry) checkMeta(at place, meta []byte) {
	r.mistakesOf(at, "_meta", protocol.CheckMeta(meta))
}

// mirroredParams are the arguments of a tool that HTTP clients mirror into headers.
func mirroredParams(input *schema.Compiled) []protocol.MirroredParam {
	types := map[string]protocol.ParamType{
		"string": protocol.StringParamType, "integer": protocol.IntegerParamType, "boolean": protocol.BooleanParamType,
	}
	var params []protocol.MirroredParam
	for _, h := range input.Headers() {
		params = append(params, protocol.MirroredParam{Header: protocol.ParamHeader(h.Name), Path: h.Path, Type: types[h.Type]})
	}
	return params
}

// isScalar tells what a string can stand for.
func isScalar(p schema.Property) bool {
	switch p.Type {
	case "string", "integer", "number", "boolean":
		return true
	}
	return len(p.Enum) > 0
}
