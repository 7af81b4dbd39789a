package uri_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/uri"
)

func parse(t testing.TB, text string) *uri.Template {
	t.Helper()
	template, err := uri.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return template
}

func index(t testing.TB, texts ...string) *uri.Index {
	t.Helper()
	var templates []*uri.Template
	for _, text := range texts {
		templates = append(templates, parse(t, text))
	}
	return uri.NewIndex(templates)
}

func TestMatch(t *testing.T) {
	yes := func(values ...string) []string { return append([]string{}, values...) }
	for _, c := range []struct {
		rule, template, uri string
		want                []string // nil: no match
	}{
		{"a variable takes what stands for it", "mcp://demo/shout/{text}", "mcp://demo/shout/hi", yes("hi")},
		{"a variable takes at least one character", "mcp://demo/shout/{text}", "mcp://demo/shout/", nil},
		{"a variable never holds a slash", "mcp://demo/shout/{text}", "mcp://demo/shout/a/b", nil},
		{"the whole URI must match", "x://{a}/end", "x://b/end/", nil},
		{"case counts", "x://A/{a}", "x://a/b", nil},
		{"a template without variables matches itself", "x://a", "x://a", yes()},
		{"a template without variables matches nothing else", "x://a", "x://ab", nil},
		{"the whole literal delimits", "{name}.json", "a.b.json", yes("a.b")},
		{"an earlier look-alike of the last literal is part of the value", "{name}.meta.json", "a.meta.meta.json", yes("a.meta")},
		{"the first variable is the shortest", "{a}-{b}", "x-y-z", yes("x", "y-z")},
		{"a reserved variable holds slashes", "file:///{+path}", "file:///a/b/c", yes("a/b/c")},
		{"a reserved variable before a narrow one takes all but the last segment", "x:{+dir}/{name}", "x:a/b/c", yes("a/b", "c")},
		{"a reserved variable reaches over look-alikes", "x:{+a}y{b}", "x:1y/2y3", yes("1y/2", "3")},
		{"two reserved variables part at the first literal", "x:{+a},{+b}", "x:1/2,3,4", yes("1/2", "3,4")},
		{"a path expression brings its slash", "x:r{/a,b}", "x:r/1/2", yes("1", "2")},
		{"a path expression is required", "x:r{/a}", "x:r", nil},
		{"an exploded path holds segments", "repo://{o}/{r}/contents{/path*}", "repo://o/r/contents/a/b", yes("o", "r", "a/b")},
		{"a label expression brings its dot", "x:r{.a}", "x:r.json", yes("json")},
		{"a fragment expression brings its mark and holds slashes", "x:r{#a}", "x:r#/1", yes("/1")},
		{"a list is separated by commas", "x:{a,b}", "x:1,2", yes("1", "2")},

		{"query names come in any order", "x:s{?q,n}", "x:s?n=1&q=2", yes("2", "1")},
		{"query names are optional", "x:s{?q,n}", "x:s?n=1", yes("", "1")},
		{"the whole query is optional", "x:s{?q,n}", "x:s", yes("", "")},
		{"a query value may be empty", "x:s{?q}", "x:s?q=", yes("")},
		{"a query value may hold '/', '?' and '='", "x:s{?q}", "x:s?q=/a?b=c", yes("/a?b=c")},
		{"a plus is a plus", "x:s{?q}", "x:s?q=a+b", yes("a+b")},
		{"an escaped delimiter is data", "x:s{?q}", "x:s?q=a%26b%3Dc", yes("a&b=c")},
		{"a query name may be escaped", "x:s{?q}", "x:s?%71=a", yes("a")},
		{"an empty query is no match", "x:s{?q}", "x:s?", nil},
		{"an unknown query name is no match", "x:s{?q}", "x:s?q=1&z=2", nil},
		{"a repeated query name is no match", "x:s{?q}", "x:s?q=1&q=1", nil},
		{"a bare query name is no match", "x:s{?q}", "x:s?q", nil},
		{"a dangling separator is no match", "x:s{?q}", "x:s?q=1&", nil},
		{"a fragment in a query is no match", "x:s{?q}", "x:s?q=1#f", nil},
		{"a variable before a query ends at it", "x:{a}{?q}", "x:b?q=1", yes("b", "1")},
		{"a continued query follows its literal", "x:s?v=2{&q}", "x:s?v=2&q=1", yes("1")},
		{"a continued query is optional, its literal is not", "x:s?v=2{&q}", "x:s?v=2", yes("")},
		{"a continued query needs its literal first", "x:s?v=2{&q}", "x:s?q=1&v=2", nil},
		{"a continued query needs a separator", "x:s?v=2{&q}", "x:s?v=20", nil},
		{"a literal query without variables is text", "x:{a}?v=2", "x:1?v=2", yes("1")},

		{"an escape of an unreserved character equals it, in text", "x:%61b/{a}", "x:a%62/1", yes("1")},
		{"an escape is decoded in a value", "x:{a}", "x:hello%20world", yes("hello world")},
		{"an escaped slash is data and arrives decoded", "x:{a}", "x:a%2Fb%2fc", yes("a/b/c")},
		{"an escaped slash is no slash of the template", "x:a/{b}", "x:a%2Fb", nil},
		{"an escaped slash of the template is no slash", "x:a%2F{b}", "x:a/b", nil},
		{"an escaped slash of the template matches itself, in any case", "x:a%2F{b}", "x:a%2fb", yes("b")},
		{"a literal never begins inside an escape", "x:{a}2{b}", "x:a%2Fb", nil},
		{"an escape is decoded once", "x:{a}", "x:%2525", yes("%25")},
		{"a malformed escape is no match", "x:{a}", "x:%zz", nil},
		{"a truncated escape is no match", "x:{a}", "x:a%2", nil},
		{"a lone percent sign is no match", "x:{a}", "x:100%", nil},
		{"an escape that is not UTF-8 is no match", "x:{a}", "x:%FF", nil},
		{"half of a character is no match", "x:{a}/{b}", "x:%E4%B8/%96", nil},
		{"half of a character beside an escaped delimiter is no match", "x:{a}", "x:%E4%B8%2F%96", nil},
		{"a raw byte that is not UTF-8 is no match", "x:{a}", "x:\xff\x80", nil},
		{"a raw byte that is not UTF-8 is no match beside an escape", "x:{a}", "x:%41\xff\x80", nil},
		{"values beyond ASCII may be raw", "x:{a}/{b}", "x:世界/😀", yes("世界", "😀")},
		{"values beyond ASCII may be escaped", "x:{a}/{b}", "x:%E4%B8%96%e7%95%8c/%F0%9F%98%80", yes("世界", "😀")},
		{"values beyond ASCII may be half raw", "x:{a}", "x:世%E7%95%8C", yes("世界")},
		{"literals beyond ASCII match raw", "x:世界/{a}😀", "x:世界/1😀", yes("1")},
		{"literals beyond ASCII match escaped", "x:世界/{a}😀", "x:%E4%B8%96界/1%F0%9F%98%80", yes("1")},
		{"escaped literals beyond ASCII match raw", "x:%E4%B8%96/{a}", "x:世/1", yes("1")},
		{"literals delimit whole characters", "x:{a}界{b}", "x:世界界", yes("世", "界")},
	} {
		t.Run(c.rule, func(t *testing.T) {
			i, out, ok := index(t, c.template).Match(c.uri, []string{"old"})
			if ok != (c.want != nil) || !slices.Equal(out, c.want) || ok && i != 0 || !ok && i != -1 {
				t.Errorf("%s on %s: %d %q %v, want %q", c.template, c.uri, i, out, ok, c.want)
			}
		})
	}
}

