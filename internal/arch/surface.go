package arch

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// An Entry is one line of the exported surface and the type that stands in it.
type Entry struct {
	Line string
	Type types.Type
}

// Surface lists what a type-checked package exports, one line a name: constants with their values, variables, functions,
// types, and under each type its exported fields and methods, promoted ones included. Lines are sorted, so that a new
// name is one new line of the golden file.
func Surface(pkg *types.Package) []Entry {
	s := surface{pkg: pkg}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Const:
			s.add(obj.Type(), "const %s %s = %s", name, s.text(obj.Type()), obj.Val().ExactString())
		case *types.Var:
			s.add(obj.Type(), "var %s %s", name, s.text(obj.Type()))
		case *types.Func:
			s.add(obj.Type(), "func %s%s", name, s.signature(obj))
		case *types.TypeName:
			s.typeName(obj)
		}
	}
	slices.SortFunc(s.entries, func(a, b Entry) int { return strings.Compare(a.Line, b.Line) })
	return s.entries
}

// ExportedNames counts the package-level names that a package exports.
func ExportedNames(pkg *types.Package) int {
	count := 0
	for _, name := range pkg.Scope().Names() {
		if pkg.Scope().Lookup(name).Exported() {
			count++
		}
	}
	return count
}

type surface struct {
	pkg     *types.Package
	entries []Entry
}

func (s *surface) add(t types.Type, format string, args ...any) {
	s.entries = append(s.entries, Entry{Line: fmt.Sprintf(format, args...), Type: t})
}

func (s *surface) text(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == s.pkg {
			return ""
		}
		return p.Name()
	})
}

// signature is everything behind the name of a function.
func (s *surface) signature(fn *types.Func) string {
	return strings.TrimPrefix(s.text(fn.Type()), "func")
}

func (s *surface) typeName(obj *types.TypeName) {
	if alias, ok := obj.Type().(*types.Alias); ok {
		s.add(alias.Rhs(), "type %s = %s", obj.Name(), s.text(alias.Rhs()))
		return
	}
	head := "type " + s.text(obj.Type())
	switch under := obj.Type().Underlying().(type) {
	case *types.Struct:
		s.add(nil, "%s struct", head)
		s.fields(obj.Name(), under, map[string]bool{})
	case *types.Interface:
		s.iface(head, obj.Name(), under)
		return
	default:
		s.add(under, "%s %s", head, s.text(under))
	}
	s.methods(obj)
}

// fields lists the exported fields of a struct and, as the language does, those that an unexported embedded struct
// promotes. An embedded field shows as its type.
func (s *surface) fields(owner string, st *types.Struct, seen map[string]bool) {
	for field := range st.Fields() {
		switch {
		case field.Exported() && !seen[field.Name()]:
			seen[field.Name()] = true
			kind := "field"
			if field.Embedded() {
				kind = "embedded"
			}
			s.add(field.Type(), "type %s: %s %s %s", owner, kind, field.Name(), s.text(field.Type()))
		case field.Embedded():
			if inner, ok := deref(field.Type()).Underlying().(*types.Struct); ok && !seen[field.Name()] {
				seen[field.Name()] = true
				s.fields(owner, inner, seen)
			}
		}
	}
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// iface lists an interface; one with unexported methods is closed to other packages, which is a promise too.
func (s *surface) iface(head, owner string, it *types.Interface) {
	closed := ""
	for method := range it.Methods() {
		if !method.Exported() {
			closed = " (closed)"
			continue
		}
		s.add(method.Type(), "type %s: method %s%s", owner, method.Name(), s.signature(method))
	}
	if it.IsMethodSet() {
		s.add(nil, "%s interface%s", head, closed)
		return
	}
	s.add(it, "%s %s%s", head, s.text(it), closed)
}

func (s *surface) methods(obj *types.TypeName) {
	byValue := types.NewMethodSet(obj.Type())
	for sel := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
		method := sel.Obj().(*types.Func)
		if !method.Exported() {
			continue
		}
		receiver := "*" + obj.Name()
		if byValue.Lookup(method.Pkg(), method.Name()) != nil {
			receiver = obj.Name()
		}
		s.add(sel.Type(), "type %s: method (%s) %s%s", obj.Name(), receiver, method.Name(), strings.TrimPrefix(s.text(sel.Type()), "func"))
	}
}
