package uri_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/uri"
)

func TestParseSaysWhereWhatAndWhatToDo(t *testing.T) {
	for _, c := range []struct{ rule, template, want string }{
		{"an empty template", "", `character 1: the template is empty; write a URI such as mcp://docs/{name}`},
		{"an empty name", "x:{}", `character 3: variable name must not be empty; write {name}`},
		{"an operator without a name", "x:{+}", `character 5: variable name must not be empty; write {name}`},
		{"an empty name in a list", "x:{a,}", `character 6: variable name must not be empty; write {name}`},
		{"an unclosed variable", "mcp://demo/{text", `character 12: unclosed variable; close it with "}"`},
		{"an unclosed variable before another", "x:{a/{b}", `character 3: unclosed variable; close it with "}"`},
		{"a stray brace", "mcp://demo/abc}", `character 15: stray "}"; write %7D for a literal brace`},
		{"positions count characters", "x:世界😀{}", `character 6: variable name must not be empty; write {name}`},
		{"adjacent variables", "x:{a}{b}", `character 6: adjacent variables require separating literal text; put some between them`},
		{"an adjacent reserved variable", "x:{a}{+b}", `character 6: adjacent variables require`},
		{"a bad character in a name", "x:{a-b}", `character 5: variable name must contain only A-Z, a-z, 0-9, and _ (and single dots inside); rename "a-b"`},
		{"a name beyond ASCII", "x:{世}", `character 4: variable name must contain only`},
		{"a dot at the end of a name", "x:{a.}", `character 5: variable name must contain only`},
		{"two dots in a name", "x:{a..b}", `character 6: variable name must contain only`},
		{"a repeated name", "x:{a}/{b,a}", `character 10: variable "a" is named twice; give each variable a name of its own`},
		{"a repeated name in a query", "x:{a}{?a}", `character 8: variable "a" is named twice`},
		{"a prefix", "x:{a:3}", `character 5: a ":n" prefix loses the rest of the value, so a URI cannot be matched; write {a}`},
		{"an exploded variable", "x:{a*}", `character 5: "*" makes lists of unknown length; it is supported as {/a*} only`},
		{"an exploded query", "x:{?a*}", `character 6: "*" makes lists of unknown length`},
		{"path parameters", "x:r{;a}", `character 5: operator ';' is not supported; write {var}, {+var}`},
		{"a reserved operator", "x:{!a}", `character 4: operator '!' is not supported`},
		{"text after a query", "x:{?a}/b", `character 7: text after a query expression; a query must be the end of the template`},
		{"a second query", "x:{?a}{&b}", `character 7: text after a query expression`},
		{"a query after a literal one", "x?a=1{?b}", `character 6: a query that a literal "?" has begun cannot begin again; write {&…}`},
		{"a continued query without a beginning", "x:{&b}", `character 3: {&…} must follow a literal that begins a query`},
		{"a continued query after a variable", "x?a={a}&{&b}", `character 9: {&…} must follow a literal that begins a query`},
		{"a narrow variable between wide ones", "x:{+a}/{b}/{+c}", `character 14: a variable without "/" stands between two that may hold "/"; make them one {+var}, or all of them wide`},
		{"a narrow variable before an exploded path", "x:{+a}/{b}{/c*}", `character 13: a variable without "/" stands between`},
		{"a space", "x:a b/{c}", `character 4: ' ' cannot stand in a URI; write it as %20`},
		{"a quote", `x:"{c}`, `character 3: '"' cannot stand in a URI; write it as %22`},
		{"a lone percent sign", "x:100%/{c}", `character 6: "%" without two hexadecimal digits; write %25 for a percent sign`},
		{"an escape cut by an expression", "x:%2{c}", `character 3: "%" without two hexadecimal digits`},
		{"a byte that is not UTF-8", "x:\xff{c}", `character 3: the byte 0xff is not UTF-8; write the template in UTF-8`},
		{"an escape that is not UTF-8", "x:{c}%FF", `character 6: the escapes do not decode to UTF-8; escape the bytes of whole UTF-8 characters`},
		{"an escaped character cut by a variable", "x:%E4%B8{c}%96", `character 3: the escapes do not decode to UTF-8`},
		{"an escape in a query that is not UTF-8", "x:?v=%FF{&c}", `character 6: the escapes do not decode to UTF-8`},
		{"too long a template", strings.Repeat("x", uri.MaxURI+1), `it has 8193 bytes, at most 8192 are allowed; shorten it`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			template, err := uri.Parse(c.template)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "uri template ") {
				t.Errorf("%q: %v, %v\nwant %s", c.template, template, err, c.want)
			}
		})
	}
}

