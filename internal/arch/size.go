package arch

import (
	"fmt"
	"go/ast"
)

// The limits of the house. Something larger is a sign that a step of the design is missing.
const (
	MaxFileLines    = 400
	MaxFuncLines    = 60
	MaxNesting      = 4
	MaxRootExported = 90 // package-level names of the module root; methods and fields are not counted
)

// Sizes checks the length of files and functions, and how deep statements are nested in each other.
func Sizes(m *Module, house []Layer) []Breach {
	return m.gather(library(house), func(p *Package) []Breach {
		var found []Breach
		for _, f := range p.Files {
			if f.Lines > MaxFileLines {
				found = append(found, Breach{f.Path, fmt.Sprintf("%d lines: a file has one topic and at most %d", f.Lines, MaxFileLines), "find the second topic and give it a file"})
			}
			for _, decl := range f.Syntax.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
					found = append(found, m.sizeOf(fn)...)
				}
			}
		}
		return found
	})
}

func (m *Module) sizeOf(fn *ast.FuncDecl) []Breach {
	var found []Breach
	lines := m.Fset.Position(fn.End()).Line - m.Fset.Position(fn.Pos()).Line
	if lines > MaxFuncLines {
		found = append(found, m.at(fn, fmt.Sprintf("%s has %d lines: a function has at most %d", fn.Name.Name, lines, MaxFuncLines), "name its steps and call them"))
	}
	if depth := nesting(fn.Body); depth > MaxNesting {
		found = append(found, m.at(fn, fmt.Sprintf("%s nests %d deep: at most %d", fn.Name.Name, depth, MaxNesting), "return early, or name the inner step"))
	}
	return found
}

// nesting is how many if, for, switch and select statements stand in each other at the deepest place. An else-if chain
// counts once; a function literal begins anew.
func nesting(body ast.Node) int {
	deepest := 0
	var walk func(n ast.Node, depth int)
	walk = func(root ast.Node, depth int) {
		deepest = max(deepest, depth)
		ast.Inspect(root, func(n ast.Node) bool {
			if n == root || n == nil {
				return true
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				walk(n, 0)
			case *ast.IfStmt:
				walk(n, depth+plus(root, n))
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				walk(n, depth+1)
			default:
				return true
			}
			return false
		})
	}
	walk(body, 0)
	return deepest
}

// plus is 0 for the if of an else-if, which stands beside its parent, not in it.
func plus(parent ast.Node, child *ast.IfStmt) int {
	if outer, ok := parent.(*ast.IfStmt); ok && outer.Else == child {
		return 0
	}
	return 1
}