func TestTheFirstTemplateWins(t *testing.T) {
	ix := index(t, "x://a/{b}.json", "x://{+all}", "x://a/{b}", "x://a/c{?q}", "y://{a}{?q}", "y://{a}")
	for _, c := range []struct {
		uri  string
		want int
	}{
		{"x://a/b.json", 0}, {"x://a/b", 1}, {"x://a/c?q=1", 1}, {"y://a?q=1", 4}, {"y://a", 4}, {"y://a?z=1", 5}, {"z://a", -1},
	} {
		if i, _, _ := ix.Match(c.uri, nil); i != c.want {
			t.Errorf("%s: template %d, want %d", c.uri, i, c.want)
		}
	}
	if i, _, ok := uri.NewIndex(nil).Match("x://a", nil); ok || i != -1 {
		t.Error("an empty index matched")
	}
}

func TestIndexAgreesWithTryingOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"x", "xy", "/", "/x", "/y/", ".j", "?", "%2F", "世"}
	text := []string{"x", "y", "/", "/", "/x", ".j", "%2f", "世", "?", "a=1"}
	matched := 0
	for range 150 {
		var all []*uri.Template
		var single []*uri.Index
		for len(all) < 30 {
			var b strings.Builder
			for i := range r.IntN(4) {
				fmt.Fprintf(&b, "%s{%sv%d}", pick(r, pieces, 3), []string{"", "", "+", "/"}[r.IntN(4)], i)
			}
			b.WriteString(pick(r, pieces, 3) + []string{"", "", "{?a}"}[r.IntN(3)])
			if template, err := uri.Parse(b.String()); err == nil {
				all = append(all, template)
				single = append(single, uri.NewIndex(all[len(all)-1:]))
			}
		}
		ix := uri.NewIndex(all)
		for range 50 {
			target := pick(r, text, 8)
			wantI, want := -1, []string(nil)
			for i := range single {
				if _, out, ok := single[i].Match(target, nil); ok {
					wantI, want = i, out
					matched++
					break
				}
			}
			if i, out, ok := ix.Match(target, nil); i != wantI || ok != (i >= 0) || !slices.Equal(out, want) {
				t.Fatalf("%q among %v: template %d %q, want %d %q", target, all, i, out, wantI, want)
			}
		}
	}
	if matched < 400 {
		t.Fatalf("only %d matches: the comparison says little", matched)
	}
}

