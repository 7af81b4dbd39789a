package procedure_test

import (
	"context"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

type addIn struct {
	A int `json:"a" doc:"First operand"`
	B int `json:"b" doc:"Second operand"`
}

// typedAdd is the tool that a procedure is measured against.
func typedAdd() *mcp.Server {
	server := mcp.NewServer("calc", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two integers"},
		func(_ context.Context, in addIn) (int, error) { return in.A + in.B, nil })
	return server
}

// procedureAdd is the same tool as a procedure. A name with a quote in it keeps the arguments from being decoded together.
func procedureAdd(tb testing.TB, first string) *mcp.Server {
	tb.Helper()
	var table procedure.Table
	register(tb, &table, "add", func(a, b int) int { return a + b })
	d := procedure.NewDeclaration("calc", "1.0.0")
	d.AddTool(mcp.Tool{Name: "add", Description: "Add two integers"}).
		Param(first, schema.Integer(), "First operand").
		Param("b", schema.Integer(), "Second operand")
	return procedure.NewServer(d, &table, nil)
}

const addArguments = `{"a":1234567,"b":1000003}`

// discard is a sink that takes every message and keeps the bytes of the last answer.
type discard struct{ last []byte }

func (d *discard) Notify([]byte) error { return nil }
func (d *discard) Reply(r *mcp.Reply)  { d.last, _ = r.AppendTo(d.last[:0]) }
func (d *discard) Wake()               {}

// handler returns a function that handles one call of add.
func handler(tb testing.TB, server *mcp.Server, arguments string) func() {
	tb.Helper()
	p := connect(tb, server)
	sink, message := &discard{}, []byte(callMessage("add", arguments))
	return func() { p.session.Handle(context.Background(), message, sink) }
}

func benchmark(b *testing.B, server *mcp.Server, arguments string) {
	handle := handler(b, server, arguments)
	b.ReportAllocs()
	for b.Loop() {
		handle()
	}
}

func BenchmarkTypedTool(b *testing.B) { benchmark(b, typedAdd(), addArguments) }
func BenchmarkProcedure(b *testing.B) { benchmark(b, procedureAdd(b, "a"), addArguments) }
func BenchmarkProcedureArgumentsApart(b *testing.B) {
	benchmark(b, procedureAdd(b, `a"`), `{"a\"":1234567,"b":1000003}`)
}

func TestACallCostsAtMostTenAllocationsMoreThanATypedTool(t *testing.T) {
	typed := testing.AllocsPerRun(200, handler(t, typedAdd(), addArguments))
	called := testing.AllocsPerRun(200, handler(t, procedureAdd(t, "a"), addArguments))
	if called > typed+10 {
		t.Errorf("a procedure takes %v allocations, a typed tool %v", called, typed)
	}
}
