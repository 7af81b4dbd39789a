package mcp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCoverageNamesWhatIsThere keeps docs/coverage.md true: every file, function and test that it names exists.
func TestCoverageNamesWhatIsThere(t *testing.T) {
	page, err := os.ReadFile("docs/coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testsOfTheModule(t)
	quotedName := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || cells[0] == "| clause" {
			continue
		}
		rows++
		var file string
		for _, found := range quotedName.FindAllStringSubmatch(cells[1], -1) {
			if strings.HasSuffix(found[1], ".go") {
				text, err := os.ReadFile(found[1])
				if err != nil {
					t.Errorf("%s: %v", cells[0], err)
				}
				file = string(text)
				continue
			}
			if !declares(file, found[1]) {
				t.Errorf("%s: the function %s is not where it was", cells[0], found[1])
			}
		}
		for _, found := range quotedName.FindAllStringSubmatch(cells[2], -1) {
			if !tests[found[1]] {
				t.Errorf("%s: there is no test %s", cells[0], found[1])
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}

// declares reports whether a source file has a function or a table, or a method written as Type.Method.
func declares(file, name string) bool {
	if receiver, method, isMethod := strings.Cut(name, "."); isMethod {
		return regexp.MustCompile(`(?m)^func \(\w+ \*?` + receiver + `(\[\w+\])?\) ` + method + `\(`).MatchString(file)
	}
	return regexp.MustCompile(`(?m)^(func ` + name + `[\[(]|var ` + name + ` )`).MatchString(file)
}

// testsOfTheModule are the names of all tests and fuzz targets.
func testsOfTheModule(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			names[found[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
