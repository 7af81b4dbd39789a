package protocol_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// decode reads one message of the test; it must be well-formed.
func decode(t testing.TB, line string) *jsonrpc.Message {
	t.Helper()
	m := new(jsonrpc.Message)
	if fault := m.Decode([]byte(line), protocol.Index(), jsonrpc.Limits{}); fault != nil {
		t.Fatalf("decode %s: %s", line, fault.Text)
	}
	return m
}

// request wraps params into a request for a method.
func request(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

const (
	metaVersion      = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	metaCapabilities = `"io.modelcontextprotocol/clientCapabilities":{}`
	goodMeta         = metaVersion + `,` + metaCapabilities
)

func withMeta(members string) string { return `{"_meta":{` + members + `}}` }

func TestAdmitMetaRefusesInAFixedOrder(t *testing.T) {
	cases := []struct {
		rule, params string
		code         int
		text         string
		status       int
	}{
		{"no _meta at all", `{}`, -32602, "missing _meta", 400},
		{"_meta that is no object", `{"_meta":[]}`, -32602, "missing _meta", 400},
		{"no version", withMeta(metaCapabilities), -32602, `missing _meta["io.modelcontextprotocol/protocolVersion"]`, 400},
		{"a version that is no string", withMeta(`"io.modelcontextprotocol/protocolVersion":20260728,` + metaCapabilities), -32602, `mistyped _meta["io.modelcontextprotocol/protocolVersion"]`, 400},
		{"a null version", withMeta(`"io.modelcontextprotocol/protocolVersion":null,` + metaCapabilities), -32602, "mistyped", 400},
		{"no capabilities, before the version is judged", withMeta(`"io.modelcontextprotocol/protocolVersion":"1900-01-01"`), -32602, `missing _meta["io.modelcontextprotocol/clientCapabilities"]`, 400},
		{"capabilities that are no object", withMeta(metaVersion + `,"io.modelcontextprotocol/clientCapabilities":true`), -32602, `mistyped _meta["io.modelcontextprotocol/clientCapabilities"]`, 400},
		{"an unknown version, before what is optional", withMeta(`"io.modelcontextprotocol/protocolVersion":"1900-01-01",` + metaCapabilities + `,"io.modelcontextprotocol/logLevel":7`), -32022, "unsupported protocol version", 400},
		{"a legacy version", withMeta(`"io.modelcontextprotocol/protocolVersion":"2025-11-25",` + metaCapabilities), -32022, "unsupported protocol version", 400},
		{"clientInfo that is no object", withMeta(goodMeta + `,"io.modelcontextprotocol/clientInfo":"x"`), -32602, "clientInfo", 400},
		{"a log level that is no string", withMeta(goodMeta + `,"io.modelcontextprotocol/logLevel":1`), -32602, "logLevel", 400},
		{"an unknown log level: names are lower case", withMeta(goodMeta + `,"io.modelcontextprotocol/logLevel":"INFO"`), -32602, "expected one of debug, info", 400},
		{"a progress token with a fraction", withMeta(goodMeta + `,"progressToken":1.0`), -32602, "progressToken", 400},
		{"a progress token with an exponent", withMeta(goodMeta + `,"progressToken":1e3`), -32602, "progressToken", 400},
		{"a null progress token", withMeta(goodMeta + `,"progressToken":null`), -32602, "progressToken", 400},
		{"inputResponses that are no object", `{"_meta":{` + goodMeta + `},"inputResponses":[]}`, -32602, "inputResponses must be an object", 200},
		{"requestState that is no string", `{"_meta":{` + goodMeta + `},"requestState":{}}`, -32602, "requestState must be a string", 200},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var meta protocol.Meta
			fault := protocol.AdmitMeta(decode(t, request("tools/list", c.params)), &meta)
			if fault == nil {
				t.Fatal("admitted")
			}
			if fault.Code != c.code || !strings.Contains(fault.Message, c.text) {
				t.Errorf("got %d %q, want %d … %q …", fault.Code, fault.Message, c.code, c.text)
			}
			if got := protocol.Status(protocol.Modern(), fault); got != c.status {
				t.Errorf("HTTP status %d, want %d", got, c.status)
			}
		})
	}
}

