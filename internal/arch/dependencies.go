package arch

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// DependenciesFile is the paper that gives a reason for each dependency.
const DependenciesFile = "docs/dependencies.md"

// Dependencies checks that docs/dependencies.md names whatever a go.mod or a package.json of this repository asks for
// directly: those of tests, tools and benchmarks too, which stand in modules of their own.
func Dependencies(m *Module) []Breach {
	text, err := fs.ReadFile(m.FS, DependenciesFile)
	if err != nil {
		return []Breach{{DependenciesFile, "cannot be read: " + err.Error(), "give the reason of each dependency there"}}
	}
	var found []Breach
	err = fs.WalkDir(m.FS, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && noSource(path.Base(name)):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		asks, err := m.asksOf(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, ask := range asks {
			if !isNamed(string(text), ask) {
				found = append(found, Breach{DependenciesFile, fmt.Sprintf("does not name %s, which %s asks for", ask, name), "write down what it is for and why it beats our own code, or drop it"})
			}
		}
		return nil
	})
	if err != nil {
		found = append(found, Breach{DependenciesFile, "cannot be compared: " + err.Error(), "mend the file"})
	}
	return found
}

// asksOf lists what a file asks for, nothing for most files. Modules of ours are not among it.
func (m *Module) asksOf(name string) ([]string, error) {
	base := path.Base(name)
	if base != "go.mod" && base != "package.json" {
		return nil, nil
	}
	text, err := fs.ReadFile(m.FS, name)
	if err != nil {
		return nil, err
	}
	if base == "package.json" {
		return parsePackageFile(text)
	}
	_, asks := parseModFile(string(text))
	return slices.DeleteFunc(asks, func(ask string) bool { return ask == m.Path || strings.HasPrefix(ask, m.Path+"/") }), nil
}

// parsePackageFile reads what a package of npm asks for.
func parsePackageFile(text []byte) (asks []string, err error) {
	var file struct {
		Always   map[string]string `json:"dependencies"`
		Tools    map[string]string `json:"devDependencies"`
		Optional map[string]string `json:"optionalDependencies"`
	}
	err = json.Unmarshal(text, &file)
	for _, list := range []map[string]string{file.Always, file.Tools, file.Optional} {
		asks = append(asks, slices.Sorted(maps.Keys(list))...)
	}
	return asks, err
}

// isNamed reports whether a paper names a module, a package of npm, or the module of a package of Go.
func isNamed(text, ask string) bool {
	for ; strings.Contains(ask, "/"); ask = path.Dir(ask) {
		if strings.Contains(text, "`"+ask+"`") {
			return true
		}
	}
	return strings.Contains(text, "`"+ask+"`")
}
