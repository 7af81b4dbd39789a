package arch_test

import (
	"os"
	"testing"

	"github.com/bowline-go/mcp/internal/arch"
)

// load parses the real tree.
func load(t *testing.T) *arch.Module {
	t.Helper()
	m, err := arch.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestHouse holds the module to its own rules. A failure says which rule, where, and what to do.
func TestHouse(t *testing.T) {
	m := load(t)
	house := arch.House()
	rules := []struct {
		name  string
		check func() []arch.Breach
	}{
		{"imports go downwards only", func() []arch.Breach { return arch.Layers(m, house) }},
		{"the core does no I/O, starts no goroutine and reads no clock", func() []arch.Breach { return arch.Purity(m, house) }},
		{"a type has at most one mutex", func() []arch.Breach { return arch.Mutexes(m, house) }},
		{"no init and no mutable package variable", func() []arch.Breach { return arch.State(m, house) }},
		{"dated strings stand in the revision table alone", func() []arch.Breach { return arch.Dates(m, house) }},
		{"packages are named after their subject", func() []arch.Breach { return arch.Names(m, house) }},
		{"legacy code stands in legacy files", func() []arch.Breach { return arch.Legacy(m, house) }},
		{"files and functions stay small", func() []arch.Breach { return arch.Sizes(m, house) }},
		{"every exported name is documented", func() []arch.Breach { return arch.Documented(m, house) }},
		{"tests do not sleep", func() []arch.Breach { return arch.Sleeps(m) }},
		{"nothing is left to do", func() []arch.Breach { return arch.Leftovers(m) }},
		{"docs/where.md names what exists", func() []arch.Breach { return arch.Where(m) }},
		{"docs/dependencies.md gives a reason for each dependency", func() []arch.Breach { return arch.Dependencies(m) }},
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			for _, b := range rule.check() {
				t.Error(b)
			}
		})
	}
}
