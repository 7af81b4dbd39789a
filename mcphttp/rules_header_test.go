package mcphttp_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func sentinel(text string) string {
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

const mismatch = `"error":{"code":-32020,`

func TestHeadersMirrorTheBody(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	add, read, prompt := callOf("add", `{"a":1,"b":2}`), `"uri":"x://fixed"`, `"name":"greet","arguments":{"name":"Ann"}`
	checkAll(t, url, []rule{
		{name: "the version is missing", method: "tools/call", target: "add", params: add, changes: []string{"MCP-Protocol-Version:"}, status: 400, want: []string{mismatch}},
		{name: "the version is another one", method: "tools/call", target: "add", params: add, changes: []string{"MCP-Protocol-Version: 2025-11-25"}, status: 400, want: []string{mismatch}},
		{name: "the method is missing", method: "tools/call", target: "add", params: add, changes: []string{"Mcp-Method:"}, status: 400, want: []string{mismatch}},
		{name: "the method is in other case", method: "tools/call", target: "add", params: add, changes: []string{"Mcp-Method: Tools/Call"}, status: 400, want: []string{mismatch}},
		{name: "a method is never encoded", method: "tools/call", target: "add", params: add, changes: []string{"Mcp-Method: " + sentinel("tools/call")}, status: 400, want: []string{mismatch}},
		{name: "a tool's name is missing", method: "tools/call", params: add, status: 400, want: []string{mismatch}},
		{name: "a tool's name differs", method: "tools/call", target: "echo", params: add, status: 400, want: []string{mismatch}},
		{name: "a resource's name is missing", method: "resources/read", params: read, status: 400, want: []string{mismatch}},
		{name: "a resource's name differs", method: "resources/read", target: "x://other", params: read, status: 400, want: []string{mismatch}},
		{name: "a resource's name is its URI", method: "resources/read", target: "x://fixed", params: read, status: 200, want: []string{"text 世界😀"}},
		{name: "a prompt's name is missing", method: "prompts/get", params: prompt, status: 400, want: []string{mismatch}},
		{name: "a prompt's name differs", method: "prompts/get", target: "Greet", params: prompt, status: 400, want: []string{mismatch}},
		{name: "an encoded name is decoded", method: "tools/call", target: sentinel("add"), params: add, status: 200, want: []string{`"text":"3"`}},
		{name: "an encoded name that differs", method: "tools/call", target: sentinel("echo"), params: add, status: 400, want: []string{mismatch}},
		{name: "an encoded name that is not ASCII", method: "resources/read", target: sentinel("x://items/世界😀"), params: `"uri":"x://items/世界😀"`, status: 200, want: []string{"item 世界😀"}},
		{name: "a bad encoding", method: "tools/call", target: "=?base64?YW?=", params: add, status: 400, want: []string{mismatch}},
		{name: "an encoding in other case", method: "tools/call", target: strings.Replace(sentinel("add"), "base64", "BASE64", 1), params: add, status: 400, want: []string{mismatch}},
		{name: "an encoding of bytes that are no text", method: "tools/call", target: sentinel("add\xff"), params: add, status: 400, want: []string{mismatch}},
	})
}

func TestHeadersMirrorParameters(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	route := func(name, arguments string, status int, headers ...string) rule {
		r := rule{name: name, method: "tools/call", target: "route", params: callOf("route", arguments), changes: headers, status: status}
		if status == 400 {
			r.want = []string{mismatch}
		} else {
			r.want = []string{`"isError":false`}
		}
		return r
	}
	const north = "Mcp-Param-Region: north"
	rules := []rule{
		route("a string", `{"region":"north"}`, 200, north),
		route("the header is missing", `{"region":"north"}`, 400),
		route("the header differs", `{"region":"north"}`, 400, "Mcp-Param-Region: south"),
		route("the header differs in case", `{"region":"north"}`, 400, "Mcp-Param-Region: North"),
		route("header names have no case", `{"region":"north"}`, 200, "mcp-PARAM-region: north"),
		route("not ASCII", `{"region":"Hello, 世界"}`, 200, "Mcp-Param-Region: =?base64?SGVsbG8sIOS4lueVjA==?="),
		route("padded", `{"region":" padded "}`, 200, "Mcp-Param-Region: =?base64?IHBhZGRlZCA=?="),
		route("control characters", `{"region":"line1\nline2"}`, 200, "Mcp-Param-Region: =?base64?bGluZTEKbGluZTI=?="),
		route("a literal that looks encoded", `{"region":"=?base64?literal?="}`, 200, "Mcp-Param-Region: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
		route("a literal that looks encoded and is not encoded", `{"region":"=?base64?literal?="}`, 400, "Mcp-Param-Region: =?base64?literal?="),
		route("bytes beyond ASCII, although equal", `{"region":"世界"}`, 400, "Mcp-Param-Region: 世界"),
		route("an integer", `{"region":"north","level":42}`, 200, north, "Mcp-Param-Level: 42"),
		route("integers are compared as numbers", `{"region":"north","level":42}`, 200, north, "Mcp-Param-Level: 42.0"),
		route("another integer", `{"region":"north","level":42}`, 400, north, "Mcp-Param-Level: 43"),
		route("no integer", `{"region":"north","level":42}`, 400, north, "Mcp-Param-Level: many"),
		route("the largest integer that is safe", `{"region":"north","level":9007199254740991}`, 200, north, "Mcp-Param-Level: 9007199254740991"),
		route("an integer that is not safe", `{"region":"north","level":9007199254740993}`, 400, north, "Mcp-Param-Level: 9007199254740993"),
		route("a boolean", `{"region":"north","dry":true}`, 200, north, "Mcp-Param-Dry-Run: true"),
		route("a boolean is lower case", `{"region":"north","dry":true}`, 400, north, "Mcp-Param-Dry-Run: True"),
		route("a nested parameter", `{"region":"north","inner":{"street":"Main"}}`, 200, north, "Mcp-Param-Street: Main"),
		route("a nested parameter without its header", `{"region":"north","inner":{"street":"Main"}}`, 400, north),
		route("a header without a value in the body", `{"region":"north"}`, 400, north, "Mcp-Param-Level: 1"),
		route("a header that no parameter has", `{"region":"north"}`, 200, north, "Mcp-Param-Unknown: 1"),
	}
	checkAll(t, url, rules)
	t.Run("two lines that differ", func(t *testing.T) {
		t.Parallel()
		r := route("", `{"region":"north"}`, 400, north).request(t, url, "7")
		r.Header["Mcp-Param-Region"] = []string{"north", "south"}
		do(t, r).expect(t, 400, jsonType).contains(t, mismatch)
	})
	t.Run("an older client mirrors nothing", func(t *testing.T) {
		t.Parallel()
		client := initialize(t, url, "2025-11-25")
		client.post(legacyCall("1", "route", `{"region":"north"}`), "Mcp-Param-Region: south").expect(t, 200, jsonType).contains(t, `"isError":false`)
	})
}

func TestAVersionThatIsNotServedIsNamedWithThoseThatAre(t *testing.T) {
	t.Parallel()
	sessions, off := ruled(t, nil), ruled(t, &mcp.Options{Legacy: mcp.LegacyOff})
	for method, target := range map[string]string{"server/discover": "", "tools/list": "", "tools/call": "add", "resources/read": "x://fixed", "completion/complete": "", "no/such": ""} {
		for _, version := range []string{"2025-11-25", "2024-11-05", "2099-01-01", "世界"} {
			header := modernHeaders(method, target)
			header.Set("Mcp-Protocol-Version", version)
			body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{"name":"` + target + `","uri":"` + target + `","_meta":{"io.modelcontextprotocol/protocolVersion":"` + version +
				`","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
			want := `"error":{"code":-32022,`
			if version == "世界" {
				want = mismatch // no header can say that
			}
			a := do(t, request(t, http.MethodPost, sessions, header, body))
			if a.StatusCode != 400 || !strings.Contains(a.body, want) || want != mismatch && !strings.Contains(a.body, `"supported":["2026-07-28"]`) {
				t.Errorf("%s of %s: got %d %s", method, version, a.StatusCode, a.body)
			}
		}
	}
	rule{name: "what discover lists is what is served", method: "server/discover", status: 200, want: []string{`"supportedVersions":["2026-07-28"]`}}.check(t, sessions)
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	hello := strings.Replace(initializeBody, "%q", `"2025-11-25"`, 1)
	a := do(t, request(t, http.MethodPost, off, header, hello))
	if a.StatusCode != 400 || !strings.Contains(a.body, "2026-07-28") {
		t.Errorf("a server without legacy names its versions: got %d %s", a.StatusCode, a.body)
	}
}
