package uri_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yosida95/uritemplate/v3"

	"github.com/bowline-go/mcp/internal/uri"
)

// twin is the slow, obvious matcher: a regular expression whose lazy groups prefer the shortest values, the first first.
type twin struct {
	path  *regexp.Regexp
	query []string // nil: no query
	fixed *regexp.Regexp
}

const (
	tripletPattern = `%[0-9A-Fa-f]{2}`
	narrowPattern  = `((?:[^/%]|` + tripletPattern + `)+?)`
	widePattern    = `((?:[^%]|` + tripletPattern + `)+?)`
)

var expressionPattern = regexp.MustCompile(`\{([+/.#?&]?)([^}*]*)(\*?)\}`)

func newTwin(template string) *twin {
	t := &twin{}
	var b strings.Builder
	b.WriteString(`\A(?s:`)
	at := 0
	for _, m := range expressionPattern.FindAllStringSubmatchIndex(template, -1) {
		literal := template[at:m[0]]
		at = m[1]
		op, names := template[m[2]:m[3]], strings.Split(template[m[4]:m[5]], ",")
		if op == "&" {
			var fixed string
			literal, fixed, _ = strings.Cut(literal, "?")
			var f strings.Builder
			literalPattern(&f, fixed)
			t.fixed = regexp.MustCompile(`\A(?:` + f.String() + `)(\z|&)`)
		}
		literalPattern(&b, literal)
		if op == "?" || op == "&" {
			t.query = names
			continue
		}
		value, separator := narrowPattern, op
		if op == "+" || op == "#" || m[6] != m[7] {
			value = widePattern
		}
		if op == "+" || op == "#" || op == "" {
			separator = ","
		}
		if op != "+" {
			b.WriteString(regexp.QuoteMeta(op))
		}
		for i := range names {
			if i > 0 {
				b.WriteString(regexp.QuoteMeta(separator))
			}
			b.WriteString(value)
		}
	}
	literalPattern(&b, template[at:])
	b.WriteString(`)\z`)
	t.path = regexp.MustCompile(b.String())
	return t
}

// literalPattern matches each character raw or escaped, but a reserved one only as it is written.
func literalPattern(b *strings.Builder, literal string) {
	for len(literal) > 0 {
		n := 1
		if literal[0] == '%' {
			n = 3
		}
		raw, err := url.PathUnescape(literal[:n])
		if err != nil {
			panic(err)
		}
		literal = literal[n:]
		escaped := fmt.Sprintf("(?i:%%%02X)", raw[0])
		switch reserved := strings.Contains("!#$%&'()*+,/:;=?@[]", raw); {
		case reserved && n == 3:
			b.WriteString(escaped)
		case reserved:
			b.WriteString(regexp.QuoteMeta(raw))
		case raw[0] < utf8.RuneSelf:
			b.WriteString("(?:" + regexp.QuoteMeta(raw) + "|" + escaped + ")")
		default: // the test spells characters beyond ASCII in escapes before it asks the twin
			b.WriteString(escaped)
		}
	}
}

// match expects the URI with everything beyond ASCII escaped.
func (t *twin) match(text string) ([]string, bool) {
	decoded, err := url.PathUnescape(text)
	if err != nil || !utf8.ValidString(decoded) {
		return nil, false
	}
	key, query, present := text, "", false
	if t.query != nil {
		key, query, present = strings.Cut(text, "?")
	}
	m := t.path.FindStringSubmatch(key)
	if m == nil {
		return nil, false
	}
	values := m[1:]
	if t.query != nil {
		if t.fixed != nil {
			fixed := t.fixed.FindStringSubmatch(query)
			if !present || fixed == nil {
				return nil, false
			}
			query = query[len(fixed[0]):]
			present = fixed[1] == "&"
		}
		given := map[string]string{}
		for _, pair := range strings.Split(query, "&") {
			name, value, ok := strings.Cut(pair, "=")
			name, _ = url.PathUnescape(name)
			_, twice := given[name]
			if present && (!ok || twice || !slices.Contains(t.query, name) || strings.Contains(value, "#")) {
				return nil, false
			}
			given[name] = value
		}
		for _, name := range t.query {
			values = append(values, given[name])
		}
	}
	for i := range values {
		values[i], _ = url.PathUnescape(values[i])
	}
	return values, true
}

