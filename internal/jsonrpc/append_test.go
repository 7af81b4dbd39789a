package jsonrpc_test

import (
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

func TestAppendMessages(t *testing.T) {
	number, text := jsonrpc.IDFromNumber(7), jsonrpc.IDFromText(`"世\u754c😀"`)
	cases := []struct{ rule, got, want string }{
		{"a result", string(append(jsonrpc.AppendResultPrefix(nil, number), `{}}`...)), `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"a string id is echoed as it was spelled", string(append(jsonrpc.AppendResultPrefix(nil, text), `{}}`...)), `{"jsonrpc":"2.0","id":"世\u754c😀","result":{}}`},
		{"an error without data", string(jsonrpc.AppendError(nil, number, &jsonrpc.ErrorObject{Code: -32601, Message: "no 世界 \"here\"😀"})), `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no 世界 \"here\"😀"}}`},
		{"an error with data", string(jsonrpc.AppendError(nil, text, &jsonrpc.ErrorObject{Code: 1, Data: []byte(`{"uri":"x"}`)})), `{"jsonrpc":"2.0","id":"世\u754c😀","error":{"code":1,"message":"","data":{"uri":"x"}}}`},
		{"an error without a readable id omits it", string(jsonrpc.AppendError(nil, jsonrpc.ID{}, &jsonrpc.ErrorObject{Code: -32700, Message: "x"})), `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}`},
		{"a notification", string(jsonrpc.AppendNotification(nil, "notifications/progress", []byte(`{"progress":1}`))), `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`},
		{"a notification whose params are appended", string(append(jsonrpc.OpenNotification([]byte("世"), "a"), `{"x":1}}`...)), `世{"jsonrpc":"2.0","method":"a","params":{"x":1}}`},
		{"a notification without params", string(jsonrpc.AppendNotification(nil, "a", nil)), `{"jsonrpc":"2.0","method":"a"}`},
		{"a request", string(jsonrpc.AppendRequest(nil, number, "roots/list", []byte(`{}`))), `{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{}}`},
		{"a request without params", string(jsonrpc.AppendRequest(nil, number, "ping", nil)), `{"jsonrpc":"2.0","id":7,"method":"ping"}`},
		{"what is there stays", string(jsonrpc.AppendRequest([]byte("x"), number, "ping", nil)), `x{"jsonrpc":"2.0","id":7,"method":"ping"}`},
		{"line breaks between tokens are dropped", string(jsonrpc.AppendNotification(nil, "a", []byte("{\r\n  \"x\": 1\n}\n"))), `{"jsonrpc":"2.0","method":"a","params":{  "x": 1}}`},
		{"line breaks in data are dropped", string(jsonrpc.AppendError(nil, number, &jsonrpc.ErrorObject{Data: []byte("[1,\n2]")})), `{"jsonrpc":"2.0","id":7,"error":{"code":0,"message":"","data":[1,2]}}`},
		{"raw JSON on one line is untouched", string(jsonrpc.AppendRaw(nil, []byte(`"<世界>\n"`))), `"<世界>\n"`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("\n got %s\nwant %s", c.got, c.want)
			}
		})
	}
}

func TestAppendedMessagesDecode(t *testing.T) {
	var m jsonrpc.Message
	id := jsonrpc.IDFromText(`"q"`)
	if fault := m.Decode(jsonrpc.AppendRequest(nil, id, "世界", []byte(`{"a":1}`)), nil, jsonrpc.Limits{}); fault != nil || m.ID != id || string(m.Method) != "世界" {
		t.Errorf("request: %+v, fault %+v", m, fault)
	}
	in := jsonrpc.ErrorObject{Code: -5, Message: "a\n\x01😀", Data: []byte(`[1]`)}
	if fault := m.Decode(jsonrpc.AppendError(nil, id, &in), nil, jsonrpc.Limits{}); fault != nil || m.Error.Code != in.Code || m.Error.Message != in.Message || string(m.Error.Data) != `[1]` {
		t.Errorf("error: %+v, fault %+v", m.Error, fault)
	}
}
