package mcphttp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// ignoring is a sink that only encodes.
type ignoring struct{}

func (ignoring) Notify([]byte) error { return nil }
func (ignoring) Reply(r *mcp.Reply)  { _, _ = r.WriteTo(io.Discard) }
func (ignoring) Wake()               {}

// discarding is a response writer that keeps nothing.
type discarding struct{ header http.Header }

func (d *discarding) Header() http.Header         { return d.header }
func (d *discarding) Write(p []byte) (int, error) { return len(p), nil }
func (d *discarding) WriteHeader(int)             {}

// rewinding is a body that can be read again.
type rewinding struct{ *strings.Reader }

func (rewinding) Close() error { return nil }

func benchmarkServe(b *testing.B, h http.Handler, r *http.Request, body string) {
	reader := strings.NewReader(body)
	r.Body, r.ContentLength = rewinding{reader}, int64(len(body))
	r.Host = "localhost"
	w := &discarding{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset(body)
		clear(w.header)
		h.ServeHTTP(w, r)
	}
}

func BenchmarkPostAdd(b *testing.B) {
	body := call("1234567", "add", `{"a":1234567,"b":1000003}`, "")
	r := toolCall(b, "http://localhost/", "1", "add", "{}", "")
	benchmarkServe(b, newFixture(nil).handler(b, nil), r, body)
}

func BenchmarkPostAddLegacy(b *testing.B) {
	f := newFixture(nil)
	s := f.serve(b, nil)
	session := initialize(b, s.URL, older2025).header
	body := `{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"name":"add","arguments":{"a":1234567,"b":1000003}}}`
	benchmarkServe(b, f.handler(b, nil), request(b, http.MethodPost, "http://localhost/", session, body), body)
}

func BenchmarkPostProgress(b *testing.B) {
	body := call("1", "steps", `{"steps":10}`, token)
	benchmarkServe(b, newFixture(nil).handler(b, nil), toolCall(b, "http://localhost/", "1", "steps", "{}", ""), body)
}

// BenchmarkCanned is the least that a handler does: it reads the body and writes a canned answer.
func BenchmarkCanned(b *testing.B) {
	body := call("1234567", "add", `{"a":1234567,"b":1000003}`, "")
	answer := []byte(strings.Repeat("x", 200))
	buffer := make([]byte, 4096)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadFull(r.Body, buffer[:r.ContentLength])
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})
	benchmarkServe(b, h, toolCall(b, "http://localhost/", "1", "add", "{}", ""), body)
}

// TestAQuietCallAllocatesLittle holds what the transport adds to a call to a number of allocations.
func TestAQuietCallAllocatesLittle(t *testing.T) {
	f := newFixture(nil)
	h := f.handler(t, nil)
	body := call("1", "add", `{"a":1,"b":2}`, "")
	reader := strings.NewReader(body)
	r := toolCall(t, "http://localhost/", "1", "add", "{}", "")
	r.Body, r.ContentLength = rewinding{reader}, int64(len(body))
	r.Host = "localhost"
	w := &discarding{http.Header{}}
	whole := testing.AllocsPerRun(200, func() {
		reader.Reset(body)
		clear(w.header)
		h.ServeHTTP(w, r)
	})
	session, err := f.server.Connect(mcp.ConnectOptions{Transport: "memory"})
	if err != nil {
		t.Fatal(err)
	}
	core := testing.AllocsPerRun(200, func() { session.Handle(t.Context(), []byte(body), ignoring{}) })
	if whole > core+2 {
		t.Errorf("%v allocations, %v of them the core's", whole, core)
	}
}
