package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// discard is a sink that takes every message and keeps the last answer's bytes, and its error.
type discard struct {
	last   []byte
	failed *mcp.Error
}

func (d *discard) Notify([]byte) error { return nil }
func (d *discard) Reply(r *mcp.Reply)  { d.failed = r.Err; d.last, _ = r.AppendTo(d.last[:0]) }
func (d *discard) Wake()               {}

type addIn struct {
	A int `json:"a" doc:"First operand"`
	B int `json:"b" doc:"Second operand"`
}

func addServer(tools int) *mcp.Server {
	server := mcp.NewServer("calc", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two integers"},
		func(_ context.Context, in addIn) (int, error) { return in.A + in.B, nil })
	for i := range tools {
		mcp.AddTool(server, mcp.Tool{Name: fmt.Sprintf("filler_%03d", i), Description: "Does nothing"},
			func(_ context.Context, in addIn) (string, error) { return "", nil })
	}
	return server
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

const (
	addCall   = `{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{` + modernMeta + `,"name":"add","arguments":{"a":1234567,"b":1000003}}}`
	listTools = `{"jsonrpc":"2.0","id":1234567,"method":"tools/list","params":{` + modernMeta + `}}`
)

func connect(tb testing.TB, server *mcp.Server) *mcp.Session {
	tb.Helper()
	session, err := server.Connect(mcp.ConnectOptions{Transport: "memory"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(session.Close)
	return session
}

func benchmarkHandle(b *testing.B, server *mcp.Server, text string) {
	session, message := connect(b, server), []byte(text)
	sink := &discard{}
	ctx := context.Background()
	session.Handle(ctx, message, sink) // what is encoded once, such as a list, is
	b.ReportAllocs()
	for b.Loop() {
		session.Handle(ctx, message, sink)
	}
	b.SetBytes(int64(len(sink.last)))
}

// A messageCost is work that costs something else than its method does as a rule, and how many allocations it may cost,
// which is what was measured.
type messageCost struct {
	work    string
	server  func() *mcp.Server
	message string
	most    float64
}

func messageCosts() []messageCost {
	among := func(n int) (func() *mcp.Server, string) {
		_, message := templates(n)
		return func() *mcp.Server { server, _ := templates(n); return server }, message
	}
	one, readOne := among(1)
	fifty, readFifty := among(50)
	return []messageCost{
		{"a call among 100 tools", func() *mcp.Server { return addServer(100) }, addCall, 6},
		{"a list of 100 tools", func() *mcp.Server { return addServer(100) }, listTools, 2},
		{"a read among 1 template", one, readOne, 12},
		{"a read among 50 templates", fifty, readFifty, 12},
		{"a text of 64 KiB and back", func() *mcp.Server { return testServer(nil, echo) }, callEcho("1234567", strings.Repeat("x", 64<<10)), 7},
		{"a call with progress", func() *mcp.Server { return testServer(nil, tool("step", step)) }, withToken("1234567", "1", "step"), 6},
		{"100 steps that nobody asked to hear of", func() *mcp.Server { return testServer(nil, tool("step", quietSteps)) }, callTool("1234567", "step"), 105},
		{"an unknown tool", func() *mcp.Server { return addServer(0) }, callTool("1234567", "nope"), 6},
		{"no JSON", func() *mcp.Server { return addServer(0) }, addCall[:100], 7},
	}
}

func quietSteps(ctx context.Context) (string, error) {
	for i := range 100 {
		mcp.Progress(ctx, float64(i), 100, "a step")
		mcp.Logger(ctx).Debug("a step")
	}
	return "", nil
}

func BenchmarkHandle(b *testing.B) {
	for _, c := range messageCosts() {
		b.Run(c.work, func(b *testing.B) { benchmarkHandle(b, c.server(), c.message) })
	}
}

// admission returns a function that admits a call and gives it up: decoding, _meta or session, the in-flight entry, and
// nothing of the handler.
func admission(tb testing.TB, session *mcp.Session, text string) func() {
	tb.Helper()
	message, sink, ctx := []byte(text), &discard{}, context.Background()
	return func() {
		call, err := session.Admit(ctx, message, sink, nil)
		if err != nil {
			tb.Fatal(err)
		}
		call.Cancel()
		if call.Serve(); len(sink.last) > 0 {
			tb.Fatalf("answered: %s", sink.last)
		}
	}
}

const legacyAddCall = `{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"name":"add","arguments":{"a":1234567,"b":1000003}}}`

func BenchmarkAdmit(b *testing.B) {
	run := func(era string, admit func()) {
		b.Run(era, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				admit()
			}
		})
	}
	run("modern", admission(b, connect(b, addServer(0)), addCall))
	run("legacy", admission(b, legacyTalk(b, addServer(0), "2025-11-25").session, legacyAddCall))
}
