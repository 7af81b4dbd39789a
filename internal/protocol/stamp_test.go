package protocol_test

import (
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

func TestStampsComeLastAndOnlyWhereTheRevisionHasThem(t *testing.T) {
	info := protocol.Implementation{Name: "世界😀", Version: "1"}.AppendTo(nil)
	serverInfo := `"io.modelcontextprotocol/serverInfo":{"name":"世界😀","version":"1"}`
	modern, legacy := protocol.Modern(), protocol.LatestLegacy()
	cases := []struct {
		rule   string
		prefix string
		r      *protocol.Revision
		stamp  protocol.Stamp
		want   string
	}{
		{"a cacheable result", `{"tools":[]`, modern, protocol.Stamp{Cache: &protocol.CacheHint{TTLMs: 300000}, ServerInfo: info}, `{"tools":[],"ttlMs":300000,"cacheScope":"private","resultType":"complete","_meta":{` + serverInfo + `}`},
		{"a public one that is stale at once", `{`, modern, protocol.Stamp{Cache: &protocol.CacheHint{TTLMs: -5, Public: true}}, `{"ttlMs":0,"cacheScope":"public","resultType":"complete"`},
		{"a question", `{"requestState":"s"`, modern, protocol.Stamp{ResultType: protocol.ResultInputRequired, ServerInfo: info}, `{"requestState":"s","resultType":"input_required","_meta":{` + serverInfo + `}`},
		{"a handler's own _meta is kept", `{`, modern, protocol.Stamp{Meta: []byte("{\"a\":{ } \n }"), ServerInfo: info}, `{"resultType":"complete","_meta":{"a":{ },` + serverInfo + `}`},
		{"an empty _meta of a handler", `{`, modern, protocol.Stamp{Meta: []byte(`{ }`), ServerInfo: info}, `{"resultType":"complete","_meta":{` + serverInfo + `}`},
		{"a handler that names the server itself", `{`, modern, protocol.Stamp{Meta: []byte(`{"io.modelcontextprotocol/serverInfo":{}}`), ServerInfo: info}, `{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{}}`},
		{"legacy results have no stamps", `{"tools":[]`, legacy, protocol.Stamp{Cache: &protocol.CacheHint{}, ResultType: "complete", ServerInfo: info}, `{"tools":[]`},
		{"legacy results keep the handler's _meta", `{"tools":[]`, legacy, protocol.Stamp{Meta: []byte(`{"a":1}`), ServerInfo: info}, `{"tools":[],"_meta":{"a":1}`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := string(protocol.AppendStamps([]byte(c.prefix), c.r, c.stamp)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestQuestionsKeepTheirOrder(t *testing.T) {
	questions := []protocol.InputQuestion{
		{Key: "z 世界", InputRequest: protocol.InputRequest{Method: "roots/list", Params: []byte(`{}`)}},
		{Key: "a\"😀", InputRequest: protocol.InputRequest{Method: "elicitation/create", Params: []byte("{\"message\":\n\"m\"}")}},
		{Key: "b", InputRequest: protocol.InputRequest{Method: "roots/list"}},
	}
	want := `{"inputRequests":{"z 世界":{"method":"roots/list","params":{}},"a\"😀":{"method":"elicitation/create","params":{"message":"m"}},"b":{"method":"roots/list"}},"requestState":"s"`
	if got := string(protocol.AppendAsked([]byte(`{`), questions, "s")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(protocol.AppendAsked([]byte(`{`), nil, "s")); got != `{"requestState":"s"` {
		t.Errorf("state only: %s", got)
	}
}

func BenchmarkAppendStamps(b *testing.B) {
	info := protocol.Implementation{Name: "s", Version: "1"}.AppendTo(nil)
	stamp := protocol.Stamp{Cache: &protocol.CacheHint{TTLMs: 300000}, ServerInfo: info}
	dst := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		protocol.AppendStamps(append(dst, '{'), protocol.Modern(), stamp)
	}
}
