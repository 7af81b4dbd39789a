package arch

import (
	"go/types"
	"strings"
)

// Outsiders checks that no type of a third-party module stands in the exported surface of a package: a dependency that
// shows can never be changed. Raw JSON is json.RawMessage of the standard library.
func Outsiders(module string, pkg *types.Package) []Breach {
	var found []Breach
	for _, entry := range Surface(pkg) {
		walk := outsiders{module: module, seen: map[types.Type]bool{}}
		walk.visit(entry.Type)
		for _, name := range walk.found {
			found = append(found, Breach{pkg.Path(), entry.Line + ": shows the third-party type " + name, "use a type of the standard library or of this module"})
		}
	}
	return found
}

type outsiders struct {
	module string
	seen   map[types.Type]bool
	found  []string
}

// visit walks everything that is written in a type. It stops at named types: those of this module have entries of their
// own where they are exported.
func (w *outsiders) visit(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.named(t.Obj())
		w.arguments(t.TypeArgs())
	case *types.Alias:
		w.named(t.Obj())
		w.arguments(t.TypeArgs())
	case *types.Pointer:
		w.visit(t.Elem())
	case *types.Slice:
		w.visit(t.Elem())
	case *types.Array:
		w.visit(t.Elem())
	case *types.Chan:
		w.visit(t.Elem())
	case *types.Map:
		w.visit(t.Key())
		w.visit(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			w.visit(field.Type())
		}
	case *types.Interface:
		for method := range t.ExplicitMethods() {
			w.visit(method.Type())
		}
		for embedded := range t.EmbeddedTypes() {
			w.visit(embedded)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.visit(term.Type())
		}
	case *types.Signature:
		w.signature(t)
	case *types.TypeParam:
		w.visit(t.Constraint())
	}
}

func (w *outsiders) signature(t *types.Signature) {
	for v := range t.Params().Variables() {
		w.visit(v.Type())
	}
	for v := range t.Results().Variables() {
		w.visit(v.Type())
	}
	for p := range t.TypeParams().TypeParams() {
		w.visit(p.Constraint())
	}
}

func (w *outsiders) arguments(list *types.TypeList) {
	for t := range list.Types() {
		w.visit(t)
	}
}

func (w *outsiders) named(obj *types.TypeName) {
	pkg := obj.Pkg()
	if pkg == nil || Standard(pkg.Path()) || pkg.Path() == w.module || strings.HasPrefix(pkg.Path(), w.module+"/") {
		return
	}
	w.found = append(w.found, pkg.Path()+"."+obj.Name())
}
