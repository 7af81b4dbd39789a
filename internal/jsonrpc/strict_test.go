package jsonrpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// Each value stands as a member of params; some are also wanted, some in _meta.
var valueCases = []struct {
	rule string
	in   string
	ok   bool
}{
	{"words", `[true,false,null]`, true},
	{"a word cut short", `tru`, false},
	{"a word that goes on", `nullx`, false},
	{"words in capitals", `True`, false},
	{"NaN", `NaN`, false},
	{"Infinity", `-Infinity`, false},
	{"numbers", `[0,-0,10,1.5,-1.25e10,1E+2,1e-2,0.0]`, true},
	{"a number of any size", strings.Repeat("9", 5000), true},
	{"a leading zero", `01`, false},
	{"a leading plus", `+1`, false},
	{"a leading point", `.5`, false},
	{"a trailing point", `1.`, false},
	{"an empty exponent", `1e`, false},
	{"an empty signed exponent", `1e+`, false},
	{"a lone minus", `-`, false},
	{"a minus before a letter", `-a`, false},
	{"a hexadecimal number", `0x10`, false},
	{"single quotes", `'a'`, false},
	{"an unquoted name", `{a:1}`, false},
	{"a number as a name", `{1:1}`, false},
	{"a trailing comma in an object", `{"a":1,}`, false},
	{"a trailing comma in an array", `[1,]`, false},
	{"a leading comma", `[,1]`, false},
	{"two commas", `[1,,2]`, false},
	{"no comma", `[1 2]`, false},
	{"no comma between members", `{"a":1 "b":2}`, false},
	{"no colon", `{"a" 1}`, false},
	{"a comma for a colon", `{"a",1}`, false},
	{"a member without a value", `{"a":}`, false},
	{"a comment", `1/**/`, false},
	{"the wrong closing bracket", `[1}`, false},
	{"the wrong closing brace", `{"a":1]`, false},
	{"all blanks", "[ 1\t,\n2\r, { \"a\" :\t1 } ]", true},
	{"a vertical tab is no blank", "[\v1]", false},
	{"a no-break space is no blank", "[\u00a01]", false},
	{"a byte order mark inside", "\ufeff1", false},

	{"escapes", `"\"\\\/\b\f\n\r\t\u0041\u00e9\u4e16\uFFFF\u0000"`, true},
	{"a pair of surrogates", `"\ud83d\ude00"`, true},
	{"a pair in capitals", `"\uD83D\uDE00"`, true},
	{"a lone high surrogate", `"x\ud83dy"`, false},
	{"a lone high surrogate at the end", `"\ud83d"`, false},
	{"a lone low surrogate", `"\ude00"`, false},
	{"two high surrogates", `"\ud83d\ud83d"`, false},
	{"a high surrogate before another escape", `"\ud83d\n"`, false},
	{"a high surrogate before a plain unit", `"\ud83d\u0041"`, false},
	{"a high surrogate before raw text", `"\ud83d世"`, false},
	{"an escaped backslash before u", `"\\ud83d"`, true},
	{"three hexadecimal digits", `"\u004"`, false},
	{"no hexadecimal digit", `"\u00g0"`, false},
	{"an unknown escape", `"\x41"`, false},
	{"an escaped line feed", "\"\\\n\"", false},
	{"raw line feed in a string", "\"a\nb\"", false},
	{"raw tab in a string", "\"a\tb\"", false},
	{"raw NUL in a string", "\"a\x00b\"", false},
	{"raw DEL in a string", "\"a\x7fb\"", true},
	{"adjacent multi-byte text", `"世界"`, true},
	{"astral text", `"😀😀"`, true},
	{"noncharacters and line separators", "\"\uffff\u2028\u2029\ufeff\"", true},
	{"a lone continuation byte", "\"a\x80b\"", false},
	{"a truncated encoding", "\"\xe4\xb8\"", false},
	{"an encoding cut by an escape", "\"\xe4\xb8\\n\x96\"", false},
	{"an overlong encoding", "\"\xc0\xaf\"", false},
	{"an encoded surrogate", "\"\xed\xa0\xbd\xed\xb8\x80\"", false},
	{"beyond U+10FFFF", "\"\xf4\x90\x80\x80\"", false},
	{"0xFF", "\"\xff\"", false},
	{"not UTF-8 in a name", "{\"\xff\":1}", false},

	{"the same name twice", `{"a":1,"a":1}`, false},
	{"the same name twice, spelled differently", `{"a":1,"\u0061":1}`, false},
	{"the same escaped name twice", `{"\n":1,"\u000a":1}`, false},
	{"the same astral name twice", `{"😀":1,"\ud83d\ude00":1}`, false},
	{"the same name twice with one between", `{"a":1,"b":1,"a":1}`, false},
	{"the empty name twice", `{"":1,"":2}`, false},
	{"the same name twice, deep", `[[{"x":[{"y":{"a":1,"a":2}}]}]]`, false},
	{"one name at two depths", `{"a":{"a":{"a":1}}}`, true},
	{"one name in two elements", `[{"a":1},{"a":1}]`, true},
	{"one name before and behind an object", `{"a":{"b":1},"b":{"a":1}}`, true},
	{"names in two cases", `{"a":1,"A":2}`, true},
	{"a name and its escape's spelling", `{"\\u0061":1,"a":2}`, true},
}

