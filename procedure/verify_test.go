package procedure_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

type filter struct {
	Names []string          `json:"names"`
	Limit int               `json:"limit"`
	Tags  map[string]string `json:"tags"`
	Next  *filter           `json:"next"`
}

func TestVerify(t *testing.T) {
	str, num := schema.String(), schema.Integer()
	text := schema.Text
	cases := []struct {
		rule    string
		fn      any
		declare func(*procedure.Tool)
		want    []string // all that is reported; none: they go together
	}{
		{"fits", func(context.Context, int, string) {}, func(tl *procedure.Tool) { tl.Param("a", num, "").Param("b", str, "") }, nil},
		{"no procedure", nil, func(*procedure.Tool) {}, []string{"no procedure has this name"}},
		{"too few declared", func(int, string) {}, func(tl *procedure.Tool) { tl.Param("a", num, "") }, []string{"1 parameter is declared, but the procedure takes 2"}},
		{"too many declared", func() {}, func(tl *procedure.Tool) { tl.Param("a", num, "").Param("b", num, "") }, []string{"2 parameters are declared, but the procedure takes 0"}},
		{
			"arity and kinds at once", func(context.Context, string) {}, func(tl *procedure.Tool) { tl.Param("a", num, "").Param("b", num, "") },
			[]string{"2 parameters are declared", `parameter "a" and parameter 2 of the procedure (string): the schema has integer, but the Go type holds string`},
		},
		{"a number for an integer", func(int) {}, func(tl *procedure.Tool) { tl.Param("a", schema.Number(), "") }, []string{"the schema has number, but the Go type holds integer"}},
		{"an integer for a float", func(float64) {}, func(tl *procedure.Tool) { tl.Param("a", num, "") }, nil},
		{"text for a boolean", func(bool) {}, func(tl *procedure.Tool) { tl.Param("a", str, "") }, []string{"has string, but the Go type holds boolean"}},
		{"an enum for text", func(string) {}, func(tl *procedure.Tool) { tl.Param("a", schema.Enum("x"), "") }, nil},
		{"text for a time", func(time.Time) {}, func(tl *procedure.Tool) { tl.Param("a", str, "") }, nil},
		{"anything for any", func(any) {}, func(tl *procedure.Tool) { tl.Param("a", schema.Array(num), "") }, nil},
		{"nullable for a pointer", func(*int) {}, func(tl *procedure.Tool) { tl.Param("a", schema.Nullable(num), "") }, nil},
		{"a nullable of the wrong kind", func(*int) {}, func(tl *procedure.Tool) { tl.Param("a", schema.Nullable(schema.Array(str)), "") }, []string{"has array, but the Go type holds integer"}},
		{"elements", func([]string) {}, func(tl *procedure.Tool) { tl.Param("a", schema.Array(num), "") }, []string{"at []: the schema has integer, but the Go type holds string"}},
		{"a variadic parameter is an array", func(...string) {}, func(tl *procedure.Tool) { tl.Param("a", str, "") }, []string{"has string, but the Go type holds array"}},
		{"an object for a struct", func(filter) {}, func(tl *procedure.Tool) {
			tl.Param("f", schema.Object().Prop("names", schema.Array(str)).Prop("limit", num).Prop("tags", schema.Map(str)).
				Prop("next", schema.Object().Prop("limit", num)), "")
		}, nil},
		{"members of an object", func(filter) {}, func(tl *procedure.Tool) {
			tl.Param("f", schema.Object().Prop("name", str).Prop("limit", str).Prop("tags", schema.Object().Prop("x", num)).
				Prop("next", schema.Object().Prop("names", str)), "")
		}, []string{`at .limit: the schema has string`, `the schema has property "name", but the Go type has no field for it`, "at .next.names: the schema has string, but the Go type holds array", "at .tags.x: the schema has integer"}},
		{"an object for a list", func([]int) {}, func(tl *procedure.Tool) { tl.Param("f", schema.Object(), "") }, []string{"has object, but the Go type holds array"}},
		{"schemas from Go types", func(filter) {}, func(tl *procedure.Tool) { tl.Param("f", schema.For[filter](), "") }, nil},
		{"schemas from text", func(int, string) {}, func(tl *procedure.Tool) {
			tl.Param("a", text(`{"type":["integer","string"]}`), "").Param("b", text(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), "")
		}, []string{"has string, but the Go type holds integer"}},
		{"a schema that is wrong", func(int, int, int) {}, func(tl *procedure.Tool) {
			tl.Param("a", text(`{`), "").Param("b", nil, "").Param("c", schema.Integer().Pattern("x"), "")
		}, []string{`parameter "a": `, `parameter "b": `, "the schema is nil", `parameter "c": `}},
		{"duplicate parameters", func(int, int) {}, func(tl *procedure.Tool) { tl.Param("a", num, "").Param("a", num, "") }, []string{`parameter "a" is declared a second time, as number 2`}},
		{"Optional without a parameter", func(int) {}, func(tl *procedure.Tool) { tl.Optional("a").Param("a", num, "") }, []string{`Optional("a") names no parameter that was declared before`}},
		{"optional with a zero value", func(int, string, []int, *int) {}, func(tl *procedure.Tool) {
			tl.Param("a", num, "").Param("b", str, "").Param("c", schema.Array(num).MinItems(1), "").Param("d", num.Min(1), "").Optional("a", "b", "c", "d")
		}, nil},
		{"optional without a zero value", func(int, string, float64) {}, func(tl *procedure.Tool) {
			tl.Param("a", num.Min(1), "").Param("b", schema.Enum("x", "y"), "").Param("c", schema.Number().Min(1).Default(2), "").Optional("a", "b", "c")
		}, []string{`parameter "a": it is optional, but the zero value of int (0)`, `parameter "b": it is optional, but the zero value of string ("")`}},
		{"a result that needs a renderer", func() ([]byte, error) { return nil, nil }, func(*procedure.Tool) {}, []string{"a result of type []uint8 has no MIME type"}},
		{"a reader that needs a renderer", func() io.Reader { return nil }, func(*procedure.Tool) {}, []string{"a result of type io.Reader has no MIME type"}},
		{"a renderer for nothing", func() {}, func(tl *procedure.Tool) { tl.Render(content.JSON()) }, []string{"no result to render"}},
		{"names for one result", func() int { return 0 }, func(tl *procedure.Tool) { tl.Results("a") }, []string{"Results names members"}},
		{"too few names", func() (int, int, int) { return 0, 0, 0 }, func(tl *procedure.Tool) { tl.Results("a", "b") }, []string{"Results has 2 names, but the procedure has 3 results"}},
		{"bad names", func() (int, int, int) { return 0, 0, 0 }, func(tl *procedure.Tool) { tl.Results("a", "a", `"`) }, []string{`the result name "a" is given twice`, `the result name "\"" has quotes`}},
		{"content among several results", func() (content.Block, int) { return nil, 0 }, func(*procedure.Tool) {}, []string{"result 1 (content.Block) is content"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var table procedure.Table
			if c.fn != nil {
				register(t, &table, "x", c.fn)
			}
			d := procedure.NewDeclaration("s", "1")
			c.declare(d.AddTool(tool("x")))
			checkReport(t, d.Verify(&table), c.want)
		})
	}
}

