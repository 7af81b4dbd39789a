package arch

import (
	"go/ast"
	"go/token"
	"strings"
)

// Documented checks that every exported name of every library package has a doc comment, internal packages included,
// and that the package comment says what the package does not do. A group of constants, variables or fields may share
// one comment: the one above it, when no blank line parts them; the comment of a type covers its first group of members.
// Only the fields of a type called …Options have a comment each, because defaults stand there. Programs need a package
// comment alone.
func Documented(m *Module, house []Layer) []Breach {
	all := func(*Package) bool { return true }
	return m.gather(all, func(p *Package) []Breach {
		found := packageComment(p, library(house)(p))
		if !library(house)(p) {
			return found
		}
		for _, f := range p.Files {
			for _, decl := range f.Syntax.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if decl.Doc == nil && decl.Name.IsExported() && exportedReceiver(decl) {
						found = append(found, m.undocumented(decl.Name))
					}
				case *ast.GenDecl:
					found = append(found, m.undocumentedSpecs(decl)...)
				}
			}
		}
		return found
	})
}

func packageComment(p *Package, library bool) []Breach {
	var text strings.Builder
	for _, f := range p.Files {
		text.WriteString(f.Syntax.Doc.Text())
	}
	switch {
	case text.Len() == 0:
		return []Breach{{p.Dir, "no package comment", "say in doc.go what the package knows and what it does not"}}
	case library && !strings.Contains(strings.Join(strings.Fields(text.String()), " "), "This package does not "):
		return []Breach{{p.Dir, "the package comment does not say where the package ends", `end doc.go with a sentence that begins "This package does not"`}}
	}
	return nil
}

func (m *Module) undocumented(name *ast.Ident) Breach {
	return m.at(name, "exported name "+name.Name+" has no doc comment", "say what it is, with units, defaults and errors")
}

// exportedReceiver reports whether a function stands in the documentation: methods of unexported types do not.
func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	return ast.IsExported(receiverName(fn))
}

// receiverName is the type that a method belongs to, without its pointer and its type parameters.
func receiverName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	e := fn.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (m *Module) undocumentedSpecs(decl *ast.GenDecl) []Breach {
	var found []Breach
	covered := false // by a comment on this spec or on one directly above it
	last := token.NoPos
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && spec.Doc == nil && spec.Comment == nil && decl.Doc == nil {
				found = append(found, m.undocumented(spec.Name))
			}
			if spec.Name.IsExported() {
				found = append(found, m.undocumentedMembers(spec.Type, strings.HasSuffix(spec.Name.Name, "Options"))...)
			}
		case *ast.ValueSpec:
			commented := spec.Doc != nil || spec.Comment != nil
			covered = commented || covered && m.adjacent(last, spec.Pos())
			last = spec.End()
			for _, name := range spec.Names {
				if name.IsExported() && !covered && decl.Doc == nil {
					found = append(found, m.undocumented(name))
				}
			}
		}
	}
	return found
}

// undocumentedMembers checks the fields of a struct and the methods of an interface; each says that groups do not count.
// A field with a tag is one of the wire, which the specification documents.
func (m *Module) undocumentedMembers(typ ast.Expr, each bool) []Breach {
	var list *ast.FieldList
	switch typ := typ.(type) {
	case *ast.StructType:
		list = typ.Fields
	case *ast.InterfaceType:
		list = typ.Methods
	default:
		return nil
	}
	var found []Breach
	covered, last := !each, list.Opening
	for _, field := range list.List {
		commented := field.Doc != nil || field.Comment != nil
		covered = commented || !each && covered && m.adjacent(last, field.Pos())
		last = field.End()
		for _, name := range field.Names {
			if name.IsExported() && !covered && field.Tag == nil {
				found = append(found, m.undocumented(name))
			}
		}
	}
	return found
}

// adjacent reports whether no blank line stands between two positions.
func (m *Module) adjacent(before, after token.Pos) bool {
	return before.IsValid() && m.Fset.Position(after).Line-m.Fset.Position(before).Line <= 1
}
