package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

const callLine = `{"jsonrpc":"2.0","id":1234567,"method":"tools/call","params":{"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"loadgen","version":"1.0.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}},"name":"add","arguments":{"a":1234567,"b":1000003}}}`

func BenchmarkDecodeCall(b *testing.B) {
	data, ix := []byte(callLine), callIndex()
	var m jsonrpc.Message
	b.ReportAllocs()
	for b.Loop() {
		if f := m.Decode(data, ix, jsonrpc.Limits{}); f != nil {
			b.Fatal(f)
		}
	}
}

// The floor to beat: the envelope alone, by the standard library.
func BenchmarkDecodeCallEncodingJSON(b *testing.B) {
	data := []byte(callLine)
	b.ReportAllocs()
	for b.Loop() {
		var envelope struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(data, &envelope); err != nil {
			b.Fatal(err)
		}
	}
}

// The twin: the JSON library's tokens as far as members are wanted, its strict skip for the rest.
func BenchmarkDecodeCallJSONText(b *testing.B) {
	data := []byte(callLine)
	var buffer bytes.Buffer
	d := jsontext.NewDecoder(&buffer)
	b.ReportAllocs()
	for b.Loop() {
		buffer = *bytes.NewBuffer(data)
		d.Reset(&buffer)
		if err := walk(d, 0, "params", "_meta"); err != nil {
			b.Fatal(err)
		}
	}
}

// walk reads an object and goes into the members on the path.
func walk(d *jsontext.Decoder, level int, path ...string) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		if level < len(path) && string(name[1:len(name)-1]) == path[level] {
			err = walk(d, level+1, path...)
		} else {
			_, err = d.ReadValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func BenchmarkDecodeManyNames(b *testing.B) {
	var members []byte
	for i := 0; len(members) < 4<<20-100; i++ {
		members = append(members, `"`...)
		members = strconv.AppendInt(members, int64(i), 36)
		members = append(members, `":0,`...)
	}
	data := append(append([]byte(`{"jsonrpc":"2.0","method":"a","params":{`), members[:len(members)-1]...), "}}"...)
	var m jsonrpc.Message
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if f := m.Decode(data, nil, jsonrpc.Limits{}); f != nil {
			b.Fatal(f)
		}
	}
}

func BenchmarkDecodeLongString(b *testing.B) {
	texts := map[string]string{
		"ascii":   strings.Repeat("The quick brown fox. ", 3121),
		"cjk":     strings.Repeat("世界", 10923),
		"escapes": strings.Repeat(`line of some text here\n`, 2730),
	}
	for _, name := range []string{"ascii", "cjk", "escapes"} {
		b.Run(name, func(b *testing.B) {
			data := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + texts[name] + `"}}}`)
			ix := callIndex()
			var m jsonrpc.Message
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if f := m.Decode(data, ix, jsonrpc.Limits{}); f != nil {
					b.Fatal(f)
				}
			}
		})
	}
}

func BenchmarkDecodeLongStringJSONText(b *testing.B) {
	data := jsontext.Value(`"` + strings.Repeat("The quick brown fox. ", 3121) + `"`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if !data.IsValid() {
			b.Fatal("not valid")
		}
	}
}

// appends write one message of each kind.
func appends() map[string]func(dst []byte) []byte {
	id := jsonrpc.IDFromNumber(1234567)
	refusal := &jsonrpc.ErrorObject{Code: -32602, Message: "unknown tool: substract; did you mean subtract? 世界"}
	params := []byte(`{"progressToken":"世界","progress":1}`)
	return map[string]func(dst []byte) []byte{
		"result":       func(dst []byte) []byte { return append(jsonrpc.AppendResultPrefix(dst, id), '}') },
		"error":        func(dst []byte) []byte { return jsonrpc.AppendError(dst, id, refusal) },
		"notification": func(dst []byte) []byte { return jsonrpc.AppendNotification(dst, "notifications/progress", params) },
		"request":      func(dst []byte) []byte { return jsonrpc.AppendRequest(dst, id, "roots/list", params) },
		"string":       func(dst []byte) []byte { return jsonrpc.AppendString(dst, refusal.Message) },
	}
}

func BenchmarkAppend(b *testing.B) {
	all := appends()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		b.Run(kind, func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = all[kind](dst[:0])
			}
		})
	}
}
