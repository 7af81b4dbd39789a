package procedure

import (
	"errors"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/schema"
)

// Verify reports at once everything in which the declaration and the table do not go together, joined, each with the
// line that declared the tool and what to do:
//
//   - a tool without a procedure;
//   - a procedure that takes more or fewer parameters than are declared;
//   - a schema that accepts what the Go type of its parameter cannot hold, or that is wrong in itself;
//   - results that cannot be rendered as the tool says.
//
// A call of such a tool is a JSON-RPC error. Verify is stricter than a call, and also reports
//
//   - tools that share a name and parameters that share a name, of which calls see the first;
//   - Optional with a name that is not a parameter;
//   - an optional parameter that has no value when it is not sent: neither a default, nor a Go type with a nil, nor
//     a zero value that its schema accepts;
//   - an InputSchema in the definition, which is not used;
//   - an OutputSchema that refuses whatever the procedure returns.
//
// What is wrong with a definition by itself is reported by [mcp.Server.Check].
func (d *Declaration) Verify(t *Table) error {
	var found []error
	for i, tool := range d.tools {
		for _, mistake := range d.verifyTool(i, tool, t) {
			found = append(found, fmt.Errorf("%s: tool %q: %w", tool.source, tool.def.Name, mistake))
		}
	}
	return errors.Join(found...)
}

func (d *Declaration) verifyTool(i int, tool *Tool, t *Table) []error {
	var found []error
	if d.Tool(tool.def.Name) != tool {
		found = append(found, fmt.Errorf("declared a second time, as number %d; rename or remove one of the two", i+1))
	}
	if tool.def.InputSchema != nil {
		found = append(found, errors.New("InputSchema is not used, because the parameters make it up; remove it"))
	}
	for _, name := range tool.unmatched {
		found = append(found, fmt.Errorf("Optional(%q) names no parameter that was declared before; correct the name", name))
	}
	for i, p := range tool.params {
		if !tool.reachable(i) {
			found = append(found, fmt.Errorf("parameter %q is declared a second time, as number %d; rename or remove one of the two", p.Name, i+1))
		}
	}
	s := t.find(tool.def.Name)
	if s == nil {
		return append(found, errors.New("no procedure has this name; register one with Table.Register"))
	}
	mistakes := compare(tool, s)
	found = append(found, mistakes...)
	if len(mistakes) > 0 {
		return found
	}
	for i, p := range tool.params {
		if err := p.checkAbsent(s.params[i]); err != nil && tool.reachable(i) {
			found = append(found, fmt.Errorf("parameter %q: %w", p.Name, err))
		}
	}
	return append(found, tool.checkOutput(s)...)
}

// checkOutput compares the output schema with what the procedure returns.
func (t *Tool) checkOutput(s *signature) (found []error) {
	if t.def.OutputSchema == nil || s.results[0] == byHandType {
		return nil
	}
	returned := s.results[0]
	if len(s.results) > 1 {
		returned = objectOf(t.resultNames(len(s.results)), s.results)
	}
	for _, err := range apart(t.def.OutputSchema.CheckType(returned, schema.Output)) {
		found = append(found, fmt.Errorf("OutputSchema and the results of the procedure: %w", err))
	}
	return found
}

// checkAbsent checks what a procedure gets for an optional parameter that is not sent.
func (p *Param) checkAbsent(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return nil // nil says that it is absent
	}
	if !p.Optional {
		return nil
	}
	plan, err := p.addTo(schema.Object(), lone).Compile(schema.CompileOptions{})
	if err != nil {
		return err
	}
	args := reflect.New(reflect.StructOf([]reflect.StructField{field("P0", lone, t)}))
	if err := plan.Decode(nil, args.Interface()); err != nil {
		return err
	}
	text, err := jsonv2.Marshal(args.Interface(), jsonv2.Deterministic(true))
	if err != nil {
		return err
	}
	if plan.Validate(text) == nil {
		return nil
	}
	value, _ := jsonv2.Marshal(args.Elem().Field(0).Interface(), jsonv2.Deterministic(true))
	return fmt.Errorf("it is optional, but the zero value of %s (%s), which the procedure gets when it is not sent, does not satisfy its schema; "+
		"take a *%s, or give the schema a default", t, value, t)
}
