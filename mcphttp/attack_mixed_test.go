package mcphttp_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// mixed is one of the requests that follow each other on a connection.
type mixed struct {
	r      *http.Request
	status int
	want   string
}

// ofAllEras are requests of clients of every era, and of none. Each answer is recognised by n.
func ofAllEras(t *testing.T, url string, n int, primed, batched *legacyClient) []mixed {
	text := fmt.Sprintf(`{"text":"世界😀 %d"}`, n)
	id := fmt.Sprint(n)
	of := func(c *legacyClient, body string, changes ...string) *http.Request {
		return request(t, http.MethodPost, url, c.header, body, changes...)
	}
	unknownLength := of(primed, legacyCall(id, "echo", text))
	unknownLength.ContentLength = -1
	session := "Mcp-Session-Id: " + primed.header.Get("Mcp-Session-Id")
	return []mixed{
		{toolCall(t, url, id, "echo", text, ""), 200, fmt.Sprintf("世界😀 %d", n)},
		{of(primed, legacyCall(id, "steps", `{"steps":2}`)), 200, `"id":` + id + `,"result"`},
		{toolCall(t, url, id, "steps", `{"steps":2}`, token), 200, `"id":` + id + `,"result"`},
		{of(batched, "["+legacyCall(id, "echo", text)+"]"), 200, `[{"jsonrpc":"2.0","id":` + id + `,"result"`},
		{toolCall(t, url, id, "echo", text, "", session), 200, `"resultType"`}, // the session is not looked at
		{of(primed, legacyCall(id, "echo", text), "Mcp-Session-Id: forged"), 404, `"id":` + id + `,"error"`},
		{of(primed, `{"jsonrpc":"2.0","method":"notifications/initialized"}`), 202, ""},
		{toolCall(t, url, id, "echo", text, "", "Mcp-Protocol-Version: "+older2025), 400, "-32020"},
		{unknownLength, 200, fmt.Sprintf("世界😀 %d", n)},
		{request(t, http.MethodDelete, url, primed.header, "", "Mcp-Session-Id: forged"), 404, "-32600"},
		{request(t, http.MethodGet, url, primed.header, "", "Accept: "+jsonType), 406, "-32600"},
		{request(t, http.MethodPut, url, primed.header, "x"), 405, ""},
		{of(primed, legacyCall(id, "echo", text), "Mcp-Protocol-Version: "+modernRevision), 400, "-32602"},
		{of(primed, fmt.Sprintf(initializeBody, batching2025)), 200, `"protocolVersion":"2025-03-26"`},
		{of(batched, legacyCall(id, "quick", `{}`)), 200, "unknown tool"},
	}
}

func TestErasThatFollowEachOtherOnOneConnectionDoNotMix(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	primed, batched := initialize(t, s.URL, priming2025), initialize(t, s.URL, batching2025)
	var all []mixed
	for n := range 20 {
		some := ofAllEras(t, s.URL, n, primed, batched)
		for i := range some {
			all = append(all, some[(i*7+n)%len(some)]) // another order each time
		}
	}
	conn := dial(t, s)
	go func() {
		for _, m := range all {
			_ = m.r.Write(conn)
		}
	}()
	reader := bufio.NewReader(conn)
	for i, m := range all {
		response, err := http.ReadResponse(reader, m.r)
		if err != nil {
			t.Fatal(i, err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != m.status || !strings.Contains(string(body), m.want) {
			t.Errorf("%d: got %d %s, %v; want %d with %s", i, response.StatusCode, body, err, m.status, m.want)
		}
		if opened := response.Header.Get("Mcp-Session-Id") != ""; opened != strings.Contains(m.want, "protocolVersion") {
			t.Errorf("%d: a session id came: %v", i, opened)
		}
	}
}