// checkReport expects one line for each text, in order, and no others.
func checkReport(t *testing.T, err error, want []string) {
	t.Helper()
	if err == nil || len(want) == 0 {
		if err != nil || len(want) > 0 {
			t.Errorf("got %v, want %q", err, want)
		}
		return
	}
	rest := slices.Clone(want)
	for line := range strings.Lines(err.Error()) {
		i := slices.IndexFunc(rest, func(w string) bool { return strings.Contains(line, w) })
		if i < 0 || !strings.HasPrefix(line, "verify_test.go:") || !strings.Contains(line, `: tool "`) {
			t.Errorf("unexpected: %s", line)
			continue
		}
		rest = slices.DeleteFunc(rest, func(w string) bool { return strings.Contains(line, w) })
	}
	if len(rest) > 0 {
		t.Errorf("got %v, want also %q", err, rest)
	}
}

func TestVerifyComparesTheOutputSchema(t *testing.T) {
	object := schema.Object().Prop("größe", schema.Integer())
	for _, c := range []struct {
		rule   string
		fn     any
		schema *schema.Schema
		want   []string
	}{
		{"a result that fits", func() int { return 0 }, schema.Integer().Min(3), nil},
		{"a result of another kind", func() int { return 0 }, schema.String(), []string{"OutputSchema and the results of the procedure: the schema has string, but the Go type gives integer"}},
		{"a member that is missing", func() filter { return filter{} }, object, []string{`the schema requires property "größe"`}},
		{"several results that fit", func() (int, string) { return 0, "" }, object, nil},
		{"several results of another kind", func() (string, int) { return "", 0 }, object, []string{"at .größe: the schema has integer, but the Go type gives string"}},
		{"a result by hand", func() *mcp.ToolResult { return nil }, object, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var table procedure.Table
			register(t, &table, "x", c.fn)
			def := tool("x")
			def.OutputSchema = c.schema
			d := procedure.NewDeclaration("s", "1")
			declared := d.AddTool(def)
			if strings.HasPrefix(c.rule, "several") {
				declared.Results("größe", "other")
			}
			checkReport(t, d.Verify(&table), c.want)
		})
	}
}

func TestVerifyReportsEveryToolAtOnce(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func(int) {}, "z", func() {})
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x"))
	d.AddTool(tool("y"))
	d.AddTool(tool("x")).Param("a", schema.Integer(), "")
	z := tool("z")
	z.InputSchema = schema.Object()
	d.AddTool(z)
	checkReport(t, d.Verify(&table), []string{
		`tool "x": 0 parameters are declared`, `tool "y": no procedure`, `tool "x": declared a second time, as number 3`, `tool "z": InputSchema is not used`,
	})
	if err := procedure.NewDeclaration("s", "1").Verify(nil); err != nil {
		t.Error(err)
	}
}

func TestWhatVerifyRefusesACallRefuses(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func(filter) (int, int) { return 0, 0 })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).Param("f", schema.Object().Prop("nope", schema.String()), "").Results("a")
	a := connect(t, procedure.NewServer(d, &table, nil)).call("x", `{"f":{"nope":"x"}}`)
	a.fails(t, mcp.CodeInternalError, `tool "x" does not go with its procedure: `)
	a.fails(t, mcp.CodeInternalError, `the schema has property "nope"`)
	a.fails(t, mcp.CodeInternalError, "Results has 1 names")
}
