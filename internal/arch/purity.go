package arch

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// Purity checks what stands below the transports: it does no I/O, starts no goroutine and reads no clock. Timers come
// from context and time.AfterFunc alone. The module root may name time.Now once: the default of the injected clock.
func Purity(m *Module, house []Layer) []Breach {
	pure := func(p *Package) bool {
		row := LayerOf(house, p.Dir)
		return row != nil && row.Pure
	}
	return m.gather(pure, func(p *Package) []Breach {
		clocks := 0
		if p.Dir == "." {
			clocks = 1
		}
		var found []Breach
		for _, f := range p.Files {
			for _, spec := range f.Syntax.Imports {
				if target, err := strconv.Unquote(spec.Path.Value); err == nil && impure(target) {
					found = append(found, m.at(spec, fmt.Sprintf("%s imports %q: nothing below the transports does I/O or reads the environment", p.Dir, target),
						"take the value or a function from the caller"))
				}
			}
			found = append(found, m.impureNodes(p, f, &clocks)...)
		}
		return found
	})
}

// impure reports whether a standard package reaches outside the process. net/url and net/netip only parse.
func impure(importPath string) bool {
	if slices.Contains([]string{"net/url", "net/netip"}, importPath) {
		return false
	}
	if slices.Contains([]string{"syscall", "unsafe", "plugin", "log", "testing", "io/ioutil"}, importPath) {
		return true
	}
	for _, tree := range []string{"net", "os"} {
		if importPath == tree || strings.HasPrefix(importPath, tree+"/") {
			return true
		}
	}
	return false
}

// impureNodes finds go statements and uses of the clock; clocks is how many uses of time.Now are still allowed.
func (m *Module) impureNodes(p *Package, f *File, clocks *int) []Breach {
	var found []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, m.at(n, "a go statement below the transports: the core runs on its callers' goroutines alone",
				"do the work on the caller's goroutine, or return it to the transport as a value"))
		case *ast.SelectorExpr:
			from, name := p.imported(n)
			if from != "time" || !slices.Contains(clockNames(), name) {
				return true
			}
			if name == "Now" && *clocks > 0 {
				*clocks--
				return true
			}
			found = append(found, m.at(n, "time."+name+" below the transports: time is an argument, a deadline is a result",
				"use the injected now, context or time.AfterFunc"))
		}
		return true
	})
	return found
}

// clockNames are the functions of package time that read the clock or wait for it.
func clockNames() []string {
	return []string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"}
}

// Mutexes checks that a struct has at most one mutex: one lock a type, so that the lock order is an order of types.
func Mutexes(m *Module, house []Layer) []Breach {
	return m.gather(library(house), func(p *Package) []Breach {
		var found []Breach
		for _, f := range p.Files {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				if st, ok := n.(*ast.StructType); ok && p.mutexes(st) > 1 {
					found = append(found, m.at(st, "a struct with more than one mutex: at most one mutex a type",
						"split the type, or guard all of it with one"))
				}
				return true
			})
		}
		return found
	})
}

func (p *Package) mutexes(st *ast.StructType) int {
	count := 0
	for _, field := range st.Fields.List {
		if from, name := p.imported(field.Type); from == "sync" && (name == "Mutex" || name == "RWMutex") {
			count += max(1, len(field.Names))
		}
	}
	return count
}

// library wants every package that strangers or other packages of ours import.
func library(house []Layer) func(*Package) bool {
	return func(p *Package) bool {
		row := LayerOf(house, p.Dir)
		return row == nil || !row.Program
	}
}
