package protocol_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestParamHeaderIsCanonical(t *testing.T) {
	for name, want := range map[string]string{
		"Region": "Mcp-Param-Region", "region": "Mcp-Param-Region", "TENANT-id": "Mcp-Param-Tenant-Id", "x_y": "Mcp-Param-X_y", "": "Mcp-Param-",
	} {
		if got := protocol.ParamHeader(name); got != want {
			t.Errorf("ParamHeader(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestMirroredArguments(t *testing.T) {
	text := protocol.MirroredParam{Header: "Mcp-Param-X", Path: []string{"x"}}
	nested := protocol.MirroredParam{Header: "Mcp-Param-X", Path: []string{"a", "世界"}}
	number := protocol.MirroredParam{Header: "Mcp-Param-X", Path: []string{"x"}, Type: protocol.IntegerParamType}
	truth := protocol.MirroredParam{Header: "Mcp-Param-X", Path: []string{"x"}, Type: protocol.BooleanParamType}
	const absent = "\x00"
	cases := []struct {
		rule      string
		param     protocol.MirroredParam
		arguments string
		header    string
		refused   bool
	}{
		{"equal text", text, `{"x":"us-west1"}`, "us-west1", false},
		{"other text", text, `{"x":"us-west1"}`, "us-west2", true},
		{"encoded text", text, `{"x":"Hello, 世界"}`, "=?base64?SGVsbG8sIOS4lueVjA==?=", false},
		{"escaped text in the body", text, `{"x":"\u4e16\ud83d\ude00"}`, "=?base64?5LiW8J+YgA==?=", false},
		{"raw non-ASCII is refused even when equal", text, `{"x":"世界"}`, "世界", true},
		{"text without the header", text, `{"x":"a"}`, absent, true},
		{"empty text and an empty header", text, `{"x":""}`, "", false},
		{"no argument, no header", text, `{}`, absent, false},
		{"null, no header", text, `{"x":null}`, absent, false},
		{"no argument, but a header", text, `{}`, "a", true},
		{"null, but a header", text, `{"x":null}`, "null", true},
		{"a wrong type is left to validation", text, `{"x":5}`, "5", false},
		{"a wrong type without a header too", text, `{"x":5}`, absent, false},
		{"a nested argument", nested, `{"a":{"世界":"v"}}`, "v", false},
		{"a nested argument that differs", nested, `{"a":{"世界":"v"}}`, "w", true},
		{"nothing at the path", nested, `{"a":7}`, absent, false},
		{"a header for nothing at the path", nested, `{"世界":"v"}`, "v", true},
		{"equal integers", number, `{"x":42}`, "42", false},
		{"42.0 is 42 in the header", number, `{"x":42}`, "42.0", false},
		{"4.2e1 is 42 in the body", number, `{"x":4.2e1}`, "42", false},
		{"-0 is 0", number, `{"x":-0}`, "0", false},
		{"negative integers", number, `{"x":-7}`, "-7", false},
		{"the sign counts", number, `{"x":7}`, "-7", true},
		{"an encoded integer", number, `{"x":42}`, "=?base64?NDI=?=", false},
		{"text for an integer", number, `{"x":42}`, "forty-two", true},
		{"a plus sign is no number", number, `{"x":42}`, "+42", true},
		{"a leading zero is no number", number, `{"x":42}`, "042", true},
		{"hex is no number", number, `{"x":42}`, "0x2a", true},
		{"the largest safe integer", number, `{"x":9007199254740991}`, "9007199254740991", false},
		{"a value beside it is not rounded to it", number, `{"x":9007199254740991}`, "9007199254740991.0000000000000001", true},
		{"an unsafe integer is refused even when equal", number, `{"x":9007199254740992}`, "9007199254740992", true},
		{"an unsafe integer without a header", number, `{"x":-9007199254740992}`, absent, true},
		{"a huge exponent is refused without work", number, `{"x":1e999999999999}`, absent, true},
		{"a tiny number is no integer", number, `{"x":1e-999999999999}`, absent, false},
		{"zero with any exponent is zero", number, `{"x":0e999999999999}`, "0", false},
		{"a fraction is left to validation", number, `{"x":2.5}`, absent, false},
		{"text for the body is left to validation", number, `{"x":"42"}`, absent, false},
		{"true", truth, `{"x":true}`, "true", false},
		{"true is lower case", truth, `{"x":true}`, "True", true},
		{"false is not true", truth, `{"x":false}`, "true", true},
		{"no truth value is left to validation", truth, `{"x":1}`, absent, false},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			h := headers("Mcp-Param-Other", "ignored")
			if c.header != absent {
				h["Mcp-Param-X"] = []string{c.header}
			}
			fault := h.CheckParams([]protocol.MirroredParam{c.param}, []byte(c.arguments))
			if refused := fault != nil; refused != c.refused {
				t.Fatalf("refused is %v: %v", refused, fault)
			}
			if fault != nil && (fault.Code != -32020 || !strings.Contains(fault.Message, "Mcp-Param-X")) {
				t.Errorf("fault is %+v", fault)
			}
		})
	}
}

func FuzzHeaderName(f *testing.F) {
	f.Add("get_weather", "get_weather")
	f.Add("Hello, 世界😀", "=?base64?SGVsbG8sIOS4lueVjA==?=")
	f.Add("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")
	f.Fuzz(func(t *testing.T, name, value string) {
		if !utf8.ValidString(name) {
			return // no message holds such a name
		}
		quoted := string(jsonrpc.AppendString(nil, name))
		m := decode(t, request("tools/call", `{"_meta":{`+goodMeta+`},"name":`+quoted+`}`))
		method := protocol.MethodNamed(m.Method)
		h := headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", protocol.EncodeHeader(name))
		var meta protocol.Meta
		if fault := protocol.AdmitHTTP(m, method, h, &meta); fault != nil {
			t.Fatalf("the encoding of %q is refused: %v", name, fault)
		}
		h["Mcp-Name"] = []string{value}
		if fault := protocol.AdmitHTTP(m, method, h, &meta); fault == nil && value != name && !strings.HasPrefix(value, "=?base64?") {
			t.Fatalf("%q passes for %q", value, name)
		}
	})
}

func FuzzIntegerHeader(f *testing.F) {
	for _, pair := range [][2]string{{"42", "42.0"}, {"1e3", "1000"}, {"9007199254740992", "1"}, {"-0.0", "0"}, {"123.4500e2", "12345"}} {
		f.Add(pair[0], pair[1])
	}
	number := []protocol.MirroredParam{{Header: "Mcp-Param-X", Path: []string{"x"}, Type: protocol.IntegerParamType}}
	safe := big.NewRat(1<<53-1, 1)
	f.Fuzz(func(t *testing.T, body, header string) {
		arguments := `{"x":` + body + `}`
		got := headers("Mcp-Param-X", header).CheckParams(number, []byte(arguments)) == nil
		// The slow twin compares rationals; long texts would let its exponents grow.
		if len(body) > 12 || len(header) > 12 || strings.ContainsAny(body+header, "eE") && len(body+header) > 8 ||
			!json.Valid([]byte(arguments)) || !json.Valid([]byte(header)) || strings.ContainsAny(body+header, " \t\r\n\"{}[],:") {
			return
		}
		value, ok := new(big.Rat).SetString(body)
		if !ok || !value.IsInt() {
			return
		}
		other, ok := new(big.Rat).SetString(header)
		want := ok && value.Cmp(other) == 0 && new(big.Rat).Abs(value).Cmp(safe) <= 0
		if got != want {
			t.Fatalf("%s against %s: %v, want %v", body, header, got, want)
		}
	})
}
