package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestEveryFaultHasItsCodeTextDataAndStatus(t *testing.T) {
	modern, legacy := protocol.Modern(), protocol.LatestLegacy()
	cases := []struct {
		rule              string
		fault             *protocol.Fault
		code              int
		text, data        string
		onModern, onOlder int
	}{
		{"bytes that are no JSON", protocol.BadMessage(&jsonrpc.Fault{Code: -32700, Text: "parse error"}), -32700, "parse error", "", 400, 400},
		{"JSON that is no message", protocol.BadMessage(&jsonrpc.Fault{Code: -32600, Text: "invalid request"}), -32600, "invalid request", "", 400, 400},
		{"no _meta", protocol.MissingMeta(), -32602, `"io.modelcontextprotocol/protocolVersion"`, "", 400, 400},
		{"an unsupported version", protocol.UnsupportedVersion("1900-01-01"), -32022, "unsupported protocol version", `{"supported":["2026-07-28"],"requested":"1900-01-01"}`, 400, 400},
		{"neither era: both ways in are named", protocol.OutsideEras(), -32602, "2026-07-28", "", 400, 400},
		{"initialize when legacy is off names the versions", protocol.HandshakeOff(), -32601, "2026-07-28", `{"supported":["2026-07-28"],"requested":"initialize"}`, 404, 200},
		{"an unknown method", protocol.UnknownMethod("tasks/get"), -32601, "method not found: tasks/get", "", 404, 200},
		{"an undeclared capability", protocol.MissingCapability(`tool "x"`, protocol.CanElicitForm, 0), -32021, `tool "x" requires the client capability elicitation;`, `{"requiredCapabilities":{"elicitation":{}}}`, 400, 200},
		{"a second initialize", protocol.AlreadyInitialized(), -32600, "once", "", 400, 200},
		{"an id that is in use", protocol.DuplicateID(), -32600, "still running", "", 400, 200},
		{"a batch where there are none", protocol.NoBatches(), -32600, "2025-03-26", "", 400, 400},
		{"initialize in a batch", protocol.NotInBatch("initialize"), -32600, "initialize cannot be part of a batch", "", 400, 200},
		{"an unknown tool", protocol.UnknownTool("世界😀"), -32602, "unknown tool: 世界😀", "", 200, 200},
		{"an unknown prompt", protocol.UnknownPrompt("p"), -32602, "unknown prompt: p", "", 200, 200},
		{"an unknown completion reference", protocol.UnknownReference(`prompt "p"`), -32602, `unknown prompt "p"`, "", 200, 200},
		{"arguments that a prompt refuses", protocol.BadArguments("why 世界"), -32602, "invalid params: why 世界", "", 200, 200},
		{"a bad cursor", protocol.BadCursor(), -32602, "cursor", "", 200, 200},
		{"a missing parameter", protocol.BadParam(nil, protocol.ParamURI, "a string"), -32602, "missing uri: expected a string", "", 200, 200},
		{"a mistyped parameter", protocol.BadParam([]byte("1"), protocol.ParamURI, "a string"), -32602, "uri must be a string", "", 200, 200},
		{"a bad request state", protocol.BadState(), -32602, "requestState", "", 200, 200},
		{"an unknown resource, modern", protocol.ResourceNotFound(modern, "a://世界\n😀"), -32602, "resource not found", `{"uri":"a://世界\n😀"}`, 200, 200},
		{"an unknown resource, legacy", protocol.ResourceNotFound(legacy, "a://b"), -32002, "resource not found", `{"uri":"a://b"}`, 200, 200},
		{"a failed handler", protocol.Internal("boom"), -32603, "internal error: boom", "", 200, 200},
		{"no room", protocol.Busy("64 calls are running", 1500*time.Microsecond), -32603, "64 calls are running", `{"retryAfterMs":2}`, 503, 503},
		{"no room, at once", protocol.Busy("x", 0), -32603, "server busy", `{"retryAfterMs":1}`, 503, 503},
		{"a result", nil, 0, "", "", 200, 200},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := protocol.Status(modern, c.fault); got != c.onModern {
				t.Errorf("modern status %d, want %d", got, c.onModern)
			}
			if got := protocol.Status(nil, c.fault); got != c.onModern {
				t.Errorf("status without a revision %d, want %d", got, c.onModern)
			}
			if got := protocol.Status(legacy, c.fault); got != c.onOlder {
				t.Errorf("legacy status %d, want %d", got, c.onOlder)
			}
			if c.fault == nil {
				return
			}
			if c.fault.Code != c.code || !strings.Contains(c.fault.Error(), c.text) || string(c.fault.Data) != c.data {
				t.Errorf("got %d %q %s, want %d … %q … %s", c.fault.Code, c.fault.Message, c.fault.Data, c.code, c.text, c.data)
			}
			if o := c.fault.Object(); o.Code != c.fault.Code || o.Message != c.fault.Message || string(o.Data) != c.data {
				t.Errorf("the error object is %+v", o)
			}
		})
	}
}

func TestTextOfThePeerIsCutInFaults(t *testing.T) {
	long := "x" + strings.Repeat("世界😀", 1000)
	for _, f := range []*protocol.Fault{
		protocol.UnknownTool(long), protocol.UnknownMethod(long), protocol.UnknownPrompt(long),
		protocol.NotInBatch(long), protocol.UnsupportedVersion(long),
	} {
		if len(f.Message) > 250 || len(f.Data) > 250 || !utf8.ValidString(f.Message) || !utf8.Valid(f.Data) {
			t.Errorf("fault of %d and %d bytes: %q", len(f.Message), len(f.Data), f.Message)
		}
		if f.Data != nil && !json.Valid(f.Data) {
			t.Errorf("data is %s", f.Data)
		}
	}
}

func TestReservedCodesAreThoseThatOnlyTheLibraryRaises(t *testing.T) {
	for code, want := range map[int]bool{
		-32700: true, -32600: true, -32601: true, -32602: false, -32603: false,
		-32002: true, -32042: true, -32020: true, -32021: true, -32022: true, -32099: true,
		-32019: false, -32000: false, -32100: false, 0: false, 404: false,
	} {
		if got := protocol.Reserved(code); got != want {
			t.Errorf("Reserved(%d) is %v", code, got)
		}
	}
}
