package protocol_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

// headers makes header lines from pairs of a canonical name and a value.
func headers(pairs ...string) protocol.Headers {
	h := protocol.Headers{}
	for i := 0; i < len(pairs); i += 2 {
		h[pairs[i]] = append(h[pairs[i]], pairs[i+1])
	}
	return h
}

func TestModernHeadersMirrorTheBody(t *testing.T) {
	const version, method, name = "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"
	call := request("tools/call", `{"_meta":{`+goodMeta+`},"name":"bar"}`)
	encoded := request("tools/call", `{"_meta":{`+goodMeta+`},"name":"Hello, 世界"}`)
	read := request("resources/read", `{"_meta":{`+goodMeta+`},"uri":"a://b"}`)
	unnamed := request("tools/call", `{"_meta":{`+goodMeta+`}}`)
	list := request("tools/list", withMeta(goodMeta))
	unknown := request("x/y", withMeta(goodMeta))
	old := request("tools/list", withMeta(`"io.modelcontextprotocol/protocolVersion":"1900-01-01",`+metaCapabilities))
	const v = "2026-07-28"
	cases := []struct {
		rule, line string
		h          protocol.Headers
		code       int
		text       string
	}{
		{"all agree", call, headers(version, v, method, "tools/call", name, "bar"), 0, ""},
		{"equal lines count as one", call, headers(version, v, version, v, method, "tools/call", name, "bar", name, "bar"), 0, ""},
		{"the version header is required", call, headers(method, "tools/call", name, "bar"), -32020, "required MCP-Protocol-Version header is missing"},
		{"the version header comes before the shape of _meta", request("x", `{"_meta":{`+metaVersion+`}}`), headers(), -32020, "MCP-Protocol-Version"},
		{"the shape of _meta comes before the comparison", request("x", `{"_meta":{`+metaVersion+`}}`), headers(version, "2025-11-25"), -32602, "clientCapabilities"},
		{"the version must be that of the body", call, headers(version, "2025-11-25", method, "tools/call", name, "bar"), -32020, `MCP-Protocol-Version header value "2025-11-25" does not match body value "2026-07-28"`},
		{"a version that both name and nobody serves", old, headers(version, "1900-01-01"), -32022, "unsupported"},
		{"the comparison comes before the support", old, headers(version, v), -32020, "does not match"},
		{"two versions", call, headers(version, v, version, "2025-11-25"), -32020, "two lines"},
		{"the method header is required", list, headers(version, v), -32020, "required Mcp-Method header is missing"},
		{"the method must be that of the body", list, headers(version, v, method, "tools/call"), -32020, `Mcp-Method header value "tools/call" does not match body value "tools/list"`},
		{"header values are case-sensitive", list, headers(version, v, method, "Tools/List"), -32020, "does not match"},
		{"the method header knows no encoding", list, headers(version, v, method, "=?base64?dG9vbHMvbGlzdA==?="), -32020, "does not match"},
		{"the method comes before the name", call, headers(version, v, method, "x", name, "foo"), -32020, "Mcp-Method"},
		{"an unknown method is still compared", unknown, headers(version, v, method, "x/z"), -32020, "does not match"},
		{"an unknown method needs no name", unknown, headers(version, v, method, "x/y"), 0, ""},
		{"a list needs no name", list, headers(version, v, method, "tools/list", name, "anything"), 0, ""},
		{"the name header is required", call, headers(version, v, method, "tools/call"), -32020, "required Mcp-Name header is missing"},
		{"the name must be that of the body", call, headers(version, v, method, "tools/call", name, "foo"), -32020, `Mcp-Name header value "foo" does not match body value "bar"`},
		{"two names", call, headers(version, v, method, "tools/call", name, "bar", name, "foo"), -32020, "two lines"},
		{"a body without a name is left to its method", unnamed, headers(version, v, method, "tools/call"), 0, ""},
		{"a name without one in the body", unnamed, headers(version, v, method, "tools/call", name, "bar"), -32020, "Mcp-Name"},
		{"a uri is a name", read, headers(version, v, method, "resources/read", name, "a://b"), 0, ""},
		{"a wrong uri", read, headers(version, v, method, "resources/read", name, "a://c"), -32020, "a://c"},
		{"an encoded name is decoded", encoded, headers(version, v, method, "tools/call", name, "=?base64?SGVsbG8sIOS4lueVjA==?="), 0, ""},
		{"a plain name may be encoded too", call, headers(version, v, method, "tools/call", name, "=?base64?YmFy?="), 0, ""},
		{"raw non-ASCII is refused even when equal", encoded, headers(version, v, method, "tools/call", name, "Hello, 世界"), -32020, "character"},
		{"a control character is refused", call, headers(version, v, method, "tools/call", name, "b\x01r"), -32020, "character"},
		{"Base64 without padding is refused", encoded, headers(version, v, method, "tools/call", name, "=?base64?SGVsbG8sIOS4lueVjA?="), -32020, "Base64"},
		{"Base64 with set trailing bits is refused", call, headers(version, v, method, "tools/call", name, "=?base64?YmFyYR==?="), -32020, "Base64"},
		{"Base64 with blanks is refused", call, headers(version, v, method, "tools/call", name, "=?base64?Ym Fy?="), -32020, "Base64"},
		{"Base64 of bytes that are no UTF-8 is refused", call, headers(version, v, method, "tools/call", name, "=?base64?/w==?="), -32020, "Base64"},
		{"the markers are case-sensitive", call, headers(version, v, method, "tools/call", name, "=?BASE64?YmFy?="), -32020, "does not match"},
		{"half a sentinel is plain text", call, headers(version, v, method, "tools/call", name, "=?base64?="), -32020, "does not match"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			m := decode(t, c.line)
			var meta protocol.Meta
			fault := protocol.AdmitHTTP(m, protocol.MethodNamed(m.Method), c.h, &meta)
			switch {
			case fault == nil && c.code != 0:
				t.Errorf("admitted, want %d", c.code)
			case fault != nil && (fault.Code != c.code || !strings.Contains(fault.Message, c.text)):
				t.Errorf("got %d %q, want %d … %q …", fault.Code, fault.Message, c.code, c.text)
			case fault != nil && protocol.Status(protocol.Modern(), fault) != 400:
				t.Errorf("status %d, want 400", protocol.Status(protocol.Modern(), fault))
			}
		})
	}
}

