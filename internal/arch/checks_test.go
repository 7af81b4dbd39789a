package arch_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bowline-go/mcp/internal/arch"
)

// module is a small module in memory: file name to text. Go files get a package clause unless they bring one.
func module(t *testing.T, files map[string]string) *arch.Module {
	t.Helper()
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.org/m\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n")}}
	for name, text := range files {
		if strings.HasSuffix(name, ".go") && !strings.Contains(text, "package ") {
			text = "package p\n" + text
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	m, err := arch.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rows is the table of the small modules.
func rows() []arch.Layer {
	return []arch.Layer{
		{Dir: "ground", Pure: true, Outside: []string{"example.com/dep"}},
		{Dir: ".", Ours: []string{"ground"}, Pure: true},
		{Dir: "transport", Ours: []string{"."}},
		{Dir: "cmd/...", Ours: []string{"*"}, Program: true},
	}
}

type check func(*arch.Module, []arch.Layer) []arch.Breach

// expect runs one check on one module and compares what it says, in parts; "" wants silence.
func expect(t *testing.T, run check, files map[string]string, want string) {
	t.Helper()
	found := run(module(t, files), rows())
	if want == "" {
		for _, b := range found {
			t.Errorf("unexpected: %s", b)
		}
		return
	}
	if len(found) != 1 {
		t.Fatalf("got %d findings %v, want one with %q", len(found), found, want)
	}
	if text := found[0].String(); !strings.Contains(text, want) || found[0].Where == "" || found[0].Fix == "" {
		t.Errorf("got %q, want a place, %q and a fix", text, want)
	}
}

func TestLayers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, text, want string }{
		{"an edge of the table is allowed", "root.go", `import _ "example.org/m/ground"`, ""},
		{"an edge upwards is refused", "ground/g.go", `import _ "example.org/m"`, "imports go downwards only"},
		{"an edge that skips a layer is refused unless the table has it", "transport/t.go", `import _ "example.org/m/ground"`, "imports go downwards only"},
		{"the standard library is free", "ground/g.go", `import _ "strings"`, ""},
		{"a third-party module of the table is allowed", "ground/g.go", `import _ "example.com/dep"`, ""},
		{"a third-party package beside the one of the table is refused", "ground/g.go", `import _ "example.com/dep/sub"`, "no such third-party module"},
		{"a third-party module is refused elsewhere", "root.go", `import _ "example.com/dep"`, "no such third-party module"},
		{"programs are free", "cmd/x/main.go", `import ( _ "example.com/dep"; _ "example.org/m/transport" )`, ""},
		{"tests are free", "ground/g_test.go", `import _ "example.org/m"`, ""},
		{"a package without a row is refused", "stray/s.go", ``, "no row in the import table"},
		{"a folder beside a tree of programs needs its own row", "cmdline/s.go", ``, "no row in the import table"},
		{"dot imports are refused", "root.go", `import . "strings"`, "dot import"},
		{"a nested module is not ours", "stray/go.mod", "module example.org/other\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{tc.file: tc.text}
			if strings.HasSuffix(tc.file, "go.mod") {
				files["stray/s.go"] = ""
			}
			expect(t, arch.Layers, files, tc.want)
		})
	}
}

func TestPurity(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, text, want string }{
		{"net/http is refused below the transports", "root.go", `import _ "net/http"`, `imports "net/http"`},
		{"os is refused in the ground floor", "ground/g.go", `import _ "os"`, `imports "os"`},
		{"os/signal is refused", "ground/g.go", `import _ "os/signal"`, `imports "os/signal"`},
		{"net/url only parses", "ground/g.go", `import _ "net/url"`, ""},
		{"transports may do I/O", "transport/t.go", `import _ "net"; func f() { go f() }`, ""},
		{"a goroutine is refused", "ground/g.go", `func f() { go f() }`, "a go statement"},
		{"a goroutine in a function literal is refused", "ground/g.go", `func f() func() { return func() { go f() } }`, "a go statement"},
		{"sleeping is refused", "ground/g.go", `import "time"; func f() { time.Sleep(1) }`, "time.Sleep"},
		{"a ticker under another import name is refused", "ground/g.go", `import clock "time"; func f() { clock.NewTicker(1) }`, "time.NewTicker"},
		{"reading the clock as a value is refused", "ground/g.go", `import "time"; func f() any { return time.Now }`, "time.Now"},
		{"AfterFunc and durations are free", "ground/g.go", `import "time"; func f() { time.AfterFunc(time.Second, f) }`, ""},
		{"the root may name time.Now once", "root.go", `import "time"; func f() any { return time.Now }`, ""},
		{"the root may not name time.Now twice", "root.go", `import "time"; func f() any { return time.Now }; func g() any { return time.Now }`, "time.Now"},
		{"a local value called time is no clock", "ground/g.go", `type c struct{ Now func() }; func f(time c) { time.Now() }`, ""},
		{"a mutex a type", "ground/g.go", `import "sync"; type a struct { mu sync.Mutex }; type b struct { mu sync.RWMutex; a a }`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			expect(t, arch.Purity, map[string]string{tc.file: tc.text}, tc.want)
		})
	}
}