func TestNamesAreInOrderOfAppearance(t *testing.T) {
	template := parse(t, "x:{b}/{+a}{?z,y.1}")
	if got := template.Names(); !slices.Equal(got, []string{"b", "a", "z", "y.1"}) {
		t.Errorf("names %q", got)
	}
	template.Names()[0] = "changed"
	if template.Names()[0] != "b" {
		t.Error("Names gives its own slice away")
	}
	if template.String() != "x:{b}/{+a}{?z,y.1}" {
		t.Errorf("String %q", template)
	}
}

func TestLongURIsDoNotMatch(t *testing.T) {
	ix := index(t, "x:{+a}")
	if _, _, ok := ix.Match("x:"+strings.Repeat("a", uri.MaxURI-2), nil); !ok {
		t.Error("a URI of the largest length does not match")
	}
	if _, _, ok := ix.Match("x:"+strings.Repeat("a", uri.MaxURI-1), nil); ok {
		t.Error("a URI beyond the largest length matches")
	}
}

// Each of these costs a backtracking matcher seconds or more.
func TestHostileURIsAreDecidedAtOnce(t *testing.T) {
	const n = 4096
	for _, c := range []struct {
		template, uri string
		want          bool
	}{
		{"{a}x{b}x{c}x{d}x{e}x{f}xZ", strings.Repeat("x", n), false},
		{"{a}x{b}x{c}x{d}x{e}x{f}xZ", strings.Repeat("x", n) + "Z", true},
		{"{a}x{b}x{c}x{d}x{e}x{f}y{g}", strings.Repeat("x", n), false},
		{"{+a}x{+b}x{+c}x{+d}y{+e}", strings.Repeat("x/", n/2), false},
		{"{+a}/{b}/{c}/{d}Z", strings.Repeat("/", n), false},
		{"{+a}x{b}x{c}x{d}", strings.Repeat("x/", n/2), false},
		{"{a}%2F{b}%2F{c}%2FZ", strings.Repeat("%2f", n/3), false},
		{"x{?a,b}", "x?" + strings.Repeat("a=1&", n/4), false},
	} {
		if _, _, ok := index(t, c.template).Match(c.uri, nil); ok != c.want {
			t.Errorf("%s: match %v, want %v", c.template, ok, c.want)
		}
	}
}

func TestMatchDoesNotAllocateWithoutEscapes(t *testing.T) {
	ix := index(t, "x:no/{a}", "x:世界/{a}/{+b}", "x:s{?q,n}")
	values := make([]string, 0, 4)
	for _, target := range []string{"x:世界/1/2/3", "x:s?n=1&q=😀", "x:none"} {
		if n := testing.AllocsPerRun(100, func() { ix.Match(target, values) }); n != 0 {
			t.Errorf("%s: %v allocations", target, n)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{1, 10, 50, 1000} {
		var early, late []string
		for i := range n {
			early = append(early, fmt.Sprintf("mcp://demo/kind%04d/{id}", i))
			late = append(late, fmt.Sprintf("db://{schema}/kind%04d/{id}.json", i))
		}
		for name, c := range map[string]struct {
			texts  []string
			target string
		}{
			"literal-first":  {early, fmt.Sprintf("mcp://demo/kind%04d/hello", n-1)},
			"variable-first": {late, fmt.Sprintf("db://main/kind%04d/hello.json", n-1)},
			"miss":           {late, "db://main/other/hello.json"},
			"escapes":        {early, fmt.Sprintf("mcp://demo/kind%04d/hello%%20world%%2F", n-1)},
		} {
			ix := index(b, c.texts...)
			b.Run(fmt.Sprintf("%s/templates=%d", name, n), func(b *testing.B) {
				values := make([]string, 0, 4)
				b.ReportAllocs()
				for b.Loop() {
					ix.Match(c.target, values)
				}
			})
		}
	}
}

func BenchmarkMatchHostile(b *testing.B) {
	ix := index(b, "{a}x{b}x{c}x{d}x{e}x{f}y{g}")
	target := strings.Repeat("x", 4096)
	b.ReportAllocs()
	for b.Loop() {
		ix.Match(target, nil)
	}
}
