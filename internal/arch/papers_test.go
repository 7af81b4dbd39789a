package arch_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/arch"
)

func TestWhere(t *testing.T) {
	t.Parallel()
	const head = "| I want the line that … | package | file | function |\n|---|---|---|---|\n"
	const good = "| decodes | `ground` | `g.go` | `Decode` |\n"
	for _, tc := range []struct{ name, table, want string }{
		{"twelve rows that exist are fine", head + strings.Repeat(good, 12), ""},
		{"fewer rows are too few", head + strings.Repeat(good, 11), "11 questions"},
		{"a method is Type.Method", head + strings.Repeat(good, 11) + "| … | ground | g.go | `T.Run`, `T`, `limit` |\n", ""},
		{"a method without its type is not found", head + strings.Repeat(good, 12) + "| … | ground | g.go | Run |\n", `does not declare "Run"`},
		{"the root is called mcp", head + strings.Repeat(good, 11) + "| … | mcp | root.go | Serve |\n", ""},
		{"a lost function is found", head + strings.Repeat(good, 12) + "| … | ground | g.go | Encode |\n", `does not declare "Encode"`},
		{"a lost file is found", head + strings.Repeat(good, 12) + "| … | ground | h.go | Decode |\n", "has no file h.go"},
		{"a lost package is found", head + strings.Repeat(good, 12) + "| … | grund | g.go | Decode |\n", "no package grund"},
		{"a short row is found", head + strings.Repeat(good, 12) + "| … | ground |\n", "four cells"},
		{"other tables are free", head + strings.Repeat(good, 12) + "\n| a | b |\n|---|---|\n| 1 | 2 |\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			run := func(m *arch.Module, _ []arch.Layer) []arch.Breach { return arch.Where(m) }
			expect(t, run, map[string]string{
				"docs/where.md": tc.table,
				"root.go":       "func Serve() {}",
				"ground/g.go":   "const limit = 1\ntype T[A any] int\nfunc (t *T[A]) Run() {}\nfunc Decode() {}",
			}, tc.want)
		})
	}
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	const named = "| `example.com/dep` | because |\n"
	run := func(m *arch.Module, _ []arch.Layer) []arch.Breach { return arch.Dependencies(m) }
	for _, tc := range []struct{ name, file, text, paper, want string }{
		{"what the module requires is named", "", "", named, ""},
		{"what is not named is told", "", "", "nothing", "does not name example.com/dep, which go.mod asks for"},
		{"a module beside this one is looked at", "bench/go.mod", "module x\nrequire (\n\texample.com/peer v1.0.0\n\texample.com/far v1.0.0 // indirect\n)\n", named, "does not name example.com/peer, which bench/go.mod asks for"},
		{"this module itself needs no reason", "bench/go.mod", "module x\nrequire example.org/m v0.0.0\n", named, ""},
		{"a tool is named by its module", "tools/go.mod", "module x\ntool (\n\texample.com/check/cmd/check\n)\n", named + "`example.com/check`", ""},
		{"a tool that is not named is told", "tools/go.mod", "module x\ntool example.com/check/cmd/check\n", named, "does not name example.com/check/cmd/check"},
		{"a package of npm is named", "interop/package.json", `{"dependencies":{"@a/b":"1"}}`, named, "does not name @a/b, which interop/package.json asks for"},
		{"an optional one too", "interop/package.json", `{"optionalDependencies":{"世界":"1"}}`, named, "does not name 世界"},
		{"one of development too", "interop/package.json", `{"devDependencies":{"c":"1"}}`, named, "does not name c,"},
		{"what npm installed is not ours", "interop/node_modules/c/package.json", `{"dependencies":{"d":"1"}}`, named, ""},
		{"a file that cannot be read is told", "interop/package.json", `{`, named, "cannot be compared: interop/package.json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"docs/dependencies.md": tc.paper}
			if tc.file != "" {
				files[tc.file] = tc.text
			}
			expect(t, run, files, tc.want)
		})
	}
	expect(t, run, nil, "cannot be read")
}

