package jsonrpc_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// The slow twin reads token by token with the JSON library and keeps maps.

// twinValid reports whether data is exactly one strict JSON text, and how deep it is.
func twinValid(data []byte) (depth int, valid bool) {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for values := 0; ; {
		_, err := d.ReadToken()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return depth, values == 1
		}
		if err != nil {
			return 0, false
		}
		depth = max(depth, d.StackDepth())
		if d.StackDepth() == 0 {
			values++
		}
	}
}

// twinMembers returns the raw values of the members of an object; nil when raw is none.
func twinMembers(raw []byte) map[string][]byte {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	members := map[string][]byte{}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := d.ReadToken(); err != nil {
		panic(err)
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			panic(err)
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			panic(err)
		}
		members[key] = bytes.Clone(value)
	}
	return members
}

func twinString(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}

func twinReadableID(raw []byte) bool {
	return raw != nil && (raw[0] == '"' || bytes.ContainsAny(raw[:1], "-0123456789") && !bytes.ContainsAny(raw, ".eE"))
}

// twinMessage is what the twin makes of data.
type twinMessage struct {
	decoded
	members, params, meta map[string][]byte
}

func twinDecode(data []byte, depth int) twinMessage {
	text := bytes.Trim(data, " \t\r\n")
	if len(text) == 0 {
		return twinMessage{decoded: decoded{code: invalid}}
	}
	deep, valid := twinValid(data)
	if !valid || deep > depth {
		return twinMessage{decoded: decoded{code: parse}}
	}
	members := twinMembers(text)
	if members == nil {
		return twinMessage{decoded: decoded{code: invalid}}
	}
	_, hasID := members["id"]
	_, hasMethod := members["method"]
	_, hasResult := members["result"]
	_, hasError := members["error"]
	want := decoded{code: invalid, silent: hasMethod && !hasID || !hasMethod && (hasResult || hasError)}
	if twinReadableID(members["id"]) {
		want.id = string(members["id"])
	}
	version, _ := twinString(members["jsonrpc"])
	method, isString := twinString(members["method"])
	switch {
	case version != "2.0":
	case !hasMethod && hasResult != hasError:
		return twinMessage{decoded: decoded{kind: jsonrpc.Response, id: want.id}, members: members}
	case !isString, hasID && want.id == "":
	case members["params"] != nil && members["params"][0] != '{':
	default:
		want = decoded{kind: jsonrpc.Notification, id: want.id, method: method, params: string(members["params"])}
		if hasID {
			want.kind = jsonrpc.Request
		}
		params := twinMembers(members["params"])
		return twinMessage{decoded: want, members: members, params: params, meta: twinMembers(params["_meta"])}
	}
	return twinMessage{decoded: want}
}

// agree holds Decode and the twin to the same verdict and the same values.
func agree(t *testing.T, data []byte, ix *jsonrpc.Index, depth int) {
	t.Helper()
	want := twinDecode(data, depth)
	var m jsonrpc.Message
	fault := m.Decode(data, ix, jsonrpc.Limits{Depth: depth})
	if fault != nil {
		if got := (decoded{code: fault.Code, id: fault.ID.Text(), silent: fault.Notification}); got != want.decoded {
			t.Fatalf("%q\n got %+v %s\nwant %+v", data, got, fault.Text, want.decoded)
		}
		return
	}
	got := decoded{kind: m.Kind, id: m.ID.Text(), method: string(m.Method), params: string(m.Params)}
	if got != want.decoded {
		t.Fatalf("%q\n got %+v\nwant %+v", data, got, want.decoded)
	}
	same(t, data, "result", m.Result, want.members["result"], m.Kind == jsonrpc.Response)
	same(t, data, "_meta", m.MetaRaw(), want.params["_meta"], true)
	if m.HasMeta() != (want.meta != nil) {
		t.Fatalf("%q: HasMeta %v", data, m.HasMeta())
	}
	for i, name := range paramNames {
		same(t, data, name, m.Param(i), want.params[name], true)
	}
	for i, name := range metaNames {
		same(t, data, name, m.Meta(i), want.meta[name], true)
	}
	if m.Error != nil {
		members := twinMembers(want.members["error"])
		message, _ := twinString(members["message"])
		if members != nil && (m.Error.Message != message || !bytes.Equal(m.Error.Data, members["data"])) {
			t.Fatalf("%q: error %+v", data, m.Error)
		}
	}
}

func same(t *testing.T, data []byte, what string, got, want []byte, matters bool) {
	t.Helper()
	if matters && (!bytes.Equal(got, want) || (got == nil) != (want == nil)) {
		t.Fatalf("%q: %s is %q, want %q", data, what, got, want)
	}
}
