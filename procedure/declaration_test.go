package procedure_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

func TestTool(t *testing.T) {
	d := procedure.NewDeclaration("name 世界", "1.2")
	text := content.PlainText()
	tl := d.AddTool(mcp.Tool{Name: "x", Description: "D"}).
		Param("a", schema.Integer(), "first").
		Param("b", schema.String(), "").
		Param("a", schema.Boolean(), "again").
		Optional("a", "nope").
		Render(content.JSON()).Render(text)

	if d.ServerName() != "name 世界" || d.ServerVersion() != "1.2" {
		t.Errorf("got %q %q", d.ServerName(), d.ServerVersion())
	}
	if def := tl.Definition(); def.Name != "x" || def.Description != "D" || def.Render != text {
		t.Errorf("the last renderer counts; got %+v", def)
	}
	params := tl.Params()
	if len(params) != 3 || params[0].Name != "a" || params[1].Name != "b" || params[2].Name != "a" || params[0].Description != "first" {
		t.Errorf("parameters keep their order; got %+v", params)
	}
	if !params[0].Optional || params[1].Optional || params[2].Optional {
		t.Error("parameters are required unless Optional names them, and it means the first of a name")
	}
	for name, want := range map[string]int{"a": 0, "b": 1, "A": -1, "": -1, "nope": -1} {
		if got := tl.ParamIndex(name); got != want {
			t.Errorf("ParamIndex(%q) = %d, want %d", name, got, want)
		}
	}
	params[0].Name = "changed"
	if tl.ParamIndex("a") != 0 {
		t.Error("Params returns a copy")
	}
}

func TestDeclaration(t *testing.T) {
	d := procedure.NewDeclaration("s", "1")
	first, second, other := d.AddTool(tool("x")), d.AddTool(tool("x")), d.AddTool(tool("y"))
	if got := d.Tools(); !reflect.DeepEqual(got, []*procedure.Tool{first, second, other}) {
		t.Errorf("tools keep their order, duplicates too; got %v", got)
	}
	if d.Tool("x") != first || d.Tool("y") != other || d.Tool("X") != nil || d.Tool("") != nil {
		t.Error("Tool finds the first of exactly that name")
	}
}

