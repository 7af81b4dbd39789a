package arch

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Layer is one row of the import table: a package, or a tree of programs.
type Layer struct {
	Dir     string   // folder from the module root; "examples/..." means the folder and all below it
	Ours    []string // folders of this module that it may import; "*" is any
	Outside []string // third-party import paths that it may import
	Pure    bool     // below the transports: no I/O, no goroutine, no clock
	Program bool     // not a library: no exported surface, free choice of style
}

// House is the import table of this module. Imports go downwards only. A new edge is a new word in this table, so that
// it is reviewed; a package that has no row fails the test.
func House() []Layer {
	const (
		json     = "github.com/go-json-experiment/json"
		jsontext = "github.com/go-json-experiment/json/jsontext"
	)
	jsonstring := []string{"internal/jsonstring"}
	wire := []string{"content", "internal/jsonrpc", "internal/protocol"}
	return []Layer{
		// The ground floor imports nothing of ours but how a JSON string is read and written.
		{Dir: "internal/jsonstring", Pure: true},
		{Dir: "schema", Ours: jsonstring, Outside: []string{json, jsontext, "github.com/google/jsonschema-go/jsonschema"}, Pure: true},
		{Dir: "content", Ours: jsonstring, Outside: []string{json, jsontext}, Pure: true},
		{Dir: "internal/jsonrpc", Ours: jsonstring, Pure: true},
		{Dir: "internal/seal", Pure: true},
		{Dir: "internal/hub", Pure: true},
		{Dir: "internal/uri", Outside: []string{"github.com/yosida95/uritemplate/v3"}, Pure: true},

		{Dir: "content/yaml", Ours: []string{"content"}, Outside: []string{"go.yaml.in/yaml/v4"}, Pure: true},

		// The wire model, and the client half on it.
		{Dir: "internal/protocol", Ours: []string{"content", "internal/jsonrpc"}, Outside: []string{json, jsontext}, Pure: true},
		{Dir: "internal/client", Ours: wire, Pure: true},

		// The core and the deprecated client features that are written on its public face.
		{
			Dir: ".", Outside: []string{json, jsontext}, Pure: true,
			Ours: []string{"schema", "content", "internal/jsonrpc", "internal/seal", "internal/hub", "internal/uri", "internal/protocol"},
		},
		{Dir: "sampling", Ours: []string{".", "content", "internal/protocol"}, Pure: true},
		{Dir: "roots", Ours: []string{".", "internal/protocol"}, Pure: true},

		// Transports know the core alone; what stands beside them knows the core, never a transport.
		{Dir: "stdio", Ours: []string{"."}},
		{Dir: "mcphttp", Ours: []string{"."}},
		{Dir: "procedure", Ours: []string{".", "schema", "content"}, Outside: []string{json}},
		{Dir: "mcptest", Ours: append([]string{".", "internal/client"}, wire...), Outside: []string{json, jsontext}},

		{Dir: "examples/...", Ours: []string{"*"}, Program: true},
		{Dir: "conformance/...", Ours: []string{"*"}, Program: true},
		{Dir: "interop/...", Ours: []string{"*"}, Program: true},
		{Dir: "internal/arch", Program: true},
	}
}

// LayerOf finds the row of a folder, or nil.
func LayerOf(house []Layer, dir string) *Layer {
	for i := range house {
		tree, isTree := strings.CutSuffix(house[i].Dir, "/...")
		if house[i].Dir == dir || isTree && (dir == tree || strings.HasPrefix(dir, tree+"/")) {
			return &house[i]
		}
	}
	return nil
}

// Layers checks every import of every file that is no test against the table. Tests are free: they are black boxes that
// may stand on anything that Go lets them import.
func Layers(m *Module, house []Layer) []Breach {
	all := func(*Package) bool { return true }
	return m.gather(all, func(p *Package) []Breach {
		row := LayerOf(house, p.Dir)
		if row == nil {
			return []Breach{{p.Dir, "the package has no row in the import table", "say in arch.House what it may import, and draw it in docs/architecture.md"}}
		}
		return m.importBreaches(p, row)
	})
}

func (m *Module) importBreaches(p *Package, row *Layer) []Breach {
	var found []Breach
	for _, f := range p.Files {
		for _, spec := range f.Syntax.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			if spec.Name != nil && spec.Name.Name == "." {
				found = append(found, m.at(spec, "a dot import hides where names come from", "import the package by name"))
			}
			if rule, fix := refuse(m.Path, row, target); rule != "" {
				found = append(found, m.at(spec, fmt.Sprintf("%s imports %q: %s", p.Dir, target, rule), fix))
			}
		}
	}
	return found
}

// refuse says why a row may not import a path, or nothing.
func refuse(module string, row *Layer, target string) (rule, fix string) {
	switch {
	case target == module || strings.HasPrefix(target, module+"/"):
		dir := strings.TrimPrefix(strings.TrimPrefix(target, module), "/")
		if slices.Contains(row.Ours, "*") || slices.Contains(row.Ours, path.Clean(dir)) {
			return "", ""
		}
		return "imports go downwards only, and the table does not have this edge",
			"move the code to the layer that owns it, or let the lower layer take a value or a function"
	case Standard(target) || row.Program || slices.Contains(row.Outside, target):
		return "", ""
	}
	return "the table gives this package no such third-party module",
		"use the package of ours that wraps it, or add the module to arch.House and its reason to docs/dependencies.md"
}

// Standard reports whether an import path belongs to the standard library: its first element has no dot.
func Standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}
