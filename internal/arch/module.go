package arch

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Module is the parsed source of one Go module.
type Module struct {
	Path     string // module path, the first line of go.mod
	Packages []*Package
	Fset     *token.FileSet
	FS       fs.FS
}

// A Package is one folder of Go files. Files for other platforms are in it too.
type Package struct {
	Dir   string  // slash separated, from the module root; "." is the root
	Name  string  // of the package clause
	Files []*File // without tests, by name
	Tests []*File // by name
	Info  *types.Info
	Types *types.Package
}

// A File is one parsed Go file.
type File struct {
	Path   string // from the module root
	Syntax *ast.File
	Lines  int
}

// Load parses every package below the root of fsys that belongs to its module: folders with a go.mod of their own,
// testdata, node_modules and names that begin with "." or "_" are left out, as the go command leaves them out.
func Load(fsys fs.FS) (*Module, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, fmt.Errorf("read the module file: %w", err)
	}
	m := &Module{FS: fsys, Fset: token.NewFileSet()}
	m.Path, _ = parseModFile(string(text))
	if m.Path == "" {
		return nil, errors.New("go.mod has no module line; it must begin with one")
	}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if foreign(fsys, name) {
			return fs.SkipDir
		}
		return m.loadFolder(name)
	})
	return m, err
}

// foreign reports whether a folder is no part of the module.
func foreign(fsys fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	if noSource(path.Base(dir)) {
		return true
	}
	_, err := fs.Stat(fsys, dir+"/go.mod")
	return err == nil
}

// noSource reports whether a folder of that name is left out wherever it stands.
func noSource(base string) bool {
	return base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}

// parseModFile reads what the checks need: the module, and what it asks for directly, modules and the packages of
// tools. The go command has checked the rest of the file.
func parseModFile(text string) (module string, asks []string) {
	block := ""
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.Contains(line, "// indirect"):
		case fields[0] == "module":
			module = fields[1]
		case fields[0] == ")":
			block = ""
		case len(fields) > 1 && fields[1] == "(":
			block = fields[0]
		case fields[0] == "require" || fields[0] == "tool":
			asks = append(asks, fields[1])
		case block == "require" || block == "tool":
			asks = append(asks, fields[0])
		}
	}
	return module, asks
}

func (m *Module) loadFolder(dir string) error {
	entries, err := fs.ReadDir(m.FS, dir)
	if err != nil {
		return err
	}
	p := &Package{Dir: dir}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".go" {
			continue
		}
		f, err := m.parse(path.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if strings.HasSuffix(e.Name(), "_test.go") {
			p.Tests = append(p.Tests, f)
			continue
		}
		p.Files = append(p.Files, f)
		p.Name = f.Syntax.Name.Name
	}
	if len(p.Files) == 0 {
		return nil
	}
	m.resolve(p)
	m.Packages = append(m.Packages, p)
	return nil
}

func (m *Module) parse(name string) (*File, error) {
	text, err := fs.ReadFile(m.FS, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(m.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	return &File{Path: name, Syntax: syntax, Lines: m.Fset.File(syntax.Pos()).LineCount()}, nil
}

// resolve finds out what each identifier means inside the package. Imported packages are empty stand-ins and mistakes
// are ignored: the checks ask only which import or which object of this package an identifier names.
func (m *Module) resolve(p *Package) {
	p.Info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: standIns{}, Error: func(error) {}, FakeImportC: true}
	syntax := make([]*ast.File, len(p.Files))
	for i, f := range p.Files {
		syntax[i] = f.Syntax
	}
	p.Types, _ = conf.Check(p.path(m), m.Fset, syntax, p.Info)
}

// path is the import path.
func (p *Package) path(m *Module) string { return path.Join(m.Path, p.Dir) }

// standIns answers every import with an empty package of that path.
type standIns struct{}

func (standIns) Import(importPath string) (*types.Package, error) {
	name := path.Base(importPath)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(importPath))
	}
	p := types.NewPackage(importPath, name)
	p.MarkComplete()
	return p, nil
}

// imported names what a selector such as time.Now stands for: the import path and the selected name.
func (p *Package) imported(e ast.Expr) (importPath, name string) {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	pkg, ok := p.Info.Uses[id].(*types.PkgName)
	if !ok {
		return "", ""
	}
	return pkg.Imported().Path(), sel.Sel.Name
}

// gather runs one check over all packages that want it and sorts what it finds.
func (m *Module) gather(want func(*Package) bool, check func(*Package) []Breach) []Breach {
	var all []Breach
	for _, p := range m.Packages {
		if want(p) {
			all = append(all, check(p)...)
		}
	}
	slices.SortStableFunc(all, func(a, b Breach) int { return cmp.Compare(a.Where, b.Where) })
	return all
}
