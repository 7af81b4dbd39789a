package arch

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// RevisionFile is the one file that may hold the dates of protocol revisions.
const RevisionFile = "internal/protocol/revision.go"

// Dates checks that dated strings stand in [RevisionFile] alone. A package that needs to know what a revision does asks
// for a column of the table there. The reference layout of package time is no such date.
func Dates(m *Module, house []Layer) []Breach {
	dated := regexp.MustCompile(`20\d\d-\d\d-\d\d`)
	return m.gather(library(house), func(p *Package) []Breach {
		var found []Breach
		for _, f := range p.Files {
			if f.Path == RevisionFile {
				continue
			}
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err == nil && dated.MatchString(strings.ReplaceAll(text, "2006-01-02", "")) {
					found = append(found, m.at(lit, "a dated string: dates of revisions stand in "+RevisionFile+" alone",
						"ask for a column of the revision table; add one when behaviour differs"))
				}
				return true
			})
		}
		return found
	})
}

// Names checks the names of packages: a package is named after what it knows, not after the kind of things in it.
func Names(m *Module, house []Layer) []Breach {
	banned := []string{"util", "utils", "common", "types", "helper", "helpers", "misc", "shared", "base", "lib"}
	all := func(*Package) bool { return true }
	return m.gather(all, func(p *Package) []Breach {
		for _, name := range []string{p.Name, path.Base(p.Dir)} {
			if slices.Contains(banned, name) {
				return []Breach{{p.Dir, "a package called " + name + " says nothing about what it knows", "name it after its subject, or move its code to where it is used"}}
			}
		}
		return nil
	})
}

// Legacy checks the half of "legacy is removable" that a parser can see: a function, a method or an unexported type
// whose name begins with "legacy" stands in a file whose name does too. A name that is nothing but Legacy asks for the
// era and is no legacy code. That such files can be deleted is for review.
func Legacy(m *Module, house []Layer) []Breach {
	return m.gather(library(house), func(p *Package) []Breach {
		var found []Breach
		for _, f := range p.Files {
			if strings.HasPrefix(path.Base(f.Path), "legacy") || f.Path == RevisionFile {
				continue
			}
			for _, decl := range f.Syntax.Decls {
				for _, name := range legacyNames(decl) {
					found = append(found, m.at(name, name.Name+" stands outside the legacy files: what only old revisions need can be deleted with its files",
						"move it to a file named legacy…go, or rename it when new revisions need it too"))
				}
			}
		}
		return found
	})
}

func legacyNames(decl ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name := decl.Name.Name
		if strings.HasPrefix(name, "legacy") || strings.HasPrefix(name, "Legacy") && name != "Legacy" {
			names = append(names, decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok && strings.HasPrefix(spec.Name.Name, "legacy") {
				names = append(names, spec.Name)
			}
		}
	}
	return names
}

// Leftovers checks that no comment promises work: what is left to do is an issue, not a line of code.
func Leftovers(m *Module) []Breach {
	promise := regexp.MustCompile(`\b(TO[D]O|FI[X]ME|X[X]X|HA[C]K)\b`) // brackets, so that this line is not found
	all := func(*Package) bool { return true }
	return m.gather(all, func(p *Package) []Breach {
		var found []Breach
		for _, f := range append(p.Files[:len(p.Files):len(p.Files)], p.Tests...) {
			for _, group := range f.Syntax.Comments {
				for _, comment := range group.List {
					if word := promise.FindString(comment.Text); word != "" {
						found = append(found, m.at(comment, "a comment says "+word, "do it, or open an issue"))
					}
				}
			}
		}
		return found
	})
}
