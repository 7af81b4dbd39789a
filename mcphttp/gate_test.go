package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// arrive makes a request that came over a connection to an address of this machine, loopback or not.
func arrive(t *testing.T, ip, method, target string, header http.Header, body string, changes ...string) *http.Request {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header = request(t, method, "http://127.0.0.1"+target, header, body, changes...).Header
	r.Host = "127.0.0.1:8080"
	for _, line := range changes {
		if value, ok := strings.CutPrefix(line, "Host:"); ok {
			r.Host = strings.TrimSpace(value)
		}
	}
	local := &net.TCPAddr{IP: net.ParseIP(ip), Port: 8080}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
}

// record serves a request without a network.
func record(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func addRequest(t *testing.T, ip string, changes ...string) *http.Request {
	t.Helper()
	return arrive(t, ip, http.MethodPost, "/mcp", modernHeaders("tools/call", "add"), call("1", "add", `{"a":2,"b":3}`, ""), changes...)
}

func TestGatesOfAPostStandInTheirOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{MaxMessageBytes: 2000})
	h := f.handler(t, &mcphttp.Options{Path: "/mcp"})
	// Everything is wrong; each step puts right what the gate before it refused.
	header := modernHeaders("tools/list", "add")
	changes := []string{"Host: evil.example", "Origin: http://evil.example", "Content-Type: text/plain", "Accept: image/png"}
	method, target, body := http.MethodPut, "/other", strings.Repeat(" ", 3000)
	for _, step := range []struct {
		name   string
		status int
		mend   func()
	}{
		{"path", 404, func() { target = "/mcp" }},
		{"method", 405, func() { method = http.MethodPost }},
		{"host", 403, func() { changes = append(changes, "Host: localhost") }},
		{"origin", 403, func() { changes = append(changes, "Origin:") }},
		{"content-type", 415, func() { changes = append(changes, "Content-Type: application/json") }},
		{"accept", 406, func() { changes = append(changes, "Accept: application/json") }},
		{"size", 413, func() { body = call("1", "add", `{"a":2,"b":3}`, "") }},
		{"admission", 400, func() { changes = append(changes, "Mcp-Method: tools/call") }},
		{"dispatch", 200, func() {}},
	} {
		if got := record(h, arrive(t, "127.0.0.1", method, target, header, body, changes...)); got.Code != step.status {
			t.Fatalf("%s: got %d %s, want %d", step.name, got.Code, got.Body, step.status)
		}
		step.mend()
	}
}

func TestAWrongPathIsNotFoundOnlyWhereAPathIsSet(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	for _, tc := range []struct {
		name, path, target string
		want               int
	}{
		{"any path without an option", "", "/anything", 200},
		{"the path itself", "/mcp", "/mcp", 200},
		{"with a query", "/mcp", "/mcp?x=1", 200},
		{"with a slash behind it", "/mcp", "/mcp/", 404},
		{"in another case", "/mcp", "/MCP", 404},
		{"the root", "/mcp", "/", 404},
	} {
		h := f.handler(t, &mcphttp.Options{Path: tc.path})
		r := addRequest(t, "127.0.0.1")
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(tc.target, "?")
		got := record(h, r)
		if got.Code != tc.want {
			t.Errorf("%s: got %d, want %d", tc.name, got.Code, tc.want)
		}
		if got.Code == 404 && got.Body.Len() > 0 {
			t.Errorf("%s: a body would look like the answer of an MCP server: %s", tc.name, got.Body)
		}
	}
}

func TestOtherMethodsAreRefusedWithThoseThatAreAllowed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		legacy  mcp.LegacyMode
		methods string
		allow   string
	}{
		{"sessions", mcp.LegacySessions, "PUT PATCH HEAD OPTIONS TRACE CONNECT BREW", "GET, POST, DELETE"},
		{"no sessions: GET and DELETE are refused, too", mcp.LegacySessionless, "GET DELETE PUT OPTIONS", "POST"},
		{"no legacy at all", mcp.LegacyOff, "GET DELETE HEAD", "POST"},
	} {
		h := newFixture(&mcp.Options{Legacy: tc.legacy}).handler(t, nil)
		for method := range strings.FieldsSeq(tc.methods) {
			got := record(h, arrive(t, "127.0.0.1", method, "/", http.Header{"Accept": {eventType}}, "", "Mcp-Session-Id: x"))
			if got.Code != 405 || got.Header().Get("Allow") != tc.allow || got.Body.Len() > 0 {
				t.Errorf("%s: %s: got %d, Allow %q, %q; want 405, Allow %q and no body", tc.name, method, got.Code, got.Header().Get("Allow"), got.Body, tc.allow)
			}
		}
	}
}

func TestABodyThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{MaxMessageBytes: 1000})
	s := f.serve(t, nil)
	long := call("1", "echo", `{"text":"`+strings.Repeat("x", 1000)+`"}`, "")
	for _, tc := range []struct {
		name string
		body io.Reader
	}{
		{"declared: before it is read", strings.NewReader(long)},
		{"chunked: once it has grown too large", io.MultiReader(strings.NewReader(long))},
		{"chunked without an end", endlessJSON{}},
	} {
		r := toolCall(t, s.URL, "1", "echo", "{}", "")
		r.Body, r.ContentLength = io.NopCloser(tc.body), -1
		if sized, ok := tc.body.(*strings.Reader); ok {
			r.ContentLength = sized.Size()
		}
		a := do(t, r).expect(t, 413, jsonType).contains(t, `{"jsonrpc":"2.0","error":{"code":-32600,`)
		if strings.Contains(a.body, `"id"`) {
			t.Errorf("%s: an id was not read, so none may be sent: %s", tc.name, a.body)
		}
	}
	short := call("1", "echo", `{"text":"世界😀"}`, "")
	r := toolCall(t, s.URL, "1", "echo", "{}", "")
	r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(short))), -1
	do(t, r).expect(t, 200, jsonType).contains(t, "世界😀")
}

type endlessJSON struct{}

func (endlessJSON) Read(p []byte) (int, error) { return copy(p, " "), nil }

func TestALargeBodyIsReadWhole(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	text := strings.Repeat("世界😀", 100_000)
	for _, chunked := range []bool{false, true} {
		r := toolCall(t, s.URL, "1", "echo", `{"text":"`+text+`"}`, "")
		if chunked {
			r.ContentLength = -1
			r.Body = io.NopCloser(io.MultiReader(r.Body))
		}
		if got := textOf(t, do(t, r).expect(t, 200, jsonType).body); got != text {
			t.Fatalf("chunked %v: %d bytes came back, want %d", chunked, len(got), len(text))
		}
	}
}

func TestOneRequestMoreThanThereIsRoomForIsRefusedWithRetryAfter(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, &mcphttp.Options{MaxRequests: 2})
	done := make(chan answer, 2)
	for i := range 2 {
		go func() { done <- do(t, toolCall(t, s.URL, fmt.Sprint(i), "quiet", "{}", "")) }()
		<-f.started
	}
	a := do(t, toolCall(t, s.URL, "3", "add", `{"a":1,"b":2}`, "")).expect(t, 503, jsonType).contains(t, "-32603", "retryAfterMs")
	if a.Header.Get("Retry-After") != "1" {
		t.Errorf("got Retry-After %q, want 1", a.Header.Get("Retry-After"))
	}
	close(f.release)
	for range 2 {
		(<-done).expect(t, 200, jsonType)
	}
	do(t, toolCall(t, s.URL, "4", "add", `{"a":1,"b":2}`, "")).expect(t, 200, jsonType)
}
