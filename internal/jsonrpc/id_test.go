package jsonrpc_test

import (
	"math"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

func TestIsIntegerOrString(t *testing.T) {
	cases := []struct {
		in string
		ok bool
	}{
		{`0`, true},
		{`-0`, true},
		{`7`, true},
		{`-12`, true},
		{`123456789012345678901234567890`, true},
		{`""`, true},
		{`"世界😀\n\ud83d\ude00"`, true},
		{``, false},
		{`-`, false},
		{`01`, false},
		{`+1`, false},
		{`1.0`, false},
		{`1e3`, false},
		{`1E3`, false},
		{` 1`, false},
		{`1 `, false},
		{`1x`, false},
		{`--1`, false},
		{`null`, false},
		{`true`, false},
		{`{}`, false},
		{`[]`, false},
		{`"a`, false},
		{`"a"b`, false},
		{`"`, false},
		{"\"\n\"", false},
		{"\"\xff\"", false},
		{`"\ud83d"`, false},
	}
	for _, c := range cases {
		if got := jsonrpc.IsIntegerOrString([]byte(c.in)); got != c.ok {
			t.Errorf("IsIntegerOrString(%q) = %v", c.in, got)
		}
		id := jsonrpc.IDFromText(c.in)
		if id.IsZero() == c.ok || c.ok && id.Text() != c.in {
			t.Errorf("IDFromText(%q) = %q", c.in, id.Text())
		}
	}
}

func TestIDsCompareByTypeAndText(t *testing.T) {
	if jsonrpc.IDFromText(`7`) == jsonrpc.IDFromText(`"7"`) {
		t.Error("a number equals a string")
	}
	if jsonrpc.IDFromText(`7`) != jsonrpc.IDFromNumber(7) {
		t.Error("one number, two ids")
	}
	if got := jsonrpc.IDFromNumber(math.MinInt64).Text(); got != "-9223372036854775808" {
		t.Errorf("the smallest number is %s", got)
	}
	if !(jsonrpc.ID{}).IsZero() || jsonrpc.IDFromNumber(0).IsZero() {
		t.Error("the zero ID is no id, and the number zero is one")
	}
}

func TestUnquote(t *testing.T) {
	cases := []struct {
		in, want string
		ok       bool
	}{
		{`""`, "", true},
		{`"add"`, "add", true},
		{`"世界😀"`, "世界😀", true},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", true},
		{`"\u0041\u00e9\u4e16\ud83d\ude00\uD83D\uDE00\uFFFD"`, "Aé世😀😀\ufffd", true},
		{`"\u4e16界\u4e16界"`, "世界世界", true},
		{`"\\ud83d"`, `\ud83d`, true},
		{`"\u0022"`, `"`, true},
		{`"\u0000"`, "\x00", true},
		{`"\udbff\udfff"`, "\U0010ffff", true},
		{``, "", false},
		{`a`, "", false},
		{`1`, "", false},
		{`"`, "", false},
		{`"a`, "", false},
		{`"a" `, "", false},
		{`"\ud83d"`, "", false},
	}
	for _, c := range cases {
		got, ok := jsonrpc.Unquote([]byte(c.in))
		if string(got) != c.want || ok != c.ok {
			t.Errorf("Unquote(%s) = %q, %v", c.in, got, ok)
		}
	}
	for _, c := range cases {
		if !c.ok {
			continue
		}
		for end := range c.in {
			if text, ok := jsonrpc.Unquote([]byte(c.in[:end])); ok {
				t.Errorf("Unquote(%s) = %q", c.in[:end], text)
			}
		}
	}
}
