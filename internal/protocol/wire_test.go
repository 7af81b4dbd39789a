package protocol_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

// wireCases have every member of every wire type at least once, in the order in which it is encoded.
// Each line is decoded and must encode to itself.
var wireCases = []struct {
	name string
	new  func() any
	line string
}{
	{"Tool", func() any { return new(protocol.Tool) }, `{"name":"wetter","title":"Wetter 世界","description":"Says 😀 <b>&amp;</b>","inputSchema":{"type":"object","properties":{"ort":{"type":"string"}},"required":["ort"]},"outputSchema":{"type":"array","items":{"type":"number"}},"annotations":{"title":"W","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"colour":"red"},"icons":[{"src":"https://a.example/i.svg","mimeType":"image/svg+xml","sizes":["any"],"theme":"dark"}],"_meta":{"a.example/b":[1,2.50]},"execution":{"taskSupport":"optional"},"strange":{"世界":1e400}}`},
	{"Tool with nothing", func() any { return new(protocol.Tool) }, `{"name":"now","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false}}`},
	{"ListToolsResult", func() any { return new(protocol.ListToolsResult) }, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"","ttlMs":300000,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`},
	{"ListToolsResult, empty", func() any { return new(protocol.ListToolsResult) }, `{"tools":[]}`},
	{"CallToolParams", func() any { return new(protocol.CallToolParams) }, `{"_meta":{"progressToken":"t"},"inputResponses":{"who":{"action":"accept"}},"requestState":"s","name":"wetter","arguments":{"ort":"東京","n":9007199254740993}}`},
	{"CallToolResult", func() any { return new(protocol.CallToolResult) }, `{"content":[{"type":"text","text":"18°C 😀"}],"structuredContent":[{"id":"1"}],"isError":true,"resultType":"complete"}`},
	{"CallToolResult with null", func() any { return new(protocol.CallToolResult) }, `{"content":[],"structuredContent":null}`},
	{"InputRequiredResult", func() any { return new(protocol.InputRequiredResult) }, `{"inputRequests":{"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"message":"世界?"}}},"requestState":"opaque","resultType":"input_required"}`},
	{"Resource", func() any { return new(protocol.Resource) }, `{"uri":"file:///世界","name":"w","title":"W","description":"d","mimeType":"text/plain","annotations":{"audience":["user","assistant"],"priority":0.7,"lastModified":"2025-05-03T14:30:00Z"},"size":9007199254740993,"icons":[{"src":"data:,"}],"_meta":{},"x":null}`},
	{"ListResourcesResult", func() any { return new(protocol.ListResourcesResult) }, `{"resources":[{"uri":"a://b","name":"b"}],"nextCursor":"c"}`},
	{"ResourceTemplate", func() any { return new(protocol.ResourceTemplate) }, `{"uriTemplate":"a://{b}","name":"b","title":"📁","description":"d","mimeType":"x/y","annotations":{"priority":0},"icons":[{"src":"data:,"}],"_meta":{"k":1},"x":[true]}`},
	{"ListResourceTemplatesResult", func() any { return new(protocol.ListResourceTemplatesResult) }, `{"resourceTemplates":[]}`},
	{"PagedParams", func() any { return new(protocol.PagedParams) }, `{"_meta":{},"cursor":"eyJwYWdlIjogMn0="}`},
	{"ReadResourceParams", func() any { return new(protocol.ReadResourceParams) }, `{"_meta":{},"requestState":"","uri":"a://世界"}`},
	{"ReadResourceResult", func() any { return new(protocol.ReadResourceResult) }, `{"contents":[{"uri":"a://b","text":"世界\n"}],"ttlMs":0,"cacheScope":"private","resultType":"complete"}`},
	{"ResourceParams", func() any { return new(protocol.ResourceParams) }, `{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},"uri":"a://b"}`},
	{"Prompt", func() any { return new(protocol.Prompt) }, `{"name":"p","title":"P","description":"d","arguments":[{"name":"a","title":"A","description":"世界","required":true,"x":1},{"name":"b"}],"icons":[{"src":"data:,"}],"_meta":{},"y":{}}`},
	{"ListPromptsResult", func() any { return new(protocol.ListPromptsResult) }, `{"prompts":[{"name":"p"}],"resultType":"complete"}`},
	{"GetPromptParams", func() any { return new(protocol.GetPromptParams) }, `{"_meta":{},"name":"p","arguments":{"a":"😀","b":"世界"}}`},
	{"GetPromptResult", func() any { return new(protocol.GetPromptResult) }, `{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"世界"}}],"resultType":"complete"}`},
	{"CompleteParams", func() any { return new(protocol.CompleteParams) }, `{"_meta":{},"ref":{"type":"ref/prompt","name":"p","title":"P"},"argument":{"name":"a","value":"世"},"context":{"arguments":{"b":"c"}}}`},
	{"CompleteParams for a resource", func() any { return new(protocol.CompleteParams) }, `{"ref":{"type":"ref/resource","uri":"a://{b}"},"argument":{"name":"b","value":""}}`},
	{"CompleteResult", func() any { return new(protocol.CompleteResult) }, `{"completion":{"values":["世界","😀"],"total":0,"hasMore":true},"resultType":"complete"}`},
	{"DiscoverResult", func() any { return new(protocol.DiscoverResult) }, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"世界","ttlMs":1,"cacheScope":"public","resultType":"complete"}`},
	{"Implementation", func() any { return new(protocol.Implementation) }, `{"name":"n","title":"世界","version":"1.0.0","description":"d","websiteUrl":"https://a.example","icons":[{"src":"data:,","sizes":["48x48","96x96"]}]}`},
	{"InitializeParams", func() any { return new(protocol.InitializeParams) }, `{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}`},
	{"InitializeResult", func() any { return new(protocol.InitializeResult) }, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"instructions":"😀"}`},
	{"ProgressParams", func() any { return new(protocol.ProgressParams) }, `{"_meta":{},"progressToken":18446744073709551616,"progress":0.1,"total":100,"message":"世界"}`},
	{"LogParams", func() any { return new(protocol.LogParams) }, `{"level":"error","logger":"db","data":{"a":[null,"😀"]}}`},
	{"SetLevelParams", func() any { return new(protocol.SetLevelParams) }, `{"_meta":{},"level":"info"}`},
	{"CancelledParams", func() any { return new(protocol.CancelledParams) }, `{"requestId":"123","reason":"世界"}`},
	{"ListenParams", func() any { return new(protocol.ListenParams) }, `{"_meta":{},"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a://世界"]}}`},
	{"ElicitParams for a form", func() any { return new(protocol.ElicitParams) }, `{"message":"世界?","requestedSchema":{"type":"object","properties":{}}}`},
	{"ElicitParams for a URL", func() any { return new(protocol.ElicitParams) }, `{"_meta":{},"mode":"url","message":"m","elicitationId":"e","url":"https://a.example"}`},
	{"ElicitResult", func() any { return new(protocol.ElicitResult) }, `{"action":"accept","content":{"name":"Ada 😀","age":30,"tags":["a"]}}`},
	{"ElicitationCompleteParams", func() any { return new(protocol.ElicitationCompleteParams) }, `{"elicitationId":"e"}`},
	{"CreateMessageParams", func() any { return new(protocol.CreateMessageParams) }, `{"messages":[{"role":"user","content":{"type":"text","text":"世界"},"_meta":{}},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"t","input":{}}]}],"modelPreferences":{"hints":[{"name":"m"}],"costPriority":0,"speedPriority":0.5,"intelligencePriority":1},"systemPrompt":"s","includeContext":"none","temperature":0.2,"maxTokens":100,"stopSequences":["😀"],"metadata":{"a":1},"tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}}`},
	{"CreateMessageResult", func() any { return new(protocol.CreateMessageResult) }, `{"role":"assistant","content":[{"type":"text","text":"世界"}],"model":"m","stopReason":"endTurn"}`},
	{"ToolUse", func() any { return new(protocol.ToolUse) }, `{"type":"tool_use","id":"1","name":"t","input":{"a":1},"_meta":{}}`},
	{"ToolOutcome", func() any { return new(protocol.ToolOutcome) }, `{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"😀"}],"structuredContent":{"a":1},"isError":true,"_meta":{}}`},
	{"ListRootsResult", func() any { return new(protocol.ListRootsResult) }, `{"roots":[{"uri":"file:///世界","name":"w","_meta":{}}]}`},
}

func TestEveryWireTypeDecodesAndEncodesToTheSameBytes(t *testing.T) {
	for _, c := range wireCases {
		t.Run(c.name, func(t *testing.T) {
			v := c.new()
			if err := protocol.Decode([]byte(c.line), v); err != nil {
				t.Fatal(err)
			}
			got, err := protocol.Append([]byte("before "), v)
			if err != nil {
				t.Fatal(err)
			}
			if want := "before " + c.line; string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			for end := range len(c.line) {
				if protocol.Decode([]byte(c.line[:end]), c.new()) == nil {
					t.Errorf("decodes when cut at %d", end)
				}
			}
			for _, tail := range []string{"x", "{}", ",", "]"} {
				if protocol.Decode([]byte(c.line+tail), c.new()) == nil {
					t.Errorf("decodes with %q behind it", tail)
				}
			}
		})
	}
}

func TestWireTypesAreStrictAndForgiving(t *testing.T) {
	for rule, line := range map[string]string{
		"duplicate members are refused": `{"uri":"a","uri":"b","name":"n"}`,
		"mistyped members are refused":  `{"uri":7,"name":"n"}`,
		"a broken number is refused":    `{"uri":"a","name":"n","size":1.5}`,
		"bad UTF-8 is refused":          "{\"uri\":\"\xff\",\"name\":\"n\"}",
		"no object is refused":          `[]`,
	} {
		if err := protocol.Decode([]byte(line), new(protocol.Resource)); err == nil {
			t.Errorf("%s: decoded", rule)
		}
	}
	var p protocol.ElicitResult
	if err := protocol.Decode([]byte(`{"action":"decline","unknown":{"a":[1]}}`), &p); err != nil || p.Action != "decline" {
		t.Errorf("unknown members: %v", err)
	}
	got, err := protocol.Append(nil, protocol.Tool{Name: "bad \xff", InputSchema: json.RawMessage("{ \"type\" :\n\"object\" }")})
	if want := `{"name":"bad �","inputSchema":{"type":"object"}}`; err != nil || string(got) != want {
		t.Errorf("repaired and compact: %s %v, want %s", got, err, want)
	}
	if _, err := protocol.Append(nil, protocol.Tool{InputSchema: json.RawMessage("{")}); err == nil {
		t.Error("broken raw JSON encodes")
	}
}

func TestImplementationAppendsAsItEncodes(t *testing.T) {
	for _, c := range wireCases {
		v, ok := c.new().(*protocol.Implementation)
		if !ok {
			continue
		}
		if err := protocol.Decode([]byte(c.line), v); err != nil {
			t.Fatal(err)
		}
		if got := string(v.AppendTo(nil)); got != c.line {
			t.Errorf("got %s, want %s", got, c.line)
		}
	}
	if got := string(protocol.Implementation{Name: "a", Version: "b"}.AppendTo(nil)); got != `{"name":"a","version":"b"}` {
		t.Errorf("got %s", got)
	}
}

func TestIdentityIsReadWhateverElseIsWrong(t *testing.T) {
	for raw, want := range map[string]protocol.Implementation{
		`{"name":"世界","version":"1","title":"😀"}`:           {Name: "世界", Version: "1", Title: "😀"},
		`{"name":"a","version":"1","icons":"none"}`:         {Name: "a", Version: "1"},
		`{"name":7,"version":"1","title":"T"}`:              {Version: "1", Title: "T"},
		`{"name":"\u4e16","version":null,"websiteUrl":[1]}`: {Name: "世"},
		`"x"`: {}, ``: {}, `{`: {}, `{}`: {},
	} {
		if got := protocol.DecodeImplementation([]byte(raw)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", raw, got, want)
		}
	}
}

func TestSamplingContentIsOneBlockOrAList(t *testing.T) {
	for raw, want := range map[string]int{`{"type":"text"}`: 1, `[]`: 0, `[{"a":1},{"b":2}]`: 2} {
		if got, err := protocol.SamplingBlocks([]byte(raw)); err != nil || len(got) != want {
			t.Errorf("%s: %d blocks, %v", raw, len(got), err)
		}
	}
	for _, raw := range []string{``, `"x"`, `{`, `7`} {
		if _, err := protocol.SamplingBlocks([]byte(raw)); err == nil {
			t.Errorf("%s: decoded", raw)
		}
	}
}

func FuzzWire(f *testing.F) {
	for i, c := range wireCases {
		f.Add(uint8(i), []byte(c.line))
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		c := wireCases[int(which)%len(wireCases)]
		v := c.new()
		protocol.DecodeImplementation(data)
		protocol.DecodeCapabilities(data)
		protocol.DecodeServerCapabilities(data)
		if protocol.Decode(data, v) != nil {
			return
		}
		once, err := protocol.Append(nil, v)
		if err != nil {
			t.Fatalf("decodes and does not encode: %v", err)
		}
		again := c.new()
		if err := protocol.Decode(once, again); err != nil {
			t.Fatalf("does not decode its own encoding %s: %v", once, err)
		}
		if twice, err := protocol.Append(nil, again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s becomes %s, %v", once, twice, err)
		}
	})
}