func TestMutexes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"one mutex a type is allowed", `import "sync"; type a struct { mu sync.Mutex }; type b struct { mu sync.RWMutex; a a }`, ""},
		{"two mutexes are refused", `import "sync"; type a struct { mu sync.Mutex; rw sync.RWMutex }`, "more than one mutex"},
		{"two names in one line count twice", `import "sync"; type a struct { mu, nu sync.Mutex }`, "more than one mutex"},
		{"an embedded mutex counts", `import "sync"; type a struct { sync.Mutex; mu sync.Mutex }`, "more than one mutex"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			expect(t, arch.Mutexes, map[string]string{"ground/g.go": tc.text}, tc.want)
		})
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"init is refused", `func init() {}`, "an init function"},
		{"a method called init is free", `type t int; func (t) init() {}`, ""},
		{"an assertion is allowed", `type t int; var _ any = t(0)`, ""},
		{"an exported sentinel is allowed", `import "errors"; var ErrGone = errors.New("gone")`, ""},
		{"a sentinel needs its name", `import "errors"; var Gone = errors.New("gone")`, "is exported"},
		{"an exported table is refused", `var Table = []int{1}`, "is exported"},
		{"an unexported table is allowed", `type row struct{ n int }; var table = [...]row{{1}, {2}}`, ""},
		{"a map of literals is allowed", `var table = map[string][]byte{"a": []byte("b")}`, ""},
		{"a table of functions is allowed", `func f() {}; var table = []func(){f, func() { f() }}`, ""},
		{"a table built by a function that returns an array is allowed", `func f() [4]int { return [4]int{} }; var table = f()`, ""},
		{"a table built by a literal that returns an array is allowed", `var table = func() [4]int { return [4]int{} }()`, ""},
		{"a call that allocates at start is refused", `func f() []int { return nil }; var table = f()`, "runs when the program starts"},
		{"a regular expression at start is refused", `import "regexp"; var re = regexp.MustCompile("a")`, "runs when the program starts"},
		{"a reflect.Type is a constant", `import "reflect"; var t = reflect.TypeFor[int]()`, ""},
		{"a strict encoding is a constant", `import "encoding/base64"; var e = base64.RawURLEncoding.Strict()`, ""},
		{"another method of something imported is refused", `import "encoding/base64"; var e = base64.StdEncoding.WithPadding('x')`, "runs when the program starts"},
		{"a pool is allowed", `import "sync"; var p = sync.Pool{New: func() any { return 1 }}`, ""},
		{"a pool without New is allowed", `import "sync"; var p sync.Pool`, ""},
		{"an exported pool is refused", `import "sync"; var P sync.Pool`, "is exported"},
		{"a lock is refused", `import "sync"; var mu sync.Mutex`, "has no value of its own"},
		{"a counter is refused", `var n int`, "has no value of its own"},
		{"assigning is refused", `var n = 1; func f() { n = 2 }`, "is written"},
		{"counting is refused", `var n = 1; func f() { n++ }`, "is written"},
		{"assigning an element is refused", `var m = map[int]int{}; func f() { m[1] = 2 }`, "is written"},
		{"assigning a field of an element is refused", `type r struct{ n int }; var t = []r{{}}; func f() { t[0].n = 2 }`, "is written"},
		{"deleting is refused", `var m = map[int]int{}; func f() { delete(m, 1) }`, "is written"},
		{"copying into a table is refused", `var b = []byte("a"); func f() { copy(b[1:], "x") }`, "is written"},
		{"handing out the address is refused", `var n = 1; func f() *int { return &n }`, "is written"},
		{"a pointer into a table is reading", `type r struct{ n int }; var t = [...]r{{}}; func f() *r { return &t[0] }`, ""},
		{"a local of the same name is no package variable", `var n = 1; func f() { n := 2; n = 3; _ = n }; func g(n int) { n++ }`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			expect(t, arch.State, map[string]string{"ground/g.go": tc.text}, tc.want)
		})
	}
	t.Run("a write in another file of the package is seen", func(t *testing.T) {
		t.Parallel()
		expect(t, arch.State, map[string]string{"ground/a.go": `var n = 1`, "ground/b.go": `func f() { n = 2 }`}, "ground/b.go:2")
	})
	t.Run("programs are free", func(t *testing.T) {
		t.Parallel()
		expect(t, arch.State, map[string]string{"cmd/x/main.go": `var n int; func init() { n = 2 }`}, "")
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file, text string
		run              check
		want             string
	}{
		{"a dated string is refused", "ground/g.go", `const v = "2025-06-18"`, arch.Dates, "a dated string"},
		{"a date inside a longer string is refused", "ground/g.go", "const v = `version 2025-06-18 世界`", arch.Dates, "a dated string"},
		{"the revision table may date", "internal/protocol/revision.go", `const v = "2025-06-18"`, arch.Dates, ""},
		{"a comment may date", "ground/g.go", "// since 2025-06-18\nconst v = 1", arch.Dates, ""},
		{"the layout of package time is no date", "ground/g.go", `const v = "2006-01-02T15:04:05Z"`, arch.Dates, ""},
		{"a JSON Schema dialect is no date", "ground/g.go", `const v = "https://json-schema.org/draft/2020-12/schema"`, arch.Dates, ""},
		{"tests may date", "ground/g_test.go", `const v = "2025-06-18"`, arch.Dates, ""},

		{"a package called util is refused", "ground/util/u.go", "package util", arch.Names, "says nothing"},
		{"a folder called types is refused", "ground/types/u.go", "package kinds", arch.Names, "says nothing"},
		{"a subject is a good name", "ground/g.go", "package ground", arch.Names, ""},

		{"a legacy function stands in a legacy file", "ground/legacy_batch.go", "func legacyBatch() {}", arch.Legacy, ""},
		{"a legacy function elsewhere is refused", "ground/g.go", "func legacyBatch() {}", arch.Legacy, "outside the legacy files"},
		{"a legacy type elsewhere is refused", "ground/g.go", "type legacyBatch int", arch.Legacy, "outside the legacy files"},
		{"a question for the era is no legacy code", "ground/g.go", "type c int\nfunc (c) Legacy() bool { return false }", arch.Legacy, ""},
		{"an exported legacy function elsewhere is refused", "ground/g.go", "func LegacyBatch() {}", arch.Legacy, "outside the legacy files"},
		{"the exported option may stand with the options", "ground/options.go", "type Legacy int", arch.Legacy, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			expect(t, tc.run, map[string]string{tc.file: tc.text}, tc.want)
		})
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	deep := "func f(a bool) { if a { for a { switch { case a: if a { %s } } } } }"
	for _, tc := range []struct{ name, text, want string }{
		{"a file of 400 lines is allowed", strings.Repeat("\n", 398), ""},
		{"a longer file is refused", strings.Repeat("\n", 400), "a file has one topic"},
		{"a function of 60 lines is allowed", "func f() {" + strings.Repeat("\n", 60) + "}", ""},
		{"a longer function is refused", "func f() {" + strings.Repeat("\n", 61) + "}", "a function has at most"},
		{"four levels are allowed", strings.Replace(deep, "%s", "", 1), ""},
		{"five levels are refused", strings.Replace(deep, "%s", "if a {}", 1), "nests 5 deep"},
		{"an else-if chain is one level", strings.Replace(deep, "%s", "} else if a { } else if !a {", 1), ""},
		{"an if in an else counts", strings.Replace(deep, "%s", "} else { if a { }", 1), "nests 5 deep"},
		{"a function literal begins anew", strings.Replace(deep, "%s", "_ = func() { if a {} }", 1), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			expect(t, arch.Sizes, map[string]string{"ground/g.go": tc.text}, tc.want)
		})
	}
}