func TestDecodeIsStrictEverywhere(t *testing.T) {
	places := []struct{ name, format string }{
		{"unknown member of the envelope", `{"jsonrpc":"2.0","id":1,"zz":%s,"method":"a"}`},
		{"unknown member of params", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"zz":%s}}`},
		{"wanted member of params", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":%s}}`},
		{"_meta itself", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":%s}}`},
		{"unknown member of _meta", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"zz":%s}}}`},
		{"wanted member of _meta", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"progressToken":%s}}}`},
		{"result", `{"jsonrpc":"2.0","id":1,"result":%s}`},
		{"error", `{"jsonrpc":"2.0","id":1,"error":%s}`},
		{"data of an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"data":%s}}`},
	}
	ix := callIndex()
	var m jsonrpc.Message
	for _, c := range valueCases {
		t.Run(c.rule, func(t *testing.T) {
			for _, place := range places {
				in := fmt.Sprintf(place.format, c.in)
				fault := m.Decode([]byte(in), ix, jsonrpc.Limits{})
				if (fault == nil) != c.ok {
					t.Errorf("%s: %q: fault %+v, want ok %v", place.name, in, fault, c.ok)
				}
				if fault != nil && (fault.Code != parse || !fault.ID.IsZero()) {
					t.Errorf("%s: fault %+v, want a parse error without an id", place.name, fault)
				}
				agree(t, []byte(in), ix, 64)
			}
		})
	}
}

func TestDecodeRefusesDuplicatesInTheEnvelope(t *testing.T) {
	for _, name := range []string{"jsonrpc", "id", "method", "params", "result", "unknown"} {
		in := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"a","params":{},"result":1,"unknown":1,%q:1}`, name)
		var m jsonrpc.Message
		fault := m.Decode([]byte(in), nil, jsonrpc.Limits{})
		if fault == nil || fault.Code != parse || !strings.Contains(fault.Text, name) {
			t.Errorf("%s twice: got %+v, want a parse error that names it", name, fault)
		}
	}
}

// Around the size where the search for duplicates changes its way, and far beyond.
func TestDecodeFindsDuplicatesInObjectsOfAnySize(t *testing.T) {
	ix := callIndex()
	for _, size := range []int{1, 2, 3, 30, 31, 32, 33, 34, 64, 65, 200, 5000} {
		names := make([]string, size)
		for i := range names {
			names[i] = fmt.Sprintf(`"n%03d":[{"a":%d,"b":0}]`, i, i)
		}
		object := func() string {
			return `{"jsonrpc":"2.0","method":"a","params":{"outer":{` + strings.Join(names, ",") + `},"last":{"n000":1}}}`
		}
		var m jsonrpc.Message
		if fault := m.Decode([]byte(object()), ix, jsonrpc.Limits{}); fault != nil {
			t.Errorf("%d distinct names: %+v", size, fault)
		}
		for _, repeated := range []int{0, size / 2, size - 1} {
			names = append(names, fmt.Sprintf(`"\u006e%03d":1`, repeated))
			fault := m.Decode([]byte(object()), ix, jsonrpc.Limits{})
			if fault == nil || !strings.Contains(fault.Text, fmt.Sprintf("n%03d", repeated)) {
				t.Errorf("%d names and number %d again: got %+v", size, repeated, fault)
			}
			names = names[:size]
		}
	}
}

func TestFaultTextStaysShort(t *testing.T) {
	name := strings.Repeat("世", 1<<16)
	var m jsonrpc.Message
	fault := m.Decode([]byte(`{"`+name+`":1,"`+name+`":2}`), nil, jsonrpc.Limits{})
	if fault == nil || len(fault.Text) > 300 {
		t.Errorf("got %+v, want a text of at most 300 bytes", fault)
	}
}

func TestByteOrderMarkIsNamed(t *testing.T) {
	var m jsonrpc.Message
	fault := m.Decode([]byte("\ufeff{}"), nil, jsonrpc.Limits{})
	if fault == nil || fault.Code != parse || !strings.Contains(fault.Text, "byte order mark") {
		t.Errorf("got %+v, want a parse error that names the byte order mark", fault)
	}
}

// Strings are scanned in words and blocks: whatever is special must be seen at every offset.
func TestStringsAreCheckedAtEveryOffset(t *testing.T) {
	specials := []string{`\n`, `\\`, `\"`, `"`, "\n", "\x1f", "\x00", " ", "!", "#", "[", "]", "\x7f", "世界", "😀", "é", "\x80", "\xff", "\xa2", "\xdc", "\xe4\xb8", `\ud83d\ude00`, `\ud83d`, `\u004`}
	for _, fill := range []string{"a", "世"} {
		for before := range 80 {
			for _, special := range specials {
				text := strings.Repeat(fill, before) + special + strings.Repeat("b", before%17)
				in := []byte(`{"jsonrpc":"2.0","method":"a","params":{"name":"` + text + `"}}`)
				agree(t, in, callIndex(), 64)
			}
		}
	}
}
