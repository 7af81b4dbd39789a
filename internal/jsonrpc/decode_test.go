package jsonrpc_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// decoded is what a case expects of a message or of a fault; code 0 means a message.
type decoded struct {
	kind   jsonrpc.Kind
	id     string
	method string
	params string
	code   int
	silent bool // Fault.Notification
}

const (
	parse   = jsonrpc.CodeParseError
	invalid = jsonrpc.CodeInvalidRequest
)

var envelopeCases = []struct {
	rule string
	in   string
	want decoded
}{
	// Kinds.
	{"a method and an id make a request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, decoded{kind: jsonrpc.Request, id: `1`, method: "ping"}},
	{"a method without an id makes a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, decoded{kind: jsonrpc.Notification, method: "notifications/initialized"}},
	{"a result without a method makes a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, decoded{kind: jsonrpc.Response, id: `1`}},
	{"an error without a method makes a response", `{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"no"}}`, decoded{kind: jsonrpc.Response, id: `"a"`}},
	{"a null result is a result", `{"jsonrpc":"2.0","id":1,"result":null}`, decoded{kind: jsonrpc.Response, id: `1`}},
	{"a method beside a result makes a request: result is an unknown member there", `{"jsonrpc":"2.0","id":1,"method":"a","result":1}`, decoded{kind: jsonrpc.Request, id: `1`, method: "a"}},
	{"params may be an empty object", `{"jsonrpc":"2.0","id":1,"method":"a","params":{}}`, decoded{kind: jsonrpc.Request, id: `1`, method: "a", params: `{}`}},
	{"params keep their exact bytes", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\": { \"x\" :\t[1, 2.50] } }", decoded{kind: jsonrpc.Request, id: `1`, method: "a", params: "{ \"x\" :\t[1, 2.50] }"}},
	{"unknown members are ignored", `{"x":[{"y":null}],"jsonrpc":"2.0","id":1,"method":"a"}`, decoded{kind: jsonrpc.Request, id: `1`, method: "a"}},
	{"the order of members is free", `{"params":{"a":1},"method":"m","id":"x","jsonrpc":"2.0"}`, decoded{kind: jsonrpc.Request, id: `"x"`, method: "m", params: `{"a":1}`}},
	{"blanks around are allowed", " \t\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\n ", decoded{kind: jsonrpc.Notification, method: "a"}},
	{"an empty method is a string", `{"jsonrpc":"2.0","id":1,"method":""}`, decoded{kind: jsonrpc.Request, id: `1`}},
	{"names may be spelled with escapes", `{"\u006asonrpc":"2.\u0030","i\u0064":1,"metho\u0064":"a\u002fb"}`, decoded{kind: jsonrpc.Request, id: `1`, method: "a/b"}},
	{"names are case-sensitive", `{"jsonrpc":"2.0","ID":1,"method":"a"}`, decoded{kind: jsonrpc.Notification, method: "a"}},
	{"non-ASCII methods are decoded", `{"jsonrpc":"2.0","method":"世界\ud83d\ude00😀"}`, decoded{kind: jsonrpc.Notification, method: "世界😀😀"}},

	// Ids.
	{"an integer id keeps its text beyond 64 bits", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"a"}`, decoded{kind: jsonrpc.Request, id: `123456789012345678901234567890`, method: "a"}},
	{"2^53+1 is kept exactly", `{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}`, decoded{kind: jsonrpc.Request, id: `9007199254740993`, method: "a"}},
	{"a negative id is an integer", `{"jsonrpc":"2.0","id":-7,"method":"a"}`, decoded{kind: jsonrpc.Request, id: `-7`, method: "a"}},
	{"minus zero is an integer literal", `{"jsonrpc":"2.0","id":-0,"method":"a"}`, decoded{kind: jsonrpc.Request, id: `-0`, method: "a"}},
	{"an empty string is an id", `{"jsonrpc":"2.0","id":"","method":"a"}`, decoded{kind: jsonrpc.Request, id: `""`, method: "a"}},
	{"a string id keeps its escapes", `{"jsonrpc":"2.0","id":"\u4e16界\n😀","method":"a"}`, decoded{kind: jsonrpc.Request, id: `"\u4e16界\n😀"`, method: "a"}},
	{"null id is refused: MCP forbids null ids", `{"jsonrpc":"2.0","id":null,"method":"a"}`, decoded{code: invalid}},
	{"a fraction is no id, even a whole one", `{"jsonrpc":"2.0","id":1.0,"method":"a"}`, decoded{code: invalid}},
	{"an exponent is no id", `{"jsonrpc":"2.0","id":1e3,"method":"a"}`, decoded{code: invalid}},
	{"an upper-case exponent is no id", `{"jsonrpc":"2.0","id":1E3,"method":"a"}`, decoded{code: invalid}},
	{"a boolean is no id", `{"jsonrpc":"2.0","id":true,"method":"a"}`, decoded{code: invalid}},
	{"an object is no id", `{"jsonrpc":"2.0","id":{},"method":"a"}`, decoded{code: invalid}},
	{"an array is no id", `{"jsonrpc":"2.0","id":[1],"method":"a"}`, decoded{code: invalid}},

	// The order of the checks, with the readable id kept.
	{"jsonrpc is checked before the method", `{"jsonrpc":"1.0","id":42,"method":7}`, decoded{code: invalid, id: `42`}},
	{"jsonrpc must be a string", `{"jsonrpc":2.0,"id":42,"method":"a"}`, decoded{code: invalid, id: `42`}},
	{"jsonrpc must be there", `{"id":"q","method":"a"}`, decoded{code: invalid, id: `"q"`}},
	{"method must be a string", `{"jsonrpc":"2.0","id":3,"method":["a"]}`, decoded{code: invalid, id: `3`}},
	{"method null is no string", `{"jsonrpc":"2.0","id":3,"method":null}`, decoded{code: invalid, id: `3`}},
	{"the id is kept wherever it stands", `{"jsonrpc":"2.0","method":false,"params":{},"id":3}`, decoded{code: invalid, id: `3`}},
	{"a bad id beside a bad version is omitted", `{"jsonrpc":"1.0","id":null,"method":"a"}`, decoded{code: invalid}},
	{"params must not be an array", `{"jsonrpc":"2.0","id":3,"method":"a","params":[1]}`, decoded{code: invalid, id: `3`}},
	{"params must not be null", `{"jsonrpc":"2.0","id":3,"method":"a","params":null}`, decoded{code: invalid, id: `3`}},
	{"params must not be a string", `{"jsonrpc":"2.0","id":3,"method":"a","params":"x"}`, decoded{code: invalid, id: `3`}},
	{"neither method, result nor error", `{"jsonrpc":"2.0"}`, decoded{code: invalid}},
	{"neither method, result nor error, with an id", `{"jsonrpc":"2.0","id":5}`, decoded{code: invalid, id: `5`}},

	// Faults that nobody waits for.
	{"a malformed notification is marked: bad version", `{"jsonrpc":"1.0","method":"x"}`, decoded{code: invalid, silent: true}},
	{"a malformed notification is marked: bad params", `{"jsonrpc":"2.0","method":"x","params":[1]}`, decoded{code: invalid, silent: true}},
	{"a malformed notification is marked: bad method", `{"jsonrpc":"2.0","method":1}`, decoded{code: invalid, silent: true}},
	{"a null id is no notification", `{"jsonrpc":"2.0","id":null,"method":"x","params":[1]}`, decoded{code: invalid}},
	{"a malformed response is marked: bad version", `{"jsonrpc":"1.0","id":1,"result":{}}`, decoded{code: invalid, id: `1`, silent: true}},
	{"a malformed response is marked: result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, decoded{code: invalid, id: `1`, silent: true}},

	// Responses are matched or ignored: their id is not judged.
	{"a response with a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, decoded{kind: jsonrpc.Response}},
	{"a response without an id", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}`, decoded{kind: jsonrpc.Response}},
	{"a response with a fraction as id", `{"jsonrpc":"2.0","id":1.5,"result":{}}`, decoded{kind: jsonrpc.Response}},

	// No object.
	{"an array is no message", `[{"jsonrpc":"2.0","id":1,"method":"a"}]`, decoded{code: invalid}},
	{"an empty array is no message", `[]`, decoded{code: invalid}},
	{"a string is no message", `"a"`, decoded{code: invalid}},
	{"a number is no message", `12`, decoded{code: invalid}},
	{"null is no message", `null`, decoded{code: invalid}},
	{"nothing is no message", ``, decoded{code: invalid}},
	{"blanks are no message", " \r\n\t", decoded{code: invalid}},
	{"an empty object is no message", `{}`, decoded{code: invalid}},
	{"a broken array is a parse error first", `[1,`, decoded{code: parse}},
}

func TestDecodeJudgesTheEnvelope(t *testing.T) {
	var m jsonrpc.Message // reused: nothing may stay behind
	for _, c := range envelopeCases {
		t.Run(c.rule, func(t *testing.T) {
			check(t, &m, c.in, c.want)
		})
	}
}

func check(t *testing.T, m *jsonrpc.Message, in string, want decoded) {
	t.Helper()
	fault := m.Decode([]byte(in), nil, jsonrpc.Limits{})
	got := decoded{kind: m.Kind, id: m.ID.Text(), method: string(m.Method), params: string(m.Params)}
	if fault != nil {
		if m.Kind != 0 || !m.ID.IsZero() || m.Method != nil || m.Params != nil || m.Result != nil || m.Error != nil {
			t.Errorf("a fault left %+v behind", m)
		}
		got = decoded{code: fault.Code, id: fault.ID.Text(), silent: fault.Notification}
		if fault.Text == "" || fault.Text != strings.ToValidUTF8(fault.Text, "") {
			t.Errorf("text of the fault: %q", fault.Text)
		}
	}
	if got != want {
		t.Errorf("%s\n got %+v (fault %+v)\nwant %+v", in, got, fault, want)
	}
}

func TestDecodeRefusesEveryTruncation(t *testing.T) {
	var m jsonrpc.Message
	for _, c := range envelopeCases {
		text := strings.TrimSpace(c.in)
		if c.want.code == parse || len(text) == 0 || !strings.ContainsRune("{[\"", rune(text[0])) {
			continue // a prefix of a bare number or word proves nothing
		}
		for end := 1; end < len(text); end++ {
			fault := m.Decode([]byte(text[:end]), nil, jsonrpc.Limits{})
			if fault == nil || fault.Code != parse || !fault.ID.IsZero() || fault.Notification {
				t.Errorf("%s: %q: got %+v, want a parse error", c.rule, text[:end], fault)
			}
		}
	}
}

func TestDecodeRefusesTrailingBytes(t *testing.T) {
	var m jsonrpc.Message
	for _, c := range envelopeCases {
		if strings.TrimSpace(c.in) == "" || c.in == "12" {
			continue // there a number would go on
		}
		for _, tail := range []string{"{}", " {}", "x", ",", "}", "]", "\x00", "null", "0", "\n[", "\xff", "//"} {
			fault := m.Decode([]byte(c.in+tail), nil, jsonrpc.Limits{})
			if fault == nil || fault.Code != parse {
				t.Errorf("%s: with %q behind: got %+v, want a parse error", c.rule, tail, fault)
			}
		}
		for _, tail := range []string{" ", "\n", "\r\n", "\t \n"} {
			check(t, &m, c.in+tail, c.want)
		}
	}
}

func TestDecodeResponse(t *testing.T) {
	cases := []struct {
		rule, in string
		result   string
		err      *jsonrpc.ErrorObject
	}{
		{"the result is raw", `{"jsonrpc":"2.0","id":1,"result":{"a": 1}}`, `{"a": 1}`, nil},
		{"an error has code, message and data", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"世\u0041😀","data":{"x":[1]}}}`, "", &jsonrpc.ErrorObject{Code: -32602, Message: "世A😀", Data: []byte(`{"x":[1]}`)}},
		{"unknown members of an error are ignored", `{"jsonrpc":"2.0","id":1,"error":{"x":{"code":7},"code":1}}`, "", &jsonrpc.ErrorObject{Code: 1}},
		{"an error without members is empty", `{"jsonrpc":"2.0","id":1,"error":{}}`, "", &jsonrpc.ErrorObject{}},
		{"a code that is no integer is zero", `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}`, "", &jsonrpc.ErrorObject{Message: "m"}},
		{"a code that is too large is zero", `{"jsonrpc":"2.0","id":1,"error":{"code":99999999999999999999,"message":"m"}}`, "", &jsonrpc.ErrorObject{Message: "m"}},
		{"a message that is no string is empty", `{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":[1]}}`, "", &jsonrpc.ErrorObject{Code: 5}},
		{"an error that is a string is the message", `{"jsonrpc":"2.0","id":1,"error":"bo\nom"}`, "", &jsonrpc.ErrorObject{Message: "bo\nom"}},
		{"an error of another type is the data", `{"jsonrpc":"2.0","id":1,"error":[1,{"code":3}]}`, "", &jsonrpc.ErrorObject{Data: []byte(`[1,{"code":3}]`)}},
		{"error null is an error", `{"jsonrpc":"2.0","id":1,"error":null}`, "", &jsonrpc.ErrorObject{Data: []byte(`null`)}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var m jsonrpc.Message
			if fault := m.Decode([]byte(c.in), nil, jsonrpc.Limits{}); fault != nil || m.Kind != jsonrpc.Response {
				t.Fatalf("fault %+v, kind %v", fault, m.Kind)
			}
			if string(m.Result) != c.result {
				t.Errorf("result %s, want %s", m.Result, c.result)
			}
			if (m.Error == nil) != (c.err == nil) {
				t.Fatalf("error %+v, want %+v", m.Error, c.err)
			}
			if c.err != nil && (m.Error.Code != c.err.Code || m.Error.Message != c.err.Message || string(m.Error.Data) != string(c.err.Data)) {
				t.Errorf("error %+v, want %+v", m.Error, c.err)
			}
		})
	}
}

