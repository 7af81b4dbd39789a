package arch

import (
	"fmt"
	"go/ast"
	"go/token"
)

// A Breach is one place where a rule of the house does not hold.
type Breach struct {
	Where string // file:line, or the package when no line is to blame
	Rule  string // what was found and which rule it breaks
	Fix   string // what to do
}

// String is the line that a failing test prints.
func (b Breach) String() string { return b.Where + ": " + b.Rule + "; " + b.Fix }

// at makes a breach that points to a node.
func (m *Module) at(n ast.Node, rule, fix string) Breach {
	return Breach{Where: m.position(n.Pos()), Rule: rule, Fix: fix}
}

// position is file:line with the file's path from the module root.
func (m *Module) position(p token.Pos) string {
	where := m.Fset.Position(p)
	return fmt.Sprintf("%s:%d", where.Filename, where.Line)
}