// checked type-checks one file that may import other packages given by path.
func checked(t *testing.T, importPath, text string, imports map[string]*types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: chain(imports)}
	pkg, err := conf.Check(importPath, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

type chain map[string]*types.Package

func (c chain) Import(importPath string) (*types.Package, error) {
	if p := c[importPath]; p != nil {
		return p, nil
	}
	return importer.Default().Import(importPath)
}

func TestSurfaceHasOneLineAName(t *testing.T) {
	t.Parallel()
	pkg := checked(t, "example.org/m", `package m
const Limit = 64
const hidden = 1
type Kind uint8
const (
	Request Kind = iota
	Reply
)
func (k Kind) String() string { return "" }
var ErrGone error
type base struct { Name string; hidden int }
func (b *base) Rename(to string) {}
func (b *base) hide() {}
type Tool[T any] struct { base; Next *Tool[T]; skip int }
func Add[T any](t Tool[T], opts ...string) (err error) { return nil }
type Closed interface { Run(n int); closed() }
type Number interface { ~int | ~float64 }
type Handler func(n int) error
type Alias = map[string]Kind
type unseen struct { Field int }
`, nil)
	want := `const Limit untyped int = 64
const Reply Kind = 1
const Request Kind = 0
func Add[T any](t Tool[T], opts ...string) (err error)
type Alias = map[string]Kind
type Closed interface (closed)
type Closed: method Run(n int)
type Handler func(n int) error
type Kind uint8
type Kind: method (Kind) String() string
type Number interface{~int | ~float64}
type Tool: field Name string
type Tool: field Next *Tool[T]
type Tool: method (*Tool) Rename(to string)
type Tool[T any] struct
var ErrGone error
`
	var got strings.Builder
	for _, entry := range arch.Surface(pkg) {
		got.WriteString(entry.Line + "\n")
	}
	if got.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &got, want)
	}
	if n := arch.ExportedNames(pkg); n != 11 {
		t.Errorf("got %d exported names, want 11: methods, fields and unexported names do not count", n)
	}
}

func TestThirdPartyTypesStayInside(t *testing.T) {
	t.Parallel()
	imports := map[string]*types.Package{
		"example.com/dep":     checked(t, "example.com/dep", "package dep\ntype Value []byte\ntype Box[T any] struct{ V T }", nil),
		"example.org/m/inner": checked(t, "example.org/m/inner", "package inner\ntype Value []byte", nil),
	}
	for _, tc := range []struct{ name, text, want string }{
		{"our own types are free", `import "example.org/m/inner"; func F(inner.Value) {}`, ""},
		{"unexported functions are free", `import "example.com/dep"; func f(dep.Value) {}`, ""},
		{"unexported fields are free", `import "example.com/dep"; type T struct { f dep.Value }`, ""},
		{"a parameter is refused", `import "example.com/dep"; func F(int, ...dep.Value) {}`, "func F"},
		{"a result in a pointer is refused", `import "example.com/dep"; func F() (map[string]*dep.Value, error) { return nil, nil }`, "func F"},
		{"a field is refused", `import "example.com/dep"; type T struct { F []dep.Value }`, "type T: field F"},
		{"an embedded type is refused", `import "example.com/dep"; type T struct { *dep.Value }`, "type T: embedded Value"},
		{"a method is refused", `import "example.com/dep"; type T int; func (T) M(chan dep.Value) {}`, "type T: method (T) M"},
		{"a method of an interface is refused", `import "example.com/dep"; type T interface { M(func(dep.Value)) }`, "type T: method M"},
		{"an alias is refused", `import "example.com/dep"; type T = dep.Value`, "type T ="},
		{"a type argument is refused", `import "example.com/dep"; type T[A any] struct{}; func F(T[dep.Value]) {}`, "func F"},
		{"a constraint is refused", `import "example.com/dep"; func F[A interface{ ~int | dep.Value }]() {}`, "func F"},
		{"a variable is refused", `import "example.com/dep"; var V dep.Box[int]`, "var V"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			found := arch.Outsiders("example.org/m", checked(t, "example.org/m", "package m\n"+tc.text, imports))
			if tc.want == "" && len(found) != 0 || tc.want != "" && (len(found) != 1 || !strings.Contains(found[0].Rule, tc.want)) {
				t.Errorf("got %v, want %q", found, tc.want)
			}
		})
	}
}
