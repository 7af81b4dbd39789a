package yaml_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	goyaml "go.yaml.in/yaml/v4"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/content/yaml"
)

func render(tb testing.TB, v any) string {
	tb.Helper()
	blocks, err := yaml.Text().Render(v)
	if err != nil {
		tb.Fatalf("%#v: %v", v, err)
	}
	if len(blocks) != 1 {
		tb.Fatalf("%#v: %d blocks, want 1", v, len(blocks))
	}
	return blocks[0].(content.Text).Text
}

type point struct {
	X int `json:"x"`
	Y int `json:"y"`
}

type user struct {
	Name string            `json:"name"`
	Tags []string          `json:"tags"`
	Addr map[string]string `json:"addr"`
	Note *string           `json:"note"`
	Skip string            `json:"skip,omitzero"`
}

func TestText(t *testing.T) {
	cases := []struct {
		rule string
		v    any
		want string
	}{
		{"a top-level string stays raw", "say \"hi\"\n世界 😀: # - yes", "say \"hi\"\n世界 😀: # - yes"},
		{"an empty string stays empty", "", ""},
		{"a top-level number that is a string stays raw", "12", "12"},
		{"a value whose JSON form is a string stays raw", time.Date(2026, 7, 28, 1, 2, 3, 0, time.UTC), "2026-07-28T01:02:03Z"},
		{"integer", 13, "13"},
		{"negative integer", -7, "-7"},
		{"integers are exact to the end of int64", int64(math.MinInt64), "-9223372036854775808"},
		{"integers are exact to the end of uint64", uint64(math.MaxUint64), "18446744073709551615"},
		{"boolean", true, "true"},
		{"nil is null", nil, "null"},
		{"shortest float", 0.1, "0.1"},
		{"float32 keeps its own digits", float32(0.1), "0.1"},
		{"a float without a fraction has the JSON form of an integer", 3.0, "3"},
		{"an exponent has a point and a sign before it", 1e21, "1.0e+21"},
		{"a small float", 1.5e-7, "1.5e-7"},
		{"bytes are base64", map[string]any{"img": []byte("PNGDATA")}, "img: UE5HREFUQQ=="},
		{"members keep their order", point{1, 2}, "x: 1\n\"y\": 2"},
		{"map keys are sorted", map[string]int{"b": 2, "a": 1, "世界": 3}, "a: 1\nb: 2\n世界: 3"},
		{"a sequence", []int{1, 2, 3}, "- 1\n- 2\n- 3"},
		{"nothing inside", []any{map[string]any{}, []any{}, nil}, "- {}\n- []\n- null"},
		{"the empty object", struct{}{}, "{}"},
		{"nil slices are empty", []int(nil), "[]"},
		{"nil maps are empty", map[string]int(nil), "{}"},
		{"nested sequences", [][]int{{1, 2}, {3}}, "- - 1\n  - 2\n- - 3"},
		{"sequence of objects", []map[string]int{{"a": 1, "b": 2}, {"a": 3}}, "- a: 1\n  b: 2\n- a: 3"},
		{
			"structs nest",
			user{Name: "Ann", Tags: []string{"x", "z"}, Addr: map[string]string{"zip": "0123"}},
			"name: Ann\ntags:\n- x\n- z\naddr:\n  zip: \"0123\"\nnote: null",
		},
		{"lines become a block", map[string]string{"s": "l1\nl2 世界\n\n  l3 😀"}, "s: |-\n  l1\n  l2 世界\n\n    l3 😀"},
		{"a trailing newline is quoted, so that no parser loses it", map[string]string{"s": "l1\nl2\n"}, `s: "l1\nl2\n"`},
		{"controls are escaped", map[string]string{"s": "a\x00\t\x1b\u0085\u2028"}, `s: "a\0\t\e\N\L"`},
		{"bytes that are not UTF-8 become U+FFFD", []string{"a\xffb"}, "- a\uFFFDb"},
		{"json.Number is a number", []json.Number{"12345678901234567890123"}, "- 12345678901234567890123"},
		{"astral characters stand as they are", []string{"😀 a\\U0001F600", "x: 😀"}, "- 😀 a\\U0001F600\n- \"x: 😀\""},
		{"private characters are not mistaken for stand-ins", []string{"\uE000😀\uE001𝄞"}, "- \uE000😀\uE001𝄞"},
		{"raw JSON keeps its numbers", json.RawMessage(`{"n":1E5}`), "\"n\": 1.0e+5"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := render(t, c.v); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestStringsStayStrings(t *testing.T) {
	for _, s := range []string{
		"", " ", "true", "False", "YES", "no", "on", "Off", "y", "N", "null", "Null", "~", "12", "-1", "+1", "0x1F", "0o7", "017",
		"1_000", "1.5", ".5", "1e3", ".inf", "-.INF", ".nan", "2026-07-28", "12:30", "12:30:45", "1:2.5", "=", "<<", "a: b", "a #b",
		"# a", "- a", "-", "--", "---", "...", "? a", ": a", "!tag", "&a", "*a", "@a", "`a", "%a", "{a}", "[a]", "|", ">", "'a'",
		`"a"`, `\`, "a\\nb", " lead", "trail ", "tab\there", "\n", "\n\n", " \n a", "a\n", "a\n ", "\ta\nb", "a\n\tb", "#a\nb",
		"a\r\nb", "世界", "😀", "\u00a0", "\u0085", "\u2028a\nb", "\uFEFFbom", "\uFEFF😀", "a\uFEFF😀", "\uFFFE", "a,b", "key:", "...\nb", "---\na", "é\nè",
	} {
		text := render(t, []string{s})
		var back []any
		if err := goyaml.Load([]byte(text), &back); err != nil {
			t.Errorf("%q became %q, which is no YAML: %v", s, text, err)
			continue
		}
		if !reflect.DeepEqual(back, []any{s}) {
			t.Errorf("%q became %q, which reads as %#v", s, text, back)
		}
		key := render(t, map[string]int{s: 1})
		var members map[string]int
		if err := goyaml.Load([]byte(key), &members); err != nil || members[s] != 1 {
			t.Errorf("the key %q became %q, which reads as %#v (%v)", s, key, members, err)
		}
	}
}

func TestTextIsTheSameInEveryRun(t *testing.T) {
	v := map[string]any{}
	for i := range 40 {
		v[strings.Repeat("k", i+1)] = map[string]int{"b": i, "a": -i}
	}
	first := render(t, v)
	for range 20 {
		if again := render(t, v); again != first {
			t.Fatalf("got\n%s\nafter\n%s", again, first)
		}
	}
}

func TestValuesWithoutAJSONFormAreErrors(t *testing.T) {
	for _, v := range []any{make(chan int), func() {}, math.NaN(), json.RawMessage(`{`), map[string]any{"a": math.Inf(1)}} {
		_, err := yaml.Text().Render(v)
		if err == nil || !strings.HasPrefix(err.Error(), "yaml: ") {
			t.Errorf("%T: got %v, want an error that says so", v, err)
		}
	}
}

// FuzzText holds the text to its reading: what a YAML parser makes of it is what JSON says.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5,1e30,-0,null,true,"yes"],"":{"x":"l1\nl2"}}`, `["\u0000","世界😀"," a\n b","1:30"]`, `[[[]],{}]`, `"x"`, `-12`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var want any
		d := json.NewDecoder(strings.NewReader(in))
		if d.Decode(&want) != nil || d.More() || strings.Count(in, "[")+strings.Count(in, "{") > 200 {
			return
		}
		if _, isString := want.(string); isString {
			if got := render(t, want); got != want {
				t.Fatalf("%q became %q", want, got)
			}
			return
		}
		text := render(t, want)
		var got any
		if err := goyaml.Load([]byte(text), &got); err != nil {
			t.Fatalf("%q became %q, which is no YAML: %v", in, text, err)
		}
		if !same(got, want) {
			t.Fatalf("%q became %q, which reads as %#v, not %#v", in, text, got, want)
		}
	})
}

// same compares a YAML reading with a JSON reading, in which all numbers are float64.
func same(got, want any) bool {
	switch want := want.(type) {
	case float64:
		switch n := got.(type) {
		case int:
			return float64(n) == want
		case int64:
			return float64(n) == want
		case uint64:
			return float64(n) == want
		case float64:
			return n == want
		}
		return false
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			return false
		}
		for i := range want {
			if !same(items[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok || len(members) != len(want) {
			return false
		}
		for name, v := range want {
			if !same(members[name], v) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}

func BenchmarkText(b *testing.B) {
	v := []user{{Name: "Ann", Tags: []string{"x", "yes"}, Addr: map[string]string{"zip": "0123"}}, {Name: "世界"}}
	renderer := yaml.Text()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := renderer.Render(v); err != nil {
			b.Fatal(err)
		}
	}
}
