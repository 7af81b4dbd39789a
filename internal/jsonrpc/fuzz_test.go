package jsonrpc_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

const fuzzDepth = 6 // small, so that short inputs reach it

func FuzzDecode(f *testing.F) {
	f.Add([]byte(callLine))
	for _, c := range envelopeCases {
		f.Add([]byte(c.in))
	}
	for _, c := range valueCases {
		f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"x":1},"arguments":` + c.in + `}}`))
	}
	ix := callIndex()
	f.Fuzz(func(t *testing.T, data []byte) {
		agree(t, data, ix, fuzzDepth)
	})
}

func FuzzSplit(f *testing.F) {
	for _, c := range batchCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		elements, fault := jsonrpc.Split(data, jsonrpc.Limits{Depth: fuzzDepth}, 8)
		depth, valid := twinValid(data)
		valid = valid && jsonrpc.IsBatch(data) && depth <= fuzzDepth+1
		if (fault == nil || fault.Code == invalid) != valid {
			t.Fatalf("%q: fault %+v, twin says %v", data, fault, valid)
		}
		if fault != nil {
			return
		}
		rebuilt := append(append([]byte("["), bytes.Join(elements, []byte(","))...), ']')
		want := jsontext.Value(bytes.Clone(data))
		got := jsontext.Value(rebuilt)
		if got.Compact() != nil || want.Compact() != nil || !bytes.Equal(got, want) {
			t.Fatalf("%q: elements %q", data, elements)
		}
	})
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\x00", "世界😀", "\xff\xe4\xb8\n", "0123456701234567\"", "012345670123456701234567012345670123456701234567世\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted := jsonrpc.AppendString(nil, s)
		if want, _ := jsontext.AppendQuote(nil, s); !bytes.Equal(quoted, want) {
			t.Fatalf("%q is written as %s, the twin writes %s", s, quoted, want)
		}
		text, ok := jsonrpc.Unquote(quoted)
		if want, err := jsontext.AppendUnquote(nil, quoted); err != nil || !ok || !bytes.Equal(text, want) {
			t.Fatalf("%s is read as %q, %v, the twin reads %q, %v", quoted, text, ok, want, err)
		}
		_, ok = jsonrpc.Unquote([]byte(s))
		if want := len(s) > 0 && s[0] == '"' && s[len(s)-1] == '"' && jsontext.Value(s).IsValid(); ok != want {
			t.Fatalf("%q: a JSON string: %v, the twin says %v", s, ok, want)
		}
		depth, valid := twinValid([]byte(s))
		wantID := valid && depth == 0 && bytes.Equal(bytes.TrimSpace([]byte(s)), []byte(s)) && twinReadableID([]byte(s))
		if got := jsonrpc.IsIntegerOrString([]byte(s)); got != wantID {
			t.Fatalf("%q: an id: %v, the twin says %v", s, got, wantID)
		}
	})
}

// A generator reaches more shapes in a second than mutation does: it writes texts that are nearly
// always JSON, with names that often repeat, and breaks some of them.
type generator struct{ *rand.Rand }

func (g generator) pick(options ...string) string { return options[g.IntN(len(options))] }

func (g generator) name() string {
	return g.pick(`"a"`, `"\u0061"`, `"b"`, `"世界"`, `"\u4e16界"`, `"😀"`, `"\ud83d\ude00"`, `""`, `"name"`, `"arguments"`, `"_meta"`, `"progressToken"`,
		`"id"`, `"method"`, `"io.modelcontextprotocol/clientInfo"`, `"`+strconv.Itoa(g.IntN(400))+`"`)
}

func (g generator) value(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		return g.object(depth-1, g.IntN(4), "")
	}
	if depth > 0 && g.IntN(4) == 0 {
		return "[" + g.value(depth-1) + g.pick("", ","+g.value(depth-1)) + "]"
	}
	return g.pick(`1`, `-20`, `1.5e3`, `"x"`, `"世界"`, `"\ud83d\ude00"`, `"2.0"`, `null`, `true`, `{}`, `[]`, `""`)
}

func (g generator) object(depth, size int, members string) string {
	for range size {
		if members != "" {
			members += g.pick(",", ",", " , ")
		}
		members += g.name() + g.pick(":", " :\t") + g.value(depth)
	}
	return "{" + members + "}"
}

func (g generator) message() []byte {
	params := g.object(3, g.IntN(5), `"_meta":`+g.pick(g.value(2), g.object(2, g.IntN(4), "")))
	if g.IntN(20) == 0 {
		params = g.object(1, 20+g.IntN(60), "")
	}
	text := []byte(g.object(2, g.IntN(3), g.pick(`"jsonrpc":"2.0"`, `"jsonrpc":"2.0"`, `"jsonrpc":"1"`)+
		g.pick(`,"id":`+g.value(1), `,"id":1`, ``)+
		g.pick(`,"method":"tools/call"`, `,"method":`+g.value(1), ``)+
		g.pick(`,"params":`+params, `,"params":`+g.value(1), ``)+
		g.pick(``, ``, `,"result":`+g.value(2))+
		g.pick(``, ``, `,"error":`+g.value(2))))
	if g.IntN(4) == 0 {
		text[g.IntN(len(text))] = byte(g.IntN(256))
	}
	return text
}

func TestDecodeAgreesWithTheTwinOnGeneratedMessages(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	ix := callIndex()
	for range 20_000 {
		agree(t, g.message(), ix, fuzzDepth)
	}
}
