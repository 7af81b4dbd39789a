package arch_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/arch"
)

var update = flag.Bool("update", false, "rewrite api/*.txt from the code")

// public lists the folders whose exported names strangers can use.
func public(m *arch.Module) []string {
	var dirs []string
	for _, p := range m.Packages {
		row := arch.LayerOf(arch.House(), p.Dir)
		if row != nil && !row.Program && !strings.HasPrefix(p.Dir, "internal/") {
			dirs = append(dirs, p.Dir)
		}
	}
	return dirs
}

// compiled type-checks the public packages by reading what the compiler exports for them.
func compiled(t *testing.T, m *arch.Module) map[string]*types.Package {
	t.Helper()
	args := []string{"list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	dirs := public(m)
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		importPath, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[importPath] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(importPath string) (io.ReadCloser, error) {
		if files[importPath] == "" {
			return nil, fmt.Errorf("no export data of %s: it does not compile", importPath)
		}
		return os.Open(files[importPath])
	})
	packages := map[string]*types.Package{}
	for _, dir := range dirs {
		pkg, err := imp.Import(path.Join(m.Path, dir))
		if err != nil {
			t.Errorf("%s: %v\n%s", dir, err, &stderr)
			continue
		}
		packages[dir] = pkg
	}
	return packages
}

// goldenFile is where the surface of a package is written down.
func goldenFile(dir string) string {
	if dir == "." {
		dir = "mcp"
	}
	return strings.ReplaceAll(dir, "/", "_") + ".txt"
}

// TestSurface makes every change of the exported surface a reviewed line of a golden file.
func TestSurface(t *testing.T) {
	m := load(t)
	known := map[string]bool{}
	for dir, pkg := range compiled(t, m) {
		known[goldenFile(dir)] = true
		t.Run(goldenFile(dir), func(t *testing.T) {
			for _, b := range arch.Outsiders(m.Path, pkg) {
				t.Error(b)
			}
			if n := arch.ExportedNames(pkg); dir == "." && n > arch.MaxRootExported {
				t.Errorf("the module root exports %d names: at most %d; keep a name unexported until strangers need it", n, arch.MaxRootExported)
			}
			compareGolden(t, filepath.Join("../../api", goldenFile(dir)), pkg)
		})
	}
	if t.Failed() {
		return
	}
	entries, err := fs.Glob(m.FS, "api/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range entries {
		if !known[path.Base(name)] {
			t.Errorf("%s belongs to no public package; delete it", name)
		}
	}
}

func compareGolden(t *testing.T, file string, pkg *types.Package) {
	t.Helper()
	var got strings.Builder
	for _, entry := range arch.Surface(pkg) {
		got.WriteString(entry.Line + "\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the exported surface of %s has no golden file: %v; run go test ./internal/arch -update", pkg.Path(), err)
	}
	if string(want) == got.String() {
		return
	}
	before, after := lineSet(string(want)), lineSet(got.String())
	for line := range strings.Lines(got.String()) {
		if !before[line] {
			t.Errorf("new: %s", strings.TrimSpace(line))
		}
	}
	for line := range strings.Lines(string(want)) {
		if !after[line] {
			t.Errorf("gone: %s", strings.TrimSpace(line))
		}
	}
	t.Errorf("the exported surface of %s differs from %s; if that is meant, run go test ./internal/arch -update and review the change", pkg.Path(), file)
}

func lineSet(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		set[line] = true
	}
	return set
}
