package mcphttp_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func (f *fixture) serveSSE(t testing.TB, o *mcphttp.Options) (*mcphttp.SSEHandler, *httptest.Server) {
	t.Helper()
	h, err := mcphttp.NewSSEHandler(f.server, o) //nolint:staticcheck // deprecated, and tested all the same
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	mux := http.NewServeMux()
	mux.Handle("/sse", h)
	mux.Handle("/under/", http.StripPrefix("/under", h))
	return h, serveHandler(t, mux)
}

// sseClient is a client of HTTP+SSE.
type sseClient struct {
	t        testing.TB
	events   *eventReader
	endpoint string
}

func openSSE(ctx context.Context, t testing.TB, stream string) *sseClient {
	t.Helper()
	response := open(t, testClient, request(t, http.MethodGet, stream, nil, "", "Accept: text/event-stream").WithContext(ctx))
	t.Cleanup(func() { response.Body.Close() })
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != eventType {
		t.Fatalf("got %d %q", response.StatusCode, response.Header.Get("Content-Type"))
	}
	c := &sseClient{t: t, events: readEvents(t, response.Body)}
	e := c.events.next()
	if e.name != "endpoint" || e.id != "" {
		t.Fatalf("first comes the endpoint, got %+v", e)
	}
	base, _ := url.Parse(stream)
	target, err := base.Parse(e.data)
	if err != nil || target.Host != base.Host {
		t.Fatalf("endpoint %q, %v", e.data, err)
	}
	c.endpoint = target.String()
	return c
}

func (c *sseClient) post(body string, changes ...string) answer {
	c.t.Helper()
	return do(c.t, request(c.t, http.MethodPost, c.endpoint, http.Header{"Content-Type": {jsonType}}, body, changes...))
}

// send posts a message, which is accepted, and returns the answer from the stream.
func (c *sseClient) send(body string) string {
	c.t.Helper()
	if a := c.post(body); a.StatusCode != http.StatusAccepted {
		c.t.Fatalf("got %d %q, want 202", a.StatusCode, a.body)
	}
	return c.message()
}

func (c *sseClient) message() string {
	c.t.Helper()
	e := c.events.next()
	if e.name != "message" || e.id != "" {
		c.t.Fatalf("got %+v, want a message event", e)
	}
	return e.data
}

func TestHTTPAndSSEServesEveryOlderRevision(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	_, s := f.serveSSE(t, nil)
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		client := openSSE(t.Context(), t, s.URL+"/sse")
		if got := client.send(fmt.Sprintf(initializeBody, revision)); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
			t.Errorf("got %s", got)
		}
		if a := client.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.StatusCode != 202 {
			t.Errorf("got %d", a.StatusCode)
		}
		if got := client.send(legacyCall(`"世界"`, "echo", `{"text":"世界😀"}`)); textOf(t, got) != "世界😀" || !strings.Contains(got, `"id":"世界"`) {
			t.Errorf("got %s", got)
		}
		if got := client.send(legacyCall("2", "steps", `{"steps":1}`)); !strings.Contains(got, `"progress":1`) {
			t.Errorf("got %s", got)
		}
		client.message()
		if got := client.send(`{"jsonrpc":`); !strings.Contains(got, "-32700") || strings.Contains(got, `"id"`) {
			t.Errorf("got %s", got)
		}
		if got := client.send(legacyCall("3", "huge", `{"steps":3}`)); !strings.Contains(got, `"data":"eHh4"`) {
			t.Errorf("got %s", got)
		}
	}
}

func TestTheEndpointIsWhereTheStreamWasOpened(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	_, s := f.serveSSE(t, nil)
	for _, path := range []string{"/sse", "/under/sse", "/sse?key=value"} {
		client := openSSE(t.Context(), t, s.URL+path)
		where, _, _ := strings.Cut(path, "?")
		if !strings.HasPrefix(client.endpoint, s.URL+where+"?sessionId=") {
			t.Errorf("%s: got %s", path, client.endpoint)
		}
		client.send(fmt.Sprintf(initializeBody, "2024-11-05"))
	}
	h, _ := f.serveSSE(t, nil)
	direct := serveHandler(t, h)
	for _, path := range []string{"//evil.example/sse", `/\evil.example/sse`, `/\/evil.example/sse`, "///evil.example/sse"} {
		conn := dial(t, direct)
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n", path)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if e := readEvents(t, response.Body).next(); !strings.HasPrefix(e.data, "/evil.example/sse?") {
			t.Errorf("the endpoint of %s names another host: %s", path, e.data)
		}
	}
	elsewhere, _ := f.serveSSE(t, &mcphttp.Options{SSEEndpoint: "https://proxy.example/messages"})
	proxied := serveHandler(t, elsewhere)
	behind := open(t, testClient, request(t, http.MethodGet, proxied.URL, nil, "", "Accept: text/event-stream"))
	defer behind.Body.Close()
	if e := readEvents(t, behind.Body).next(); !strings.HasPrefix(e.data, "https://proxy.example/messages?sessionId=") {
		t.Errorf("got %s", e.data)
	}
}