func TestCallsSeeTheFirstOfEachName(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func(a, b, c string) string { return a + "," + b + "," + c })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).
		Param("p", schema.String(), "").Param("q", schema.String(), "").Param("p", schema.String(), "")
	d.AddTool(tool("x"))
	p := connect(t, procedure.NewServer(d, &table, nil))
	p.call("x", `{"p":"1","q":"2"}`).returns(t, "1,2,")
	list := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`).String()
	if strings.Count(list, `"name":"x"`) != 1 || strings.Count(list, `"p":{`) != 1 {
		t.Errorf("a name is listed once; got %s", list)
	}
}

func TestAToolAndItsProcedureMeetAtTheCall(t *testing.T) {
	var table procedure.Table
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("late")).Param("a", schema.Integer(), "")
	d.AddTool(tool("other"))
	register(t, &table, "undeclared", func() {})
	p := connect(t, procedure.NewServer(d, &table, nil))

	p.call("late", `{"a":1}`).fails(t, mcp.CodeInternalError, `tool not registered: no procedure has the name "late"`)
	p.call("undeclared", `{}`).fails(t, mcp.CodeInvalidParams, "undeclared")
	p.call("missing", `{}`).fails(t, mcp.CodeInvalidParams, "missing")

	register(t, &table, "late", func(n int) int { return n + 1 })
	p.call("late", `{"a":1}`).returns(t, "2")
	register(t, &table, "late", func(f float64) string { return fmt.Sprint(f / 2) })
	p.call("late", `{"a":1}`).returns(t, "0.5")
	register(t, &table, "late", func(int, int) {})
	p.call("late", `{"a":1}`).fails(t, mcp.CodeInternalError, "1 parameter is declared, but the procedure takes 2")
	register(t, &table, "late", func() {})
	p.call("late", `{"a":1}`).fails(t, mcp.CodeInternalError, "takes 0")
	register(t, &table, "late", func(string) {})
	p.call("late", `{"a":1}`).fails(t, mcp.CodeInternalError, `parameter "a" and parameter 1 of the procedure (string): the schema has integer`)
	register(t, &table, "late", func(n int) int { return n })
	p.call("late", `{"a":1}`).returns(t, "1")
}

func TestWhatIsDeclaredLaterIsNotServed(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func() string { return "ok" }, "y", func() {})
	d := procedure.NewDeclaration("s", "1")
	x := d.AddTool(tool("x"))
	server := procedure.NewServer(d, &table, nil)
	x.Param("a", schema.Integer(), "")
	d.AddTool(tool("y"))
	p := connect(t, server)
	p.call("x", `{}`).returns(t, "ok")
	p.call("y", `{}`).fails(t, mcp.CodeInvalidParams, "y")
}

func TestDefinitionsAndNamesAreEscaped(t *testing.T) {
	odd := "q\"b\\n\nä世界😀"
	var table procedure.Table
	register(t, &table, "x", func(s, u string) string { return s + u })
	d := procedure.NewDeclaration(odd, odd)
	d.AddTool(mcp.Tool{Name: "x", Title: odd, Description: odd, ReadOnly: new(true)}).
		Param(odd, schema.Enum(odd), odd).Param("世界", schema.String(), "")
	p := connect(t, procedure.NewServer(d, &table, &mcp.Options{Legacy: mcp.LegacySessionless}))

	quoted := `"q\"b\\n\nä世界😀"`
	list := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).String()
	for _, want := range []string{
		`"description":` + quoted, `"annotations":{"title":` + quoted + `,"readOnlyHint":true}`,
		`"properties":{` + quoted + `:{"type":"string","description":` + quoted + `,"enum":[` + quoted + `]},"世界":{"type":"string"}},"required":[` + quoted + `,"世界"]}`,
	} {
		if !strings.Contains(list, want) {
			t.Errorf("got %s, want %s in it", list, want)
		}
	}
	shake := p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	if want := `"serverInfo":{"name":` + quoted + `,"version":` + quoted + `}`; !strings.Contains(shake.String(), want) {
		t.Errorf("got %s, want %s in it", shake, want)
	}
	p.call("x", `{`+quoted+`:`+quoted+`,"世界":"!"}`).returns(t, odd+"!")
	p.call("x", `{`+quoted+`:"other","世界":"!"}`).tells(t, `"q\"b\\n\nä世界😀"`)
}

func TestAnEmptyDeclarationIsAServer(t *testing.T) {
	server := procedure.NewServer(procedure.NewDeclaration("s", "1"), nil, &mcp.Options{Dynamic: true})
	got := connect(t, server).send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`).String()
	if !strings.Contains(got, `"tools":[]`) {
		t.Errorf("got %s, want an empty list", got)
	}
}

func TestTheServerIsAnOrdinaryOne(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func(ctx context.Context) string { return mcp.RequestFrom(ctx).Name() })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x"))
	server := procedure.NewServer(d, &table, nil)
	mcp.AddTool(server, tool("typed"), func(_ context.Context, in addIn) (int, error) { return in.A + in.B, nil })
	p := connect(t, server)
	p.call("x", `{}`).returns(t, "x")
	p.call("typed", `{"a":1,"b":2}`)
	if got := procedure.NewServer(d, &table, nil).Check(); got != nil {
		t.Error(got)
	}
	bad := procedure.NewDeclaration("", "")
	bad.AddTool(mcp.Tool{Name: "no spaces"}).Param("a", nil, "").Param("b", schema.Enum("x", "x"), "")
	err := procedure.NewServer(bad, &table, nil).Check()
	for _, want := range []string{"no name", "the name must be", "the description is empty", "the schema is nil", "listed twice"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if !strings.Contains(err.Error(), "declaration_test.go:") {
		t.Errorf("got %v, want the place where the server was made", err)
	}
}

func TestAnOutputSchemaMakesTheResultStructured(t *testing.T) {
	var table procedure.Table
	register(t, &table, "point", func(x int) (int, string) { return x, "世" })
	d := procedure.NewDeclaration("s", "1")
	def := tool("point")
	def.OutputSchema = schema.Object().Prop("x", schema.Integer().Max(9)).Prop("label", schema.String())
	d.AddTool(def).Param("x", schema.Integer(), "").Results("x", "label")
	p := connect(t, procedure.NewServer(d, &table, nil))
	var m struct {
		Result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal(p.call("point", `{"x":1}`).text, &m); err != nil {
		t.Fatal(err)
	}
	if got := string(m.Result.StructuredContent); got != `{"x":1,"label":"世"}` || m.Result.Content[0].Text != got {
		t.Errorf("got %s and %v", got, m.Result.Content)
	}
	p.call("point", `{"x":10}`).tells(t, "does not match its output schema")
}