func TestDocumented(t *testing.T) {
	t.Parallel()
	const doc = "// Package p knows nothing. This package does\n// not know anything.\npackage p\n"
	for _, tc := range []struct{ name, file, text, want string }{
		{"a documented package is fine", "ground/g.go", doc, ""},
		{"a package comment is needed", "ground/g.go", "package p", "no package comment"},
		{"the package comment says where the package ends", "ground/g.go", "// Package p is.\npackage p", "where the package ends"},
		{"programs need no such sentence", "cmd/x/main.go", "// Command x is.\npackage main\nfunc F() {}", ""},
		{"a function is documented", "ground/g.go", doc + "func F() {}", "exported name F"},
		{"an unexported function is free", "ground/g.go", doc + "func f() {}", ""},
		{"a method is documented", "ground/g.go", doc + "// T is.\ntype T[A any] int\nfunc (t *T[A]) M() {}", "exported name M"},
		{"a method of an unexported type is free", "ground/g.go", doc + "type t int\nfunc (t) M() {}", ""},
		{"a group shares the comment above it", "ground/g.go", doc + "// The kinds.\nconst (\nA = 1\nB = 2\n)", ""},
		{"neighbours share a comment", "ground/g.go", doc + "const (\n// A and B.\nA = 1\nB = 2\n)", ""},
		{"a blank line ends the sharing", "ground/g.go", doc + "const (\n// A is.\nA = 1\n\nB = 2\n)", "exported name B"},
		{"the comment of a type covers its first fields", "ground/g.go", doc + "// T is.\ntype T struct {\nF int\nG int\n}", ""},
		{"a field behind a blank line is documented", "ground/g.go", doc + "// T is.\ntype T struct {\nF int\n\nG int\n}", "exported name G"},
		{"an option is documented by itself", "ground/g.go", doc + "// T is.\ntype TOptions struct {\n// F is.\nF int\nG int\n}", "exported name G"},
		{"a comment behind a field will do", "ground/g.go", doc + "// T is.\ntype T struct {\nF int // seconds\n}", ""},
		{"a wire field is documented by the specification", "ground/g.go", doc + "// T is.\ntype T struct {\nF int `json:\"f\"`\n}", ""},
		{"a method of an interface is documented", "ground/g.go", doc + "// T is.\ntype T interface {\nM()\n\nN()\n}", "exported name N"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			expect(t, arch.Documented, map[string]string{tc.file: tc.text}, tc.want)
		})
	}
}

