package jsonrpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

var (
	paramNames = []string{"name", "uri", "arguments", "cursor", "level", "ref", "argument", "context", "requestState"}
	metaNames  = []string{
		"progressToken", "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientInfo",
		"io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/logLevel",
	}
)

func callIndex() *jsonrpc.Index { return jsonrpc.NewIndex(paramNames, metaNames) }

func TestIndexKeepsWantedMembers(t *testing.T) {
	cases := []struct {
		rule   string
		params string
		name   string // Param(0)
		token  string // Meta(0)
		meta   string // MetaRaw
		has    bool
	}{
		{"nothing wanted is there", `{"x":1}`, "", "", "", false},
		{"a wanted member is raw", `{"name": "世\u754c😀" }`, `"世\u754c😀"`, "", "", false},
		{"null is present", `{"name":null}`, "null", "", "", false},
		{"an escaped spelling is the same name", `{"n\u0061me":1}`, "1", "", "", false},
		{"names are case-sensitive", `{"Name":1,"NAME":2}`, "", "", "", false},
		{"only the top level of params counts", `{"x":{"name":1},"arguments":{"name":2,"_meta":{"progressToken":3}}}`, "", "", "", false},
		{"_meta is an object", `{"_meta":{"progressToken":"😀"}}`, "", `"😀"`, `{"progressToken":"😀"}`, true},
		{"_meta may be empty", `{"_meta":{}}`, "", "", `{}`, true},
		{"_meta may be spelled with escapes", `{"\u005fmeta":{"progressTok\u0065n":7}}`, "", "7", `{"progressTok\u0065n":7}`, true},
		{"_meta of another type is present and no object", `{"_meta":[{"progressToken":1}]}`, "", "", `[{"progressToken":1}]`, false},
		{"_meta null is present and no object", `{"_meta":null}`, "", "", "null", false},
		{"params names do not count in _meta", `{"_meta":{"name":1}}`, "", "", `{"name":1}`, true},
		{"_meta names do not count in params", `{"progressToken":1}`, "", "", "", false},
		{"only the top level of _meta counts", `{"_meta":{"x":{"progressToken":1}}}`, "", "", `{"x":{"progressToken":1}}`, true},
	}
	ix := callIndex()
	var m jsonrpc.Message // reused: a member of the case before must not show
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			in := []byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":` + c.params + `}`)
			if fault := m.Decode(in, ix, jsonrpc.Limits{}); fault != nil {
				t.Fatal(fault)
			}
			got := []string{string(m.Param(0)), string(m.Meta(0)), string(m.MetaRaw()), fmt.Sprint(m.HasMeta())}
			want := []string{c.name, c.token, c.meta, fmt.Sprint(c.has)}
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestIndexMayWantMetaItself(t *testing.T) {
	ix := jsonrpc.NewIndex([]string{"_meta"}, []string{"a"})
	var m jsonrpc.Message
	if fault := m.Decode([]byte(`{"jsonrpc":"2.0","method":"a","params":{"_meta":{"a":1}}}`), ix, jsonrpc.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	if string(m.Param(0)) != `{"a":1}` || string(m.Meta(0)) != "1" {
		t.Errorf("got %s and %s", m.Param(0), m.Meta(0))
	}
}

func TestIndexFull(t *testing.T) {
	var params, meta, members, metaMembers []string
	for i := range jsonrpc.MaxParamNames {
		params = append(params, strings.Repeat("p", 50+i)) // some beyond the slots by length
		members = append(members, fmt.Sprintf("%q:%d", params[i], i))
	}
	for i := range jsonrpc.MaxMetaNames {
		meta = append(meta, fmt.Sprintf("m%d", i)) // all of one length
		metaMembers = append(metaMembers, fmt.Sprintf("%q:%d", meta[i], i))
	}
	ix := jsonrpc.NewIndex(params, meta)
	in := `{"jsonrpc":"2.0","method":"a","params":{` + strings.Join(members, ",") + `,"_meta":{` + strings.Join(metaMembers, ",") + `}}}`
	var m jsonrpc.Message
	if fault := m.Decode([]byte(in), ix, jsonrpc.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	for i := range params {
		if string(m.Param(i)) != fmt.Sprint(i) {
			t.Errorf("Param(%d) is %q", i, m.Param(i))
		}
	}
	for i := range meta {
		if string(m.Meta(i)) != fmt.Sprint(i) {
			t.Errorf("Meta(%d) is %q", i, m.Meta(i))
		}
	}
	for _, i := range []int{-1, 24, 1 << 40} {
		if m.Param(i) != nil || m.Meta(i) != nil {
			t.Errorf("position %d outside the index has a value", i)
		}
	}
}

func TestNewIndexRefusesMistakesOfTheProgram(t *testing.T) {
	many := make([]string, jsonrpc.MaxParamNames+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	cases := []struct {
		rule         string
		params, meta []string
	}{
		{"too many params names", many, nil},
		{"too many _meta names", nil, many[:jsonrpc.MaxMetaNames+1]},
		{"a name twice", []string{"a", "b", "a"}, nil},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			jsonrpc.NewIndex(c.params, c.meta)
		})
	}
}

func TestResponseHasNoParams(t *testing.T) {
	var m jsonrpc.Message
	in := []byte(`{"jsonrpc":"2.0","id":1,"result":{},"params":{"name":1,"_meta":{"progressToken":1}}}`)
	if fault := m.Decode(in, callIndex(), jsonrpc.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	if m.Params != nil || m.Param(0) != nil || m.Meta(0) != nil || m.HasMeta() {
		t.Errorf("a response shows params: %s %s %s", m.Params, m.Param(0), m.Meta(0))
	}
}

func TestRawValuesHaveNoRoomBehind(t *testing.T) {
	in := []byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":1,"x":2}}`)
	before := string(in)
	var m jsonrpc.Message
	if fault := m.Decode(in, callIndex(), jsonrpc.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	for _, raw := range [][]byte{m.Param(0), m.Params, m.Method} {
		_ = append(raw, "overwritten"...)
	}
	if string(in) != before {
		t.Errorf("appending to a raw value changed the message: %s", in)
	}
}

func TestNilIndexKeepsNoMember(t *testing.T) {
	var m jsonrpc.Message
	in := []byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":1,"_meta":{"progressToken":1}}}`)
	if fault := m.Decode(in, nil, jsonrpc.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	if m.Param(0) != nil || m.Meta(0) != nil || !m.HasMeta() {
		t.Errorf("got %s, %s and HasMeta %v", m.Param(0), m.Meta(0), m.HasMeta())
	}
}
