package arch

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// State checks that a library package has no init function and no mutable package variable. A package variable may be
//
//   - blank: a compile-time assertion;
//   - an error sentinel: errors.New, named Err… or err…;
//   - an unexported sync.Pool, which holds nothing that a program can observe;
//   - an unexported table: a value made of literals, conversions, the calls that constantCalls lists and functions of
//     the package that return an array, which no statement of the package assigns to, in whole or in part.
func State(m *Module, house []Layer) []Breach {
	return m.gather(library(house), func(p *Package) []Breach {
		written := p.written()
		var found []Breach
		for _, f := range p.Files {
			for _, decl := range f.Syntax.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if decl.Recv == nil && decl.Name.Name == "init" {
						found = append(found, m.at(decl, "an init function: importing a package does nothing", "build the value in a constructor"))
					}
				case *ast.GenDecl:
					found = append(found, m.variables(p, decl, written)...)
				}
			}
		}
		return found
	})
}

func (m *Module) variables(p *Package, decl *ast.GenDecl, written map[types.Object]token.Pos) []Breach {
	if decl.Tok != token.VAR {
		return nil
	}
	var found []Breach
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, name := range spec.Names {
			var value ast.Expr
			if len(spec.Values) == len(spec.Names) {
				value = spec.Values[i]
			}
			if rule := p.mutable(name, spec.Type, value); rule != "" {
				found = append(found, m.at(name, "package variable "+name.Name+" "+rule+": no mutable package variables",
					"make it a constant, a function, or a field of the value that owns it"))
				continue
			}
			if pos, ok := written[p.Info.Defs[name]]; ok {
				found = append(found, m.at(name, "package variable "+name.Name+" is written or its address is taken at "+m.position(pos)+": no mutable package variables",
					"move it into the value that owns it"))
			}
		}
	}
	return found
}

// mutable says what is wrong with a declaration, or nothing.
func (p *Package) mutable(name *ast.Ident, typ, value ast.Expr) string {
	pool := p.isPool(typ) || p.isPool(value)
	switch {
	case name.Name == "_":
		return ""
	case p.isSentinel(name.Name, value):
		return ""
	case name.IsExported():
		return "is exported, so that anybody may assign to it"
	case pool:
		return ""
	case value == nil:
		return "has no value of its own, so that something must assign to it"
	case !p.isTable(value):
		return "is the result of a call that runs when the program starts"
	}
	return ""
}

func (p *Package) isSentinel(name string, value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	from, fn := p.imported(call.Fun)
	return from == "errors" && fn == "New" && (strings.HasPrefix(name, "Err") || strings.HasPrefix(name, "err"))
}

// isPool accepts sync.Pool as a type and as a literal.
func (p *Package) isPool(e ast.Expr) bool {
	if lit, ok := e.(*ast.CompositeLit); ok {
		e = lit.Type
	}
	from, name := p.imported(e)
	return from == "sync" && name == "Pool"
}

// isTable reports whether a value holds no call but those that give the same value in every run at almost no cost.
func (p *Package) isTable(value ast.Expr) bool {
	ok := true
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // its body does not run here
		case *ast.CallExpr:
			ok = ok && p.isConstantCall(n)
		}
		return ok
	})
	return ok
}

// constantCalls are functions of the standard library whose result never changes and is cheap.
func constantCalls() []string {
	return []string{
		"errors.New", "reflect.TypeFor", "reflect.TypeOf", "strings.NewReplacer",
		"encoding/base64.StdEncoding.Strict", "encoding/base64.RawURLEncoding.Strict",
	}
}

func (p *Package) isConstantCall(call *ast.CallExpr) bool {
	fun := ast.Unparen(call.Fun)
	if generic, ok := fun.(*ast.IndexExpr); ok {
		fun = generic.X
	}
	switch fun := fun.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.InterfaceType, *ast.FuncType, *ast.StarExpr:
		return true // a conversion
	case *ast.FuncLit:
		return returnsArray(fun.Type)
	case *ast.Ident:
		switch obj := p.Info.Uses[fun].(type) {
		case *types.TypeName, *types.Builtin:
			return true
		case *types.Func:
			results := obj.Signature().Results()
			if results.Len() != 1 {
				return false
			}
			_, array := results.At(0).Type().Underlying().(*types.Array)
			return array
		}
	case *ast.SelectorExpr:
		from, name := p.imported(fun)
		if from == "" { // a method of something imported
			from, name = p.imported(fun.X)
			name += "." + fun.Sel.Name
		}
		return slices.Contains(constantCalls(), from+"."+name)
	}
	return false
}

func returnsArray(t *ast.FuncType) bool {
	if t.Results.NumFields() != 1 {
		return false
	}
	array, ok := t.Results.List[0].Type.(*ast.ArrayType)
	return ok && array.Len != nil
}

// written maps each package variable that a statement assigns to, in whole or in part, to the first such place.
func (p *Package) written() map[types.Object]token.Pos {
	places := map[types.Object]token.Pos{}
	note := func(e ast.Expr) {
		id := rootOf(e)
		if id == nil || p.Types == nil {
			return
		}
		obj := p.Info.Uses[id]
		if obj == nil || obj.Parent() != p.Types.Scope() {
			return
		}
		if _, seen := places[obj]; !seen {
			places[obj] = e.Pos()
		}
	}
	for _, f := range p.Files {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			for _, target := range targets(n) {
				note(target)
			}
			return true
		})
	}
	return places
}

// targets are the expressions that a node writes to. Taking the address of an element is reading; taking the address of
// a whole variable is counted as writing, because nothing else needs it.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
			return []ast.Expr{id}
		}
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && slices.Contains([]string{"delete", "clear", "copy"}, id.Name) {
			return n.Args[:1]
		}
	}
	return nil
}

// rootOf finds the variable that an expression such as a.b[i] or *p is a part of.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}
