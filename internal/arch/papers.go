package arch

import (
	"fmt"
	"go/ast"
	"io/fs"
	"path"
	"strings"
)

// The paper that tells a stranger where to look.
const (
	WhereFile    = "docs/where.md"
	MinQuestions = 12 // rows that its table must have
)

// Where checks the table of docs/where.md: each row names a package, a file and a function or type, and all three must
// exist. Rows are those of every table whose first column begins with "I want the line that".
func Where(m *Module) []Breach {
	text, err := fs.ReadFile(m.FS, WhereFile)
	if err != nil {
		return []Breach{{WhereFile, "cannot be read: " + err.Error(), "write the table that tells a stranger where to look"}}
	}
	var found []Breach
	rows := whereRows(string(text))
	if len(rows) < MinQuestions {
		found = append(found, Breach{WhereFile, fmt.Sprintf("%d questions: there must be at least %d", len(rows), MinQuestions), "add what you had to look for yourself"})
	}
	for _, row := range rows {
		if rule := m.lost(row); rule != "" {
			found = append(found, Breach{fmt.Sprintf("%s:%d", WhereFile, row.line), rule, "name where the line stands now"})
		}
	}
	return found
}

type whereRow struct {
	line                 int
	dir, file, functions string
}

func whereRows(text string) []whereRow {
	var rows []whereRow
	inside := false
	number := 0
	for line := range strings.Lines(text) {
		number++
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			inside = false
		case strings.HasPrefix(cells[0], "I want the line that"):
			inside = true
		case !inside || strings.Trim(cells[0], "-: ") == "":
		case len(cells) < 4:
			rows = append(rows, whereRow{line: number})
		default:
			rows = append(rows, whereRow{number, cells[1], cells[2], cells[3]})
		}
	}
	return rows
}

// lost says what a row names that is not there, or nothing. The root package is called mcp in the table.
func (m *Module) lost(row whereRow) string {
	if row.file == "" {
		return "the row must have four cells: question, package, file, function"
	}
	dir := row.dir
	if dir == "mcp" {
		dir = "."
	}
	for _, p := range m.Packages {
		if p.Dir != dir {
			continue
		}
		for _, f := range append(p.Files[:len(p.Files):len(p.Files)], p.Tests...) {
			if path.Base(f.Path) == row.file {
				return undeclared(f, row.functions)
			}
		}
		return fmt.Sprintf("package %s has no file %s", row.dir, row.file)
	}
	return "there is no package " + row.dir
}

// undeclared checks the names of one cell, parted by commas: a function, a type or constant, or Type.Method.
func undeclared(f *File, names string) string {
	declared := map[string]bool{}
	for _, decl := range f.Syntax.Decls {
		for _, name := range declaredNames(decl) {
			declared[name] = true
		}
	}
	for name := range strings.SplitSeq(names, ",") {
		name = strings.Trim(strings.TrimSpace(name), "`")
		if !declared[name] {
			return fmt.Sprintf("%s does not declare %q", f.Path, name)
		}
	}
	return ""
}

func declaredNames(decl ast.Decl) []string {
	var names []string
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if receiver := receiverName(decl); receiver != "" {
			return []string{receiver + "." + decl.Name.Name}
		}
		return []string{decl.Name.Name}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