func TestAdmitMetaTakesWhatTheRequestSays(t *testing.T) {
	line := request("tools/call", `{"_meta":{`+goodMeta+`,"io.modelcontextprotocol/clientInfo":{"name":"世界😀","version":"1"},`+
		`"io.modelcontextprotocol/logLevel":"warning","progressToken":18446744073709551616,"x.example/y":[1],"io.modelcontextprotocol/new":1},"inputResponses":{},"requestState":""}`)
	line = strings.Replace(line, `Capabilities":{}`, `Capabilities":{"elicitation":{"url":{}},"sampling":null,"roots":{}}`, 1)
	var meta protocol.Meta
	m := decode(t, line)
	if fault := protocol.AdmitMeta(m, &meta); fault != nil {
		t.Fatal(fault)
	}
	if meta.Revision != protocol.Modern() || meta.LogLevel != protocol.LevelWarning || string(meta.ProgressToken) != "18446744073709551616" {
		t.Errorf("meta is %+v", meta)
	}
	if want := protocol.CanElicitURL | protocol.CanListRoots; meta.Has != want {
		t.Errorf("capabilities are %v, want %v", meta.Has, want)
	}
	if got := protocol.DecodeImplementation(meta.ClientInfo); got.Name != "世界😀" || got.Version != "1" {
		t.Errorf("client is %+v", got)
	}
	if !protocol.IsModern(m) {
		t.Error("the message counts as legacy")
	}
}

func TestEraIsDecidedByTheVersionKeyWhateverItsType(t *testing.T) {
	for params, modern := range map[string]bool{
		`{}`:                            false,
		`{"_meta":{}}`:                  false,
		`{"_meta":{"progressToken":1}}`: false,
		`{"_meta":null}`:                false,
		withMeta(metaCapabilities):      false,
		withMeta(metaVersion):           true,
		`{"_meta":{"io.modelcontextprotocol\/protocolVersion":0}}`: true,
	} {
		if got := protocol.IsModern(decode(t, request("tools/list", params))); got != modern {
			t.Errorf("%s: modern is %v", params, got)
		}
	}
}

func TestUnsupportedVersionRepeatsTheRequestedOneExactly(t *testing.T) {
	var meta protocol.Meta
	m := decode(t, request("x", withMeta(`"io.modelcontextprotocol/protocolVersion":"世界\ud83d\ude00",`+metaCapabilities)))
	fault := protocol.AdmitMeta(m, &meta)
	want := `{"supported":["2026-07-28"],"requested":"世界😀"}`
	if fault == nil || string(fault.Data) != want {
		t.Errorf("data is %s, want %s", fault.Data, want)
	}
}

func TestLegacyMetaHoldsTheProgressTokenOnly(t *testing.T) {
	keep := protocol.Meta{Revision: protocol.LatestLegacy(), Has: protocol.CanSample, LogLevel: protocol.LevelInfo, ProgressToken: []byte("1")}
	for params, want := range map[string]string{
		`{}`:                               "",
		`{"_meta":7}`:                      "",
		`{"_meta":{"progressToken":"世界"}}`: `"世界"`,
		`{"_meta":{"progressToken":-7,"io.modelcontextprotocol/logLevel":"x"}}`: "-7",
	} {
		meta := keep
		if fault := protocol.AdmitLegacyMeta(decode(t, request("tools/list", params)), &meta); fault != nil {
			t.Errorf("%s: %v", params, fault)
		}
		if string(meta.ProgressToken) != want || meta.Revision != keep.Revision || meta.Has != keep.Has || meta.LogLevel != keep.LogLevel {
			t.Errorf("%s: meta is %+v", params, meta)
		}
	}
	var meta protocol.Meta
	fault := protocol.AdmitLegacyMeta(decode(t, request("tools/list", `{"_meta":{"progressToken":1.5}}`)), &meta)
	if fault == nil || fault.Code != protocol.CodeInvalidParams {
		t.Errorf("a token with a fraction: %v", fault)
	}
	if status := protocol.Status(keep.Revision, fault); status != 200 {
		t.Errorf("a token with a fraction: status %d, want 200: the request is well-formed", status)
	}
}

const commonLine = `{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"loadgen","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{"tools":{}}},` +
	`"progressToken":7,"io.modelcontextprotocol/logLevel":"info"},"name":"add","arguments":{"a":1234567,"b":1000003}}}`

func commonHeaders() protocol.Headers {
	return protocol.Headers{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"add"}}
}