// spell escapes everything beyond ASCII.
func spell(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

func pick(r *rand.Rand, words []string, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

// checkTwin compares one decision of the index with the twin's.
func checkTwin(t *testing.T, text, target string) bool {
	t.Helper()
	template, err := uri.Parse(text)
	if err != nil {
		return false
	}
	_, got, ok := uri.NewIndex([]*uri.Template{template}).Match(target, nil)
	want, wantOK := newTwin(spell(text)).match(spell(target))
	if ok != wantOK || ok && !slices.Equal(got, want) {
		t.Fatalf("template %q, uri %q:\n got %q %v\nwant %q %v", text, target, got, ok, want, wantOK)
	}
	return ok
}

func TestMatchAgreesWithTheSlowTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"x", "/", "/x", "x/", ".", "-", "?", "&", "%2F", "%78", "世", "%E4%B8%96", "/y/"}
	text := []string{"x", "x", "/", "/", ".", "-", "y", "世", "%2f", "%78", "%E4%B8%96", "?", "&", "a=", "b=x", ",", "#"}
	matched := 0
	for range 6_000 {
		var template strings.Builder
		for i := range 1 + r.IntN(5) {
			template.WriteString(pick(r, pieces, 2))
			op := []string{"", "", "", "+", "+", "/", ".", "#"}[r.IntN(8)]
			fmt.Fprintf(&template, "{%sv%d}", op, i)
		}
		template.WriteString(pick(r, pieces, 2))
		if r.IntN(4) == 0 {
			template.WriteString([]string{"{?a,b}", "{&a,b}", "{/rest*}", "{+p,q}"}[r.IntN(4)])
		}
		if checkTwin(t, template.String(), pick(r, text, 14)) {
			matched++
		}
		// A target made of the template's own text comes near far more often.
		near := expressionPattern.ReplaceAllStringFunc(template.String(), func(string) string { return pick(r, text, 4) })
		if checkTwin(t, template.String(), near) {
			matched++
		}
	}
	if matched < 200 {
		t.Fatalf("only %d matches: the comparison says little", matched)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("mcp://demo/shout/{text}", "mcp://demo/shout/hello%20world")
	f.Add("file:///{+path}/{name}.json", "file:///a/b/c.d.json")
	f.Add("q://x{?a,b}", "q://x?b=1&a=%E4%B8%96%E7%95%8C")
	f.Add("q://x?v=2{&a}", "q://x?v=2&a=😀")
	f.Add("{a}x{b}x{c}xZ", strings.Repeat("x", 64))
	f.Add("r://{o}/{r}/contents{/path*}", "r://o/r/contents/a/b%zz")
	f.Fuzz(func(t *testing.T, text, target string) {
		if len(text) > 200 || len(target) > 2000 {
			t.Skip()
		}
		if _, err := uri.Parse(text); err == nil {
			if _, err := uritemplate.New(text); err != nil {
				t.Fatalf("template %q was taken, uritemplate says %v", text, err)
			}
		}
		checkTwin(t, text, target)
	})
}

// TestLibraryMatchAgrees holds the matcher to uritemplate's own, where both decide the same way: values that are
// not empty and hold no separator.
func TestLibraryMatchAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	letters := []string{"a", "b", "z", "0", "_", "~"}
	templates := []string{
		"s://{a}", "s://{a}/{b}", "s://x/{a}.{b}", "s://{a,b}", "s://x{/a,b}", "s://x{.a}", "s://x/{+a}", "s://x{#a}",
		"s://{a}/y{+b}", "s://x{?a,b}", "s://x?v=1{&a,b}", "s://{c}/x{?a,b}",
	}
	for _, text := range templates {
		template, err := uri.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		ix := uri.NewIndex([]*uri.Template{template})
		library := uritemplate.MustNew(text)
		for range 200 {
			values, theirs := map[string]string{}, uritemplate.Values{}
			for _, name := range template.Names() {
				values[name] = letters[r.IntN(len(letters))] + pick(r, letters, 4)
				theirs.Set(name, uritemplate.String(values[name]))
			}
			got, err := template.Expand(values)
			want, wantErr := library.Expand(theirs)
			if err != nil || wantErr != nil || got != want {
				t.Fatalf("%s %v: expanded to %q (%v), uritemplate to %q (%v)", text, values, got, err, want, wantErr)
			}
			_, out, ok := ix.Match(got, nil)
			matched := library.Match(got)
			if !ok || matched == nil {
				t.Fatalf("%s does not match its own expansion %q: %v, uritemplate %v", text, got, ok, matched)
			}
			for i, name := range template.Names() {
				if out[i] != values[name] || matched.Get(name).String() != values[name] {
					t.Fatalf("%s on %q: %s is %q, uritemplate %q, want %q", text, got, name, out[i], matched.Get(name), values[name])
				}
			}
		}
	}
}
