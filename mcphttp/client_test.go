package mcphttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const (
	modernRevision = "2026-07-28"
	meta           = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}%s}`
)

// call is the body of a modern tools/call.
func call(id, tool, arguments, extraMeta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s,`+meta+`}}`, id, tool, arguments, extraMeta)
}

const token = `,"progressToken":"p"` // of the modern _meta

func modernHeaders(method, name string) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {modernRevision}, "Mcp-Method": {method},
	}
	if name != "" {
		h["Mcp-Name"] = []string{name}
	}
	return h
}

// request makes a request; changes are header lines "Name: value" that replace, or "Name:" that remove.
func request(t testing.TB, method, url string, header http.Header, body string, changes ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body == "" {
		r.Body = http.NoBody
	}
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	for _, line := range changes {
		name, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	return r
}

// toolCall makes a modern tools/call.
func toolCall(t testing.TB, url, id, tool, arguments, extraMeta string, changes ...string) *http.Request {
	t.Helper()
	return request(t, http.MethodPost, url, modernHeaders("tools/call", tool), call(id, tool, arguments, extraMeta), changes...)
}

// answer is a response that has been read to its end.
type answer struct {
	*http.Response
	body string
}

func do(t testing.TB, r *http.Request) answer {
	t.Helper()
	response := open(t, testClient, r)
	defer response.Body.Close()
	return answer{response, read(t, response)}
}

func open(t testing.TB, client *http.Client, r *http.Request) *http.Response {
	t.Helper()
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func (a answer) expect(t testing.TB, status int, contentType string) answer {
	t.Helper()
	if a.StatusCode != status || a.Header.Get("Content-Type") != contentType {
		t.Fatalf("got %d %q %q, want %d %q", a.StatusCode, a.Header.Get("Content-Type"), a.body, status, contentType)
	}
	return a
}

func (a answer) contains(t testing.TB, parts ...string) answer {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(a.body, part) {
			t.Fatalf("got %q, want %q in it", a.body, part)
		}
	}
	return a
}

const (
	jsonType  = "application/json"
	eventType = "text/event-stream"
)

// legacyClient is a session of an older revision.
type legacyClient struct {
	t      testing.TB
	url    string
	header http.Header
}

const initializeBody = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`

func initialize(t testing.TB, url, revision string) *legacyClient {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	a := do(t, request(t, http.MethodPost, url, header, fmt.Sprintf(initializeBody, revision))).expect(t, 200, jsonType)
	session := a.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatalf("no session id came with %s", a.body)
	}
	header.Set("Mcp-Session-Id", session)
	header.Set("Mcp-Protocol-Version", revision)
	c := &legacyClient{t, url, header}
	if a := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.StatusCode != http.StatusAccepted || a.body != "" {
		t.Fatalf("got %d %q, want 202 and nothing", a.StatusCode, a.body)
	}
	return c
}

func (c *legacyClient) post(body string, changes ...string) answer {
	c.t.Helper()
	return do(c.t, request(c.t, http.MethodPost, c.url, c.header, body, changes...))
}

// open posts and returns the response as soon as it has begun.
func (c *legacyClient) open(ctx context.Context, body string, changes ...string) (*http.Response, *eventReader) {
	c.t.Helper()
	response := open(c.t, testClient, request(c.t, http.MethodPost, c.url, c.header, body, changes...).WithContext(ctx))
	return response, readEvents(c.t, response.Body)
}

func (c *legacyClient) get(ctx context.Context, changes ...string) (*http.Response, *eventReader) {
	c.t.Helper()
	changes = append([]string{"Accept: text/event-stream", "Content-Type:"}, changes...)
	response := open(c.t, testClient, request(c.t, http.MethodGet, c.url, c.header, "", changes...).WithContext(ctx))
	return response, readEvents(c.t, response.Body)
}

func legacyCall(id, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":7}}}`, id, tool, arguments)
}

// textOf is the first text block of a result.
func textOf(t testing.TB, message string) string {
	t.Helper()
	var m struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil || len(m.Result.Content) == 0 {
		t.Fatalf("no text in %q: %v", message, err)
	}
	return m.Result.Content[0].Text
}

// initializeWith opens a session and returns the headers of its requests.
func initializeWith(t testing.TB, client *http.Client, url, revision string) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	response := open(t, client, request(t, http.MethodPost, url, header, fmt.Sprintf(initializeBody, revision)))
	response.Body.Close()
	header.Set("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
	header.Set("Mcp-Protocol-Version", revision)
	return header
}

// read takes a body to its end.
func read(t testing.TB, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatalf("reading the body: %v after %q", err, body)
	}
	return string(body)
}