func TestSSEHasTheSameGuards(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	_, s := f.serveSSE(t, nil)
	client := openSSE(t.Context(), t, s.URL+"/sse")
	body := fmt.Sprintf(initializeBody, "2024-11-05")
	for _, tc := range []struct {
		name, method string
		changes      []string
		want         int
	}{
		{"a rebound host opens nothing", http.MethodGet, []string{"Host: evil.example", "Accept: text/event-stream"}, 403},
		{"a foreign page opens nothing", http.MethodGet, []string{"Origin: https://evil.example", "Accept: text/event-stream"}, 403},
		{"a browser that navigates opens nothing", http.MethodGet, []string{"Accept: text/html, */*"}, 406},
		{"a rebound host sends nothing", http.MethodPost, []string{"Host: evil.example"}, 403},
		{"a foreign page sends nothing", http.MethodPost, []string{"Origin: https://evil.example"}, 403},
		{"text is no message", http.MethodPost, []string{"Content-Type: text/plain"}, 415},
		{"another method", http.MethodDelete, nil, 405},
		{"a preflight", http.MethodOptions, []string{"Origin: http://localhost"}, 405},
	} {
		r := request(t, tc.method, client.endpoint, http.Header{"Content-Type": {jsonType}}, body, tc.changes...)
		if a := do(t, r); a.StatusCode != tc.want {
			t.Errorf("%s: got %d, want %d", tc.name, a.StatusCode, tc.want)
		}
	}
	for name, query := range map[string]string{"no session": "", "a guessed session": "?sessionId=AAAA"} {
		a := do(t, request(t, http.MethodPost, s.URL+"/sse"+query, http.Header{"Content-Type": {jsonType}}, body))
		if a.StatusCode != 404 {
			t.Errorf("%s: got %d, want 404", name, a.StatusCode)
		}
	}
	client.send(body) // the session is unharmed
}

func TestSSEStreamsAreBoundedAndFreed(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	_, s := f.serveSSE(t, &mcphttp.Options{MaxSSESessions: 2})
	ctx, leave := context.WithCancel(t.Context())
	openSSE(ctx, t, s.URL+"/sse")
	openSSE(t.Context(), t, s.URL+"/sse")
	refused := func() int {
		response := open(t, testClient, request(t, http.MethodGet, s.URL+"/sse", nil, "", "Accept: text/event-stream"))
		response.Body.Close()
		return response.StatusCode
	}
	if got := refused(); got != 503 {
		t.Errorf("got %d, want 503", got)
	}
	leave()
	for refused() != 200 { // as soon as the server has noticed
	}
}

func TestTheEndOfAnSSEStreamCancelsItsCalls(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	_, s := f.serveSSE(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	client := openSSE(ctx, t, s.URL+"/sse")
	client.send(fmt.Sprintf(initializeBody, "2024-11-05"))
	client.post(legacyCall("1", "quiet", "{}"))
	<-f.started
	// Others are served meanwhile, on the same stream.
	if got := client.message(); !strings.Contains(got, `"progress":1`) {
		t.Errorf("got %s", got)
	}
	if got := client.send(legacyCall("2", "add", `{"a":1,"b":2}`)); textOf(t, got) != "3" {
		t.Errorf("got %s", got)
	}
	leave()
	<-f.cancelled
}

func TestChangesComeOnTheSSEStream(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	h, s := f.serveSSE(t, nil)
	client := openSSE(t.Context(), t, s.URL+"/sse")
	client.send(fmt.Sprintf(initializeBody, "2024-11-05"))
	client.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	f.addTool(t, "more")
	if got := client.message(); !strings.Contains(got, changed) {
		t.Errorf("got %s", got)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if err := h.Drain(ctx); err != nil {
		t.Error(err)
	}
	client.events.end()
	response := open(t, testClient, request(t, http.MethodGet, s.URL+"/sse", nil, "", "Accept: text/event-stream"))
	response.Body.Close()
	if response.StatusCode != 503 {
		t.Errorf("got %d from a handler that has ended, want 503", response.StatusCode)
	}
}

func TestTooManyCallsOfOneSSEStreamAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	_, s := f.serveSSE(t, nil)
	client := openSSE(t.Context(), t, s.URL+"/sse")
	client.send(fmt.Sprintf(initializeBody, "2024-11-05"))
	quiet := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"quiet","arguments":{}}}`, id)
	}
	for i := range 64 {
		client.post(quiet(i))
		<-f.started
	}
	if got := client.send(quiet(64)); !strings.Contains(got, `"id":64`) || !strings.Contains(got, "retryAfterMs") {
		t.Errorf("got %s", got)
	}
	close(f.release)
	for range 64 {
		if got := client.message(); textOf(t, got) != "released" {
			t.Errorf("got %s", got)
		}
	}
}
