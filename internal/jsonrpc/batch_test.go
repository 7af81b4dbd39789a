package jsonrpc_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

func TestIsBatch(t *testing.T) {
	for in, want := range map[string]bool{
		`[`: true, " \t\r\n[]": true, `[{}]`: true,
		``: false, ` `: false, `{}`: false, `"["`: false, "\ufeff[": false, "\v[": false,
	} {
		if got := jsonrpc.IsBatch([]byte(in)); got != want {
			t.Errorf("IsBatch(%q) = %v", in, got)
		}
	}
}

var batchCases = []struct {
	rule string
	in   string
	most int
	want []string
	code int
}{
	{"one element", `[{"a":1}]`, 64, []string{`{"a":1}`}, 0},
	{"elements are raw and in order", " [ {\"a\": \"世界😀\"} ,\n[1, 2],\"x\" , null,-1.50 ] \n", 64, []string{`{"a": "世界😀"}`, `[1, 2]`, `"x"`, `null`, `-1.50`}, 0},
	{"one name in two elements", `[{"id":1},{"id":1}]`, 64, []string{`{"id":1}`, `{"id":1}`}, 0},
	{"an empty batch is one invalid request", `[]`, 64, nil, invalid},
	{"an empty batch with blanks", ` [ ] `, 64, nil, invalid},
	{"as many as allowed", `[1,2,3]`, 3, []string{`1`, `2`, `3`}, 0},
	{"one more", `[1,2,3,4]`, 3, nil, invalid},
	{"64 when no number is given", `[` + strings.Repeat("1,", 63) + `1]`, 0, strings.Split(strings.Repeat("1,", 63)+"1", ","), 0},
	{"not 65", `[` + strings.Repeat("1,", 64) + `1]`, 0, nil, invalid},
	{"a broken batch that is too large is a parse error first", `[1,2,3,4`, 3, nil, parse},
	{"one broken element breaks the batch", `[{"a":1},{"a":}]`, 64, nil, parse},
	{"duplicates are found", `[{"a":1,"a":2}]`, 64, nil, parse},
	{"a trailing comma", `[1,]`, 64, nil, parse},
	{"trailing bytes", `[1] x`, 64, nil, parse},
	{"trailing bytes behind an empty batch", `[] []`, 64, nil, parse},
	{"no batch", `{"a":1}`, 64, nil, parse},
	{"nothing", ``, 64, nil, parse},
	{"not UTF-8", "[\"\xff\"]", 64, nil, parse},
}

func TestSplit(t *testing.T) {
	for _, c := range batchCases {
		t.Run(c.rule, func(t *testing.T) {
			got, fault := jsonrpc.Split([]byte(c.in), jsonrpc.Limits{}, c.most)
			if fault != nil {
				if fault.Code != c.code || got != nil {
					t.Errorf("fault %+v, want code %d", fault, c.code)
				}
				return
			}
			if c.code != 0 || string(bytes.Join(got, []byte("|"))) != strings.Join(c.want, "|") {
				t.Errorf("got %q, want %q, code %d", got, c.want, c.code)
			}
		})
	}
}

func TestSplitRefusesEveryTruncation(t *testing.T) {
	for _, c := range batchCases {
		if text := strings.TrimSpace(c.in); c.code == 0 {
			for end := range len(text) {
				if _, fault := jsonrpc.Split([]byte(text[:end]), jsonrpc.Limits{}, c.most); fault == nil || fault.Code != parse {
					t.Errorf("%s: %q: got %+v, want a parse error", c.rule, text[:end], fault)
				}
			}
		}
	}
}

func TestSplitBounds(t *testing.T) {
	if _, fault := jsonrpc.Split([]byte(`[{"a":[1]}]`), jsonrpc.Limits{Depth: 2}, 0); fault != nil {
		t.Errorf("the array of the batch counts towards the depth of an element: %+v", fault)
	}
	if _, fault := jsonrpc.Split([]byte(`[{"a":[[]]}]`), jsonrpc.Limits{Depth: 2}, 0); fault == nil || fault.Code != parse {
		t.Errorf("a deep element: got %+v", fault)
	}
	if _, fault := jsonrpc.Split([]byte(`[1,2,3]`), jsonrpc.Limits{Bytes: 6}, 0); fault == nil || fault.Code != parse {
		t.Errorf("a long batch: got %+v", fault)
	}
}
