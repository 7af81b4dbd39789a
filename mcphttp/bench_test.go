package mcphttp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// discarding is a response writer that keeps the status alone, and can what the one of net/http can.
type discarding struct {
	header http.Header
	status int
}

func (d *discarding) Header() http.Header              { return d.header }
func (d *discarding) Write(p []byte) (int, error)      { return len(p), nil }
func (d *discarding) WriteHeader(status int)           { d.status = status }
func (d *discarding) FlushError() error                { return nil }
func (d *discarding) SetReadDeadline(time.Time) error  { return nil }
func (d *discarding) SetWriteDeadline(time.Time) error { return nil }

// rewinding is a body that can be read again.
type rewinding struct{ *strings.Reader }

func (rewinding) Close() error { return nil }

// again returns a function that serves the same request again.
func again(tb testing.TB, h http.Handler, r *http.Request, body string) func() {
	tb.Helper()
	reader := strings.NewReader(body)
	r.Body, r.ContentLength = rewinding{reader}, int64(len(body))
	r.Host = "localhost"
	w := &discarding{http.Header{}, http.StatusOK}
	serve := func() {
		reader.Reset(body)
		clear(w.header)
		h.ServeHTTP(w, r)
	}
	if serve(); w.status != http.StatusOK {
		tb.Fatalf("%s: status %d", body, w.status)
	}
	return serve
}

// A postCost is a kind of request, and how many allocations it may cost, of the core and of the transport, which is what
// was measured.
type postCost struct {
	work string
	most float64
	of   func(tb testing.TB, f *fixture) (r *http.Request, body string)
}

func postCosts() []postCost {
	steps := func(n int) func(testing.TB, *fixture) (*http.Request, string) {
		return func(tb testing.TB, _ *fixture) (*http.Request, string) {
			return toolCall(tb, "http://localhost/", "1", "steps", "{}", ""), call("1", "steps", fmt.Sprintf(`{"steps":%d}`, n), token)
		}
	}
	return []postCost{
		{"add", 8, func(tb testing.TB, _ *fixture) (*http.Request, string) {
			return toolCall(tb, "http://localhost/", "1", "add", "{}", ""), call("1234567", "add", addArguments, "")
		}},
		{"add legacy", 9, func(tb testing.TB, f *fixture) (*http.Request, string) {
			session := initialize(tb, f.serve(tb, nil).URL, older2025).header
			return request(tb, http.MethodPost, "http://localhost/", session, ""),
				`{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"name":"add","arguments":` + addArguments + `}}`
		}},
		{"1 event", 7, steps(1)},
		{"10 events", 16, steps(10)},
	}
}

const addArguments = `{"a":1234567,"b":1000003}`

func benchmarkServe(b *testing.B, serve func()) {
	b.ReportAllocs()
	for b.Loop() {
		serve()
	}
}

func BenchmarkPost(b *testing.B) {
	for _, c := range postCosts() {
		b.Run(c.work, func(b *testing.B) {
			f := newFixture(nil)
			r, body := c.of(b, f)
			benchmarkServe(b, again(b, f.handler(b, nil), r, body))
		})
	}
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
	benchmarkServe(b, again(b, h, toolCall(b, "http://localhost/", "1", "add", "{}", ""), body))
}