func TestAdmittingTheCommonRequestDoesNotAllocate(t *testing.T) {
	m := decode(t, commonLine)
	headers, method := commonHeaders(), protocol.MethodNamed(m.Method)
	var meta protocol.Meta
	n := testing.AllocsPerRun(100, func() {
		if protocol.AdmitMeta(m, &meta) != nil || protocol.AdmitHTTP(m, method, headers, &meta) != nil || !protocol.IsModern(m) {
			t.Fatal("refused")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkAdmitMeta(b *testing.B) {
	bare := strings.Replace(commonLine, `{"elicitation":{},"sampling":{"tools":{}}}`, `{}`, 1)
	for name, line := range map[string]string{"capable": commonLine, "bare": bare} {
		b.Run(name, func(b *testing.B) {
			m := decode(b, line)
			var meta protocol.Meta
			b.ReportAllocs()
			for b.Loop() {
				if protocol.AdmitMeta(m, &meta) != nil {
					b.Fatal("refused")
				}
			}
		})
	}
}

func BenchmarkAdmitHTTP(b *testing.B) {
	m := decode(b, commonLine)
	headers, method := commonHeaders(), protocol.MethodNamed(m.Method)
	var meta protocol.Meta
	b.ReportAllocs()
	for b.Loop() {
		if protocol.AdmitHTTP(m, method, headers, &meta) != nil {
			b.Fatal("refused")
		}
	}
}

// slowCapabilities is the obvious reading of declared capabilities.
func slowCapabilities(raw []byte) (set protocol.CapabilitySet) {
	var top map[string]json.RawMessage
	_ = json.Unmarshal(raw, &top)
	object := func(in map[string]json.RawMessage, name string) (map[string]json.RawMessage, bool) {
		var inner map[string]json.RawMessage
		if value, ok := in[name]; !ok || json.Unmarshal(value, &inner) != nil || inner == nil {
			return nil, false
		}
		return inner, true
	}
	add := func(in map[string]json.RawMessage, name string, bit protocol.CapabilitySet) {
		if _, ok := object(in, name); ok {
			set |= bit
		}
	}
	if elicitation, ok := object(top, "elicitation"); ok {
		_, form := elicitation["form"]
		_, url := elicitation["url"]
		if !form && !url {
			set |= protocol.CanElicitForm
		}
		add(elicitation, "form", protocol.CanElicitForm)
		add(elicitation, "url", protocol.CanElicitURL)
	}
	if sampling, ok := object(top, "sampling"); ok {
		set |= protocol.CanSample
		add(sampling, "tools", protocol.CanSampleTools)
		add(sampling, "context", protocol.CanSampleContext)
	}
	if roots, ok := object(top, "roots"); ok {
		set |= protocol.CanListRoots
		if string(roots["listChanged"]) == "true" {
			set |= protocol.CanReportRoots
		}
	}
	return set
}

func FuzzAdmitMeta(f *testing.F) {
	f.Add([]byte(commonLine))
	f.Add([]byte(request("tools/list", withMeta(goodMeta))))
	f.Add([]byte(request("x", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"\u0032026-07-28","io.modelcontextprotocol/clientCapabilities":{"el\u0069citation" : { "url":{} , "form":[]}}}}`)))
	f.Add([]byte(request("prompts/get", `{"name":"世界😀","_meta":{}}`)))
	index := protocol.Index()
	f.Fuzz(func(t *testing.T, data []byte) {
		m := new(jsonrpc.Message)
		if m.Decode(data, index, jsonrpc.Limits{}) != nil {
			return
		}
		var meta protocol.Meta
		if fault := protocol.AdmitMeta(m, &meta); fault != nil {
			if fault.Message == "" || (fault.Data != nil && !json.Valid(fault.Data)) {
				t.Fatalf("fault is %+v", fault)
			}
			return
		}
		if !protocol.IsModern(m) || meta.Revision == nil || !bytes.HasPrefix(meta.Capabilities, []byte("{")) {
			t.Fatalf("admitted as %+v", meta)
		}
		if want := slowCapabilities(meta.Capabilities); meta.Has != want {
			t.Fatalf("capabilities of %s are %v, want %v", meta.Capabilities, meta.Has, want)
		}
		protocol.DecodeImplementation(meta.ClientInfo)
	})
}
