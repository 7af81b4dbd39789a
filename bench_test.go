package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// discard is a sink that takes every message and keeps the last answer's bytes.
type discard struct{ last []byte }

func (d *discard) Notify([]byte) error { return nil }
func (d *discard) Reply(r *mcp.Reply)  { d.last, _ = r.AppendTo(d.last[:0]) }
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

func benchmarkHandle(b *testing.B, server *mcp.Server, message string) {
	session := connect(b, server)
	sink := &discard{}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		session.Handle(ctx, []byte(message), sink)
	}
	b.SetBytes(int64(len(sink.last)))
}

func BenchmarkHandleAdd(b *testing.B)     { benchmarkHandle(b, addServer(0), addCall) }
func BenchmarkHandleList100(b *testing.B) { benchmarkHandle(b, addServer(100), listTools) }

func BenchmarkHandleRead1(b *testing.B) {
	server, message := templates(1)
	benchmarkHandle(b, server, message)
}

func BenchmarkHandleRead50(b *testing.B) {
	server, message := templates(50)
	benchmarkHandle(b, server, message)
}

func BenchmarkHandleEcho64K(b *testing.B) {
	benchmarkHandle(b, testServer(nil, echo), callEcho("1234567", strings.Repeat("x", 64<<10)))
}

func BenchmarkHandleProgress(b *testing.B) {
	benchmarkHandle(b, testServer(nil, tool("step", step)), withToken("1234567", "1", "step"))
}

func BenchmarkHandleUnknownTool(b *testing.B) {
	benchmarkHandle(b, addServer(0), callTool("1234567", "nope"))
}

func BenchmarkHandleLegacyAdd(b *testing.B) {
	session := legacyTalk(b, addServer(0), "2025-11-25").session
	message := []byte(request("1234567", "tools/call", `"name":"add","arguments":{"a":1234567,"b":1000003}`))
	sink, ctx := &discard{}, context.Background()
	b.ReportAllocs()
	for b.Loop() {
		session.Handle(ctx, message, sink)
	}
}