func TestDecodeBounds(t *testing.T) {
	nested := func(levels int) string {
		inner := strings.Repeat(`[`, levels-2) + strings.Repeat(`]`, levels-2)
		return `{"jsonrpc":"2.0","method":"a","params":{"x":` + inner + `}}`
	}
	objects := func(levels int) string {
		inner := strings.Repeat(`{"x":`, levels-2) + `1` + strings.Repeat(`}`, levels-2)
		return `{"jsonrpc":"2.0","method":"a","params":{"x":` + inner + `}}`
	}
	long := func(size int) string {
		text := `{"jsonrpc":"2.0","method":"a","params":{}}`
		return text + strings.Repeat(" ", size-len(text))
	}
	cases := []struct {
		rule string
		in   string
		lim  jsonrpc.Limits
		ok   bool
	}{
		{"64 arrays and objects by default", nested(64), jsonrpc.Limits{}, true},
		{"not 65", nested(65), jsonrpc.Limits{}, false},
		{"64 objects by default", objects(64), jsonrpc.Limits{}, true},
		{"not 65 objects", objects(65), jsonrpc.Limits{}, false},
		{"negative is the default", nested(65), jsonrpc.Limits{Depth: -1}, false},
		{"the envelope counts", `{"jsonrpc":"2.0","method":"a"}`, jsonrpc.Limits{Depth: 1}, true},
		{"params count", `{"jsonrpc":"2.0","method":"a","params":{}}`, jsonrpc.Limits{Depth: 1}, false},
		{"_meta counts", `{"jsonrpc":"2.0","method":"a","params":{"_meta":{}}}`, jsonrpc.Limits{Depth: 2}, false},
		{"brackets in strings do not count", `{"jsonrpc":"2.0","method":"` + strings.Repeat("[{", 100) + `"}`, jsonrpc.Limits{}, true},
		{"brackets side by side do not count", `{"jsonrpc":"2.0","method":"a","params":{"x":[` + strings.Repeat("[],{},", 100) + `1]}}`, jsonrpc.Limits{Depth: 4}, true},
		{"a larger depth is granted", nested(10_000), jsonrpc.Limits{Depth: 10_000}, true},
		{"depth is never more than 10,000", nested(10_001), jsonrpc.Limits{Depth: 1 << 40}, false},
		{"a hostile depth is refused early", strings.Repeat(`[`, 4<<20), jsonrpc.Limits{}, false},
		{"4 MiB by default", long(4 << 20), jsonrpc.Limits{}, true},
		{"not a byte more", long(4<<20 + 1), jsonrpc.Limits{}, false},
		{"a smaller size holds", long(100), jsonrpc.Limits{Bytes: 99}, false},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var m jsonrpc.Message
			fault := m.Decode([]byte(c.in), nil, c.lim)
			if (fault == nil) != c.ok {
				t.Fatalf("fault %+v, want ok %v", fault, c.ok)
			}
			if fault != nil && fault.Code != parse {
				t.Errorf("code %d, want %d", fault.Code, parse)
			}
		})
	}
}

func TestDecodeAllocatesTheIDAlone(t *testing.T) {
	ix := callIndex()
	var m jsonrpc.Message
	for _, c := range []struct {
		rule, in string
		most     float64
	}{
		{"a tool call", callLine, 1},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}`, 0},
		{"a result", `{"jsonrpc":"2.0","id":"a","result":{"action":"accept","content":{"x":[1,2,{"y":"z"}]}}}`, 1},
	} {
		data := []byte(c.in)
		got := testing.AllocsPerRun(100, func() {
			if fault := m.Decode(data, ix, jsonrpc.Limits{}); fault != nil {
				t.Fatal(fault)
			}
		})
		if got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", c.rule, got, c.most)
		}
	}
}
