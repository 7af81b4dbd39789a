package arch

import "go/ast"

// Sleeps checks that no test calls time.Sleep, in libraries and programs alike: a test that sleeps is slow when it
// passes and wrong when the machine is busy.
func Sleeps(m *Module) []Breach {
	all := func(*Package) bool { return true }
	return m.gather(all, func(p *Package) []Breach {
		var found []Breach
		for _, f := range p.Tests {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok || sel.Sel.Name != "Sleep" {
					return true
				}
				if id, ok := sel.X.(*ast.Ident); ok && id.Name == "time" {
					found = append(found, m.at(sel, "a test sleeps", "wait on a channel, or use testing/synctest and a timer"))
				}
				return true
			})
		}
		return found
	})
}
