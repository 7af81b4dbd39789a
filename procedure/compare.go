package procedure

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/bowline-go/mcp/schema"
)

// compare finds what keeps a tool and a procedure from going together.
func compare(t *Tool, s *signature) []error {
	var found []error
	if declared, taken := len(t.params), len(s.params); declared != taken {
		found = append(found, fmt.Errorf("%s declared, but the procedure takes %d; declare as many as it takes, in its order",
			count(declared), taken))
	}
	for i, p := range t.params {
		if _, err := p.addTo(schema.Object(), p.Name).Compile(schema.CompileOptions{}); err != nil {
			found = append(found, fmt.Errorf("parameter %q: %w", p.Name, err))
			continue
		}
		if i >= len(s.params) {
			continue
		}
		for _, err := range apart(p.Schema.CheckType(s.params[i], schema.Input)) {
			found = append(found, fmt.Errorf("parameter %q and parameter %d of the procedure (%s): %w",
				p.Name, s.position(i), s.params[i], err))
		}
	}
	return append(found, compareResults(t, s)...)
}

// apart takes a joined error apart.
func apart(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return nil
}

func count(parameters int) string {
	if parameters == 1 {
		return "1 parameter is"
	}
	return fmt.Sprintf("%d parameters are", parameters)
}

// compareResults finds what a tool cannot do with the results of a procedure.
func compareResults(t *Tool, s *signature) (found []error) {
	n := len(s.results)
	if t.results != nil && n < 2 {
		found = append(found, errors.New("Results names members, but the procedure does not have several results; remove it"))
	}
	if n == 0 && (t.def.Render != nil || t.def.OutputSchema != nil) {
		found = append(found, errors.New("the procedure has no result to render or to describe; remove Render and OutputSchema, or return something"))
	}
	if n == 1 && t.def.Render == nil {
		if typ := s.results[0]; typ == bytesType || typ.Implements(readerType) && !typ.Implements(blockType) {
			found = append(found, needsRenderer(typ))
		}
	}
	if n < 2 {
		return found
	}
	for i, typ := range s.results {
		if slices.Contains([]reflect.Type{byHandType, blockType, blocksType}, typ) || typ.Implements(blockType) {
			found = append(found, fmt.Errorf("result %d (%s) is content, which cannot be a member of an object; return it alone", i+1, typ))
		}
	}
	names := t.resultNames(n)
	if len(names) != n {
		return append(found, fmt.Errorf("Results has %d names, but the procedure has %d results; name all of them or none", len(names), n))
	}
	for i, name := range names {
		switch {
		case !fitsTag(name):
			found = append(found, fmt.Errorf("the result name %q has quotes, a backslash or a comma, or is empty or a dash; use plain text", name))
		case slices.Contains(names[:i], name):
			found = append(found, fmt.Errorf("the result name %q is given twice; rename one of the two", name))
		}
	}
	return found
}
