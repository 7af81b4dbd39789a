package protocol_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

func TestInitializeIsCheckedInAFixedOrder(t *testing.T) {
	const version, capabilities, client = `"protocolVersion":"2025-06-18"`, `"capabilities":{}`, `"clientInfo":{"name":"c","version":"1"}`
	for _, c := range []struct{ rule, params, text string }{
		{"no params", ``, "missing protocolVersion"},
		{"no version", `{` + client + `}`, "missing protocolVersion"},
		{"a version that is no string", `{"protocolVersion":2,` + client + `}`, "protocolVersion must be"},
		{"no capabilities", `{` + version + `}`, "missing capabilities"},
		{"capabilities that are no object", `{` + version + `,"capabilities":[]}`, "capabilities must be"},
		{"no client", `{` + version + `,` + capabilities + `}`, "missing clientInfo"},
		{"a client that is no object", `{` + version + `,` + capabilities + `,"clientInfo":"c"}`, "clientInfo must be"},
		{"a client without a name", `{` + version + `,` + capabilities + `,"clientInfo":{"version":"1"}}`, "clientInfo must be"},
		{"a client without a version", `{` + version + `,` + capabilities + `,"clientInfo":{"name":"c","version":1}}`, "clientInfo must be"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			line := request("initialize", c.params)
			if c.params == "" {
				line = `{"jsonrpc":"2.0","id":1,"method":"initialize"}`
			}
			_, fault := protocol.InitializeOf(decode(t, line))
			if fault == nil || fault.Code != -32602 || !strings.Contains(fault.Message, c.text) {
				t.Fatalf("got %+v, want … %q …", fault, c.text)
			}
			if protocol.Status(protocol.LatestLegacy(), fault) != 200 {
				t.Error("a legacy answer to a well-formed request is 200")
			}
		})
	}
	p, fault := protocol.InitializeOf(decode(t, request("initialize", `{"protocolVersion":"世界","capabilities":{"sampling":{}},"clientInfo":{"name":"😀","version":"","icons":7},"x":1}`)))
	if fault != nil || p.ProtocolVersion != "世界" || p.ClientInfo.Name != "😀" || protocol.DecodeCapabilities(p.Capabilities) != protocol.CanSample {
		t.Errorf("%+v %v", p, fault)
	}
}

func TestInitializeAnswersInTheWordsOfTheRevision(t *testing.T) {
	info := protocol.Implementation{Name: "s", Title: "世界", Version: "1", Description: "😀", WebsiteURL: "https://a.example"}
	caps := protocol.ServerCapabilities{Logging: true, Completions: true, Tools: true}
	want := []string{
		`{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"i"}`,
		`{"protocolVersion":"2025-03-26","capabilities":{"logging":{},"completions":{},"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"i"}`,
		`{"protocolVersion":"2025-06-18","capabilities":{"logging":{},"completions":{},"tools":{}},"serverInfo":{"name":"s","title":"世界","version":"1"},"instructions":"i"}`,
		`{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"completions":{},"tools":{}},"serverInfo":{"name":"s","title":"世界","version":"1","description":"😀","websiteUrl":"https://a.example"},"instructions":"i"}`,
	}
	for r := range protocol.Revisions() {
		if r.Modern {
			continue
		}
		if got := string(protocol.AppendInitialize(nil, r, &caps, info, "i")); got != want[r.Index] {
			t.Errorf("%s:\ngot  %s\nwant %s", r.Name, got, want[r.Index])
		}
	}
	if got, want := string(protocol.AppendInitialize(nil, protocol.Lookup(names[0]), &protocol.ServerCapabilities{}, protocol.Implementation{Name: "s", Version: "1"}, "")),
		`{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDiscoverListsOnlyWhatRequestsMayName(t *testing.T) {
	info := protocol.Implementation{Name: "s", Version: "1", Description: "世界😀"}
	got := string(protocol.AppendDiscover(nil, &protocol.ServerCapabilities{Tools: true}, info, "i"))
	want := `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1","description":"世界😀"},"instructions":"i"`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