func TestLegacyVersionHeader(t *testing.T) {
	const version = "Mcp-Protocol-Version"
	for _, r := range names[:4] {
		if got, fault := headers(version, r).LegacyRevision(); fault != nil || got.Name != r {
			t.Errorf("%s: %v %v", r, got, fault)
		}
	}
	if got, fault := headers().LegacyRevision(); fault != nil || got != protocol.HeaderDefault() {
		t.Errorf("no header: %v %v", got, fault)
	}
	cases := map[string]struct {
		h    protocol.Headers
		code int
	}{
		"the modern version without modern _meta": {headers(version, "2026-07-28"), -32602},
		"an unknown version":                      {headers(version, "2024-01-01"), -32600},
		"two versions":                            {headers(version, "2025-06-18", version, "2025-11-25"), -32600},
		"a version with a raw byte":               {headers(version, "世界"), -32600},
		"an empty version":                        {headers(version, ""), -32600},
	}
	for rule, c := range cases {
		got, fault := c.h.LegacyRevision()
		if got != nil || fault == nil || fault.Code != c.code || protocol.Status(protocol.LatestLegacy(), fault) != 400 {
			t.Errorf("%s: %v %v", rule, got, fault)
		}
	}
}

func TestWithoutLegacyTheMissingHeaderIsNamedWithTheVersions(t *testing.T) {
	fault := headers().MissingVersion()
	if fault.Code != -32020 || !strings.Contains(fault.Message, "2026-07-28") || protocol.Status(nil, fault) != 400 {
		t.Errorf("without headers: %+v", fault)
	}
	if fault := headers("Mcp-Protocol-Version", "2026-07-28").MissingVersion(); fault.Code != -32602 {
		t.Errorf("with the header the missing _meta is the fault: %+v", fault)
	}
}

func TestEncodeHeaderFollowsTheExamplesOfTheSpecification(t *testing.T) {
	// basic/transports/streamable-http#value-encoding
	for value, want := range map[string]string{
		"us-west1":           "us-west1",
		"Hello, 世界":          "=?base64?SGVsbG8sIOS4lueVjA==?=",
		" padded ":           "=?base64?IHBhZGRlZCA=?=",
		"line1\nline2":       "=?base64?bGluZTEKbGluZTI=?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
		"a b\tc":             "a b\tc",
		"":                   "",
		"=?base64?":          "=?base64?",
	} {
		if got := protocol.EncodeHeader(value); got != want {
			t.Errorf("EncodeHeader(%q) = %s, want %s", value, got, want)
		}
	}
}