func TestAtMostMaxVariables(t *testing.T) {
	var text string
	for i := range uri.MaxVariables {
		text += fmt.Sprintf("/{v%d}", i)
	}
	_, out, ok := index(t, text).Match(strings.Repeat("/1", uri.MaxVariables), nil)
	if !ok || len(out) != uri.MaxVariables {
		t.Errorf("match %v with %d values", ok, len(out))
	}
	if _, err := uri.Parse(text + "{?more}"); err == nil || !strings.Contains(err.Error(), "more than 32 variables; split the template") {
		t.Errorf("one variable more: %v", err)
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct {
		rule, template string
		values         map[string]string
		want           string
	}{
		{"values are escaped in UTF-8", "x:{a}/{b}", map[string]string{"a": "世界", "b": "😀"}, "x:%E4%B8%96%E7%95%8C/%F0%9F%98%80"},
		{"literals are escaped where a URI needs it", "x:世/%e4%b8%96:{a}", map[string]string{"a": "1"}, "x:%E4%B8%96/%e4%b8%96:1"},
		{"reserved characters are escaped in a plain variable", "x:{a}", map[string]string{"a": "a/b?c%d e"}, "x:a%2Fb%3Fc%25d%20e"},
		{"reserved characters stay in a reserved variable", "x:{+a}", map[string]string{"a": "a/b?c%d e[世]"}, "x:a/b?c%25d%20e[%E4%B8%96]"},
		{"a reserved variable before a query never begins it", "x:{+a}{?q}", map[string]string{"a": "b?c", "q": "1"}, "x:b%3Fc?q=1"},
		{"slashes stay in an exploded path", "x:r{/p*}", map[string]string{"p": "a/b?c"}, "x:r/a/b%3Fc"},
		{"each operator brings its separators", "x:{a,b}{/c,d}{.e,f}{#g,h}", map[string]string{
			"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6", "g": "7", "h": "8",
		}, "x:1,2/3/4.5.6#7,8"},
		{"a query holds the names that have a value", "x:s{?q,n}", map[string]string{"n": "a&b"}, "x:s?n=a%26b"},
		{"an empty value is a value of a query", "x:s{?q,n}", map[string]string{"q": "", "n": "1"}, "x:s?q=&n=1"},
		{"a query without values is left out", "x:s{?q,n}", nil, "x:s"},
		{"a continued query is appended", "x:s?v=2{&q,n}", map[string]string{"q": "1", "n": "2"}, "x:s?v=2&q=1&n=2"},
		{"other names are ignored", "x:{a}", map[string]string{"a": "1", "z": "2"}, "x:1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			template := parse(t, c.template)
			got, err := template.Expand(c.values)
			if err != nil || got != c.want {
				t.Fatalf("%q, %v; want %q", got, err, c.want)
			}
			_, out, ok := index(t, c.template).Match(got, nil)
			if !ok {
				t.Fatalf("%q does not match", got)
			}
			for i, name := range template.Names() {
				if out[i] != c.values[name] {
					t.Errorf("%s comes back as %q", name, out[i])
				}
			}
		})
	}
}

func TestExpandRefusesWhatWouldNotMatch(t *testing.T) {
	template := parse(t, "x:{a}{?q}")
	for _, c := range []struct {
		rule   string
		values map[string]string
		want   string
	}{
		{"a missing value", nil, `variable "a" has no value; give it one that is not empty`},
		{"an empty value", map[string]string{"a": ""}, `variable "a" has no value`},
		{"a value that is not UTF-8", map[string]string{"a": "\xff"}, `the value of variable "a" is not UTF-8`},
		{"a query value that is not UTF-8", map[string]string{"a": "1", "q": "\xff"}, `the value of variable "q" is not UTF-8`},
		{"too long a result", map[string]string{"a": strings.Repeat("/", 4096)}, `the expanded URI has 12290 bytes, at most 8192 are allowed`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got, err := template.Expand(c.values); got != "" || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %v; want %s", got, err, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("x:{a}/{+b}{?c,d}", "1", "世/界")
	f.Add("x?v=%E4%B8%96{&c}", "😀", "")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		template, err := uri.Parse(text)
		if err != nil {
			if !strings.Contains(err.Error(), ";") {
				t.Errorf("%v does not say what to do", err)
			}
			return
		}
		values := map[string]string{}
		for i, name := range template.Names() {
			values[name] = []string{a, b}[i%2]
		}
		expanded, err := template.Expand(values)
		if err != nil {
			return
		}
		if _, out, ok := uri.NewIndex([]*uri.Template{template}).Match(expanded, nil); !ok || len(out) != len(values) {
			t.Errorf("%q does not match its own expansion %q", text, expanded)
		}
	})
}