func TestTestsDoNotSleep(t *testing.T) {
	t.Parallel()
	sleeps := func(m *arch.Module, _ []arch.Layer) []arch.Breach { return arch.Sleeps(m) }
	const text = "import \"time\"\nfunc f() { time.Sleep(1) }"
	expect(t, sleeps, map[string]string{"ground/g.go": "", "ground/g_test.go": text}, "ground/g_test.go:3")
	expect(t, sleeps, map[string]string{"ground/g.go": text, "ground/g_test.go": "import \"time\"\nvar x = time.AfterFunc"}, "")
}

func TestNothingIsLeftToDo(t *testing.T) {
	t.Parallel()
	leftovers := func(m *arch.Module, _ []arch.Layer) []arch.Breach { return arch.Leftovers(m) }
	expect(t, leftovers, map[string]string{"ground/g.go": "func f() {} // TO" + "DO: more"}, "a comment says")
	expect(t, leftovers, map[string]string{"ground/g.go": "const s = `TO" + "DO`"}, "")
}

func TestLoadRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]fstest.MapFS{
		"no go.mod":         {},
		"no module line":    {"go.mod": {Data: []byte("go 1.26\n")}},
		"a file with a gap": {"go.mod": {Data: []byte("module m\n")}, "a.go": {Data: []byte("package p; func")}},
	} {
		if _, err := arch.Load(files); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
