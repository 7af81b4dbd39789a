package procedure_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/mcphttp"
)

// TestUpstreamOverHTTP has the same cases where they are about HTTP. Where a status or a channel is another one than there,
// the specification or this project's own rules say so.
func TestUpstreamOverHTTP(t *testing.T) {
	handler, err := mcphttp.NewHandler(upstream(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer handler.Close()
	const (
		initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
		list       = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
		add        = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"b":7}}}`
	)
	post := http.MethodPost
	cases := []struct {
		rule, method, body string
		headers            map[string]string
		status             int
		want               []string // in the body; nil: it is empty
	}{
		{"1 initialize, without a session", post, initialize, nil, 200, []string{`"protocolVersion":"2025-11-25"`, `"test-server"`}},
		{"2 tools/list", post, list, nil, 200, []string{`"add"`, `"Add two integers"`}},
		{"3 tools/call", post, add, nil, 200, []string{`"isError":false`, `13`}},
		{"4 arguments before the name", post, `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"arguments":{"a":6,"b":7},"name":"add"}}`, nil, 200, []string{`"isError":false`, `13`}},
		{"5 an unknown argument is told in band", post, `{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"c":7}}}`, nil, 200, []string{`unknown argument`, `"isError":true`}},
		{"6 ping", post, `{"jsonrpc":"2.0","id":4,"method":"ping"}`, nil, 200, []string{`"result":{}`}},
		{"7 a notification", post, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, nil},
		{"8 GET", http.MethodGet, "", nil, 405, []string{}},
		{"8 DELETE", http.MethodDelete, "", nil, 405, []string{}},
		{"9 an origin that is not allowed", post, initialize, map[string]string{"Origin": "http://evil.example.com"}, 403, []string{}},
		{"9 an attacker's name in both headers", post, initialize, map[string]string{"Origin": "http://evil.example.com", "Host": "evil.example.com"}, 403, []string{}},
		{"9 the origin null", post, initialize, map[string]string{"Origin": "null"}, 403, []string{}},
		{"9 a loopback origin", post, initialize, map[string]string{"Origin": "HTTP://LocalHost:1234"}, 200, []string{`"test-server"`}},
		{"9 a loopback origin by number", post, initialize, map[string]string{"Origin": "http://[::1]"}, 200, []string{`"test-server"`}},
		{"10 version negotiation", post, strings.Replace(initialize, "2025-11-25", "2025-03-26", 1), nil, 200, []string{`"protocolVersion":"2025-03-26"`}},
		{"11 an unknown version header", post, list, map[string]string{"MCP-Protocol-Version": "1.0.0-invalid"}, 400, []string{`"error"`}},
		{"11 on a notification, too", post, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, map[string]string{"MCP-Protocol-Version": "1.0.0-invalid"}, 400, []string{`"error"`}},
		{"11 but not on initialize", post, initialize, map[string]string{"MCP-Protocol-Version": "1.0.0-invalid"}, 200, []string{`"test-server"`}},
		{"12 image content", post, `{"jsonrpc":"2.0","id":20,"method":"tools/call","params":{"name":"getImage","arguments":{}}}`, nil, 200, []string{`"isError":false`, `"type":"image"`, `"mimeType":"image/png"`, `"data":"UE5HREFUQQ=="`}},
		{"13 a request without an id", post, `{"jsonrpc":"2.0","method":"initialize","params":{}}`, nil, 202, nil},
		{"14 a fault for the model", post, `{"jsonrpc":"2.0","id":30,"method":"tools/call","params":{"name":"stop"}}`, nil, 200, []string{`"isError":true`, `tool says \"stop\"`}},
		{"15 an error", post, `{"jsonrpc":"2.0","id":32,"method":"tools/call","params":{"name":"fault"}}`, nil, 200, []string{`"isError":true`, `remoting fault`}},
		{"16 invalid JSON", post, `{"jsonrpc":"2.0","method":"initialize","id":50 not json`, nil, 400, []string{`"error"`, `"code":-32700`}},
		{"17 an unknown method", post, `{"jsonrpc":"2.0","id":40,"method":"tools/unknown"}`, nil, 200, []string{`"error"`, `"code":-32601`}},
		{"a session header is ignored", post, add, map[string]string{"Mcp-Session-Id": "x"}, 200, []string{`13`}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			status, header, body := exchange(t, server, c.method, c.body, c.headers)
			if status != c.status {
				t.Errorf("status %d, want %d; body %s", status, c.status, body)
			}
			for _, w := range c.want {
				if !strings.Contains(body, w) {
					t.Errorf("got %s, want %s in it", body, w)
				}
			}
			if c.want == nil && body != "" {
				t.Errorf("got %s, want no body", body)
			}
			if status == http.StatusMethodNotAllowed && header.Get("Allow") != http.MethodPost {
				t.Errorf("Allow: %s", header.Get("Allow"))
			}
			if header.Get("Mcp-Session-Id") != "" {
				t.Error("there is a session, but no memory of it")
			}
		})
	}
}

func exchange(t *testing.T, server *httptest.Server, method, body string, headers map[string]string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	if host := headers["Host"]; host != "" {
		req.Host = host
	}
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(got)
}
