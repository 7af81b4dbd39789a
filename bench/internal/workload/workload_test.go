package workload_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

func TestBothMemberOrdersAndAnySpacingAreRead(t *testing.T) {
	for in, want := range map[string]workload.Message{
		`{"jsonrpc":"2.0","id":12,"result":{}}`:                                                         {IsAnswer: true, ID: 12},
		`{"result":{"a":{"id":3}},"jsonrpc":"2.0","id":45}`:                                             {IsAnswer: true, ID: 45},
		`{ "id": 7, "jsonrpc": "2.0", "result": {} }`:                                                   {IsAnswer: true, ID: 7},
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}`: {Progress: true, ID: 9},
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`:                                 {},
	} {
		got, err := workload.Classify([]byte(in))
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v; want %+v", in, got, err, want)
		}
	}
	for _, in := range []string{``, `{"jsonrpc":"2.0"`, `{"jsonrpc":"2.0","result":{}}`} {
		if got, err := workload.Classify([]byte(in)); err == nil {
			t.Errorf("%s is %+v, want an error", in, got)
		}
	}
}

func TestAnAnswerIsJudgedByItsValues(t *testing.T) {
	add := workload.Add()
	for in, right := range map[string]bool{
		`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"1000008"}]}}`:                true,
		`{"jsonrpc": "2.0", "id": 5, "result": {"content": [{"type": "text", "text": "1000008"}]}}`:       true,
		`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"1000009"}]}}`:                false,
		`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"1000008"}],"isError":true}}`: false,
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"no"}}`:                                 false,
		`{"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required"}}`:                               false,
		`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"10000080"}]}}`:               false,
	} {
		for _, full := range []bool{false, true} {
			if err := add.Verify([]byte(in), 5, full); (err == nil) != right {
				t.Errorf("full %v: %s: %v", full, in, err)
			}
		}
	}
}

func TestEveryRequestIsValidJSONInBothEras(t *testing.T) {
	for _, w := range workload.All() {
		for _, era := range []string{workload.Modern, workload.Legacy} {
			request := w.AppendRequest(nil, era, 77)
			var m struct {
				ID     int64
				Method string
				Params struct {
					Meta map[string]any `json:"_meta"`
					Name string
				}
			}
			if err := json.Unmarshal(request, &m); err != nil {
				t.Fatalf("%s, %s: %v: %s", w.Name, era, err, request[:min(len(request), 300)])
			}
			_, version := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]
			_, token := m.Params.Meta["progressToken"]
			if m.ID != 77 || m.Method != w.Method || m.Params.Name != w.Tool || version != (era == workload.Modern) || token != (w.Notes > 0) {
				t.Errorf("%s, %s: %+v", w.Name, era, m)
			}
		}
	}
}

func TestTheEchoTextHasRunesOfSeveralBytes(t *testing.T) {
	for _, w := range workload.All() {
		if w.Tool != "echo" {
			continue
		}
		if request := string(w.AppendRequest(nil, workload.Modern, 1)); !strings.Contains(request, "漢字") || !strings.Contains(request, `\"`) {
			t.Errorf("%s sends plain ASCII", w.Name)
		}
	}
}

func TestTheVersionOfTheHandshakeIsRead(t *testing.T) {
	if v, err := workload.Negotiated([]byte(`{"id":1,"result":{"protocolVersion":"2025-11-25"}}`)); err != nil || v != workload.LegacyVersion {
		t.Errorf("got %q, %v", v, err)
	}
	if v, err := workload.Negotiated([]byte(`{"id":1,"error":{"code":-32601}}`)); err == nil {
		t.Errorf("an error was read as %q", v)
	}
}
