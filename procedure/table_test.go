package procedure_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) Add(by int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += by
	return c.n
}

type myError struct{}

func (*myError) Error() string { return "mine" }

func TestSignaturesAreCheckedAtRegistration(t *testing.T) {
	type inner struct {
		C chan int `json:"c"`
	}
	cases := []struct {
		rule string
		fn   any
		want string // "": accepted
	}{
		{"a function without anything", func() {}, ""},
		{"ten parameters and more", func(a, b, c, d, e, f, g, h, i, j, k int) int { return 0 }, ""},
		{"a method value", (&counter{}).Add, ""},
		{"a variadic function", func(parts ...string) string { return "" }, ""},
		{"results and an error", func(context.Context) (int, string, error) { return 0, "", nil }, ""},
		{"an error alone", func(int) error { return nil }, ""},
		{"a reader as result", func() (io.Reader, error) { return nil, nil }, ""},
		{"nil", nil, "expected a function, got <nil>"},
		{"no function", 7, "expected a function, got int"},
		{"a nil function", (func())(nil), "the function is nil"},
		{"a channel", func(a int, c chan int) {}, "parameter 2 (chan int)"},
		{"a channel inside", func(ctx context.Context, a inner) {}, "parameter 2 (procedure_test.inner): at inner.C"},
		{"an interface with methods", func(r io.Reader) {}, "parameter 1 (io.Reader)"},
		{"a duration", func(d time.Duration) {}, "parameter 1 (time.Duration)"},
		{"a context that is not first", func(a int, ctx context.Context) {}, "parameter 2 is a context.Context; make it the first"},
		{"a callback", func(done func(int)) {}, "use RegisterAsync"},
		{"every parameter is reported", func(a chan int, b func(), c int) {}, "parameter 2 (func())"},
		{"an error that is not last", func() (error, error) { return nil, nil }, "result 1 is an error"},
		{"an error of a type of its own", func() *myError { return nil }, "declare it as error"},
		{"a function as result", func() (int, func()) { return 0, nil }, "result 2 (func()) cannot be rendered"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var table procedure.Table
			checkError(t, table.Register("x", c.fn), c.want)
		})
	}
}

func TestAsynchronousSignaturesAreCheckedAtRegistration(t *testing.T) {
	cases := []struct {
		rule string
		fn   any
		want string
	}{
		{"done alone", func(done func()) {}, ""},
		{"done with results and an error", func(ctx context.Context, a int, done func(int, string, error)) {}, ""},
		{"an error when it does not start", func(a int, done func(int)) error { return nil }, ""},
		{"no done", func(a int) {}, "parameter 1 (int) must take the results"},
		{"nothing", func() {}, "no function as its last parameter"},
		{"a context alone", func(context.Context) {}, "no function as its last parameter"},
		{"done that returns something", func(done func() int) {}, "and return nothing"},
		{"done that is variadic", func(done func(...int)) {}, "and return nothing"},
		{"a variadic function", func(done ...func()) {}, "no function as its last parameter"},
		{"a result beside done", func(done func(int)) int { return 0 }, "belong to func(int)"},
		{"a channel in done", func(done func(chan int)) {}, "1 (chan int) cannot be rendered"},
		{"a channel as parameter", func(c chan int, done func()) {}, "parameter 1 (chan int)"},
		{"nil", nil, "expected a function"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			var table procedure.Table
			checkError(t, table.RegisterAsync("x", c.fn), c.want)
		})
	}
}

// checkError wants an error that names the line and the procedure, or none.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	text := fmt.Sprint(err)
	switch {
	case want == "" && err != nil:
		t.Errorf("got %v, want no error", err)
	case want != "" && (!strings.HasPrefix(text, "table_test.go:") || !strings.Contains(text, `: procedure "x": `) || !strings.Contains(text, want)):
		t.Errorf("got %v, want the line, the procedure and %q", err, want)
	}
}

func TestAFailedRegistrationChangesNothing(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func() string { return "first" })
	if table.Register("x", 1) == nil || table.Register("", func() {}) == nil {
		t.Fatal("want errors")
	}
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x"))
	connect(t, procedure.NewServer(d, &table, nil)).call("x", `{}`).returns(t, "first")
}

func TestProceduresOfEveryForm(t *testing.T) {
	var table procedure.Table
	c, greeting := &counter{}, "hello "
	register(
		t, &table,
		"method", c.Add,
		"closure", func(name string) string { return greeting + name },
		"context", func(ctx context.Context, n int) string { return fmt.Sprint(mcp.RequestFrom(ctx).Name(), n) },
		"variadic", func(sep string, parts ...string) string { return strings.Join(parts, sep) },
		"error", func(ok bool) error {
			if ok {
				return nil
			}
			return errors.New("世界 is not ok 😀")
		},
	)
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("method")).Param("by", schema.Integer(), "")
	d.AddTool(tool("closure")).Param("name", schema.String(), "")
	d.AddTool(tool("context")).Param("n", schema.Integer(), "")
	d.AddTool(tool("variadic")).Param("sep", schema.String(), "").Param("parts", schema.Array(schema.String()), "").Optional("parts")
	d.AddTool(tool("error")).Param("ok", schema.Boolean(), "")
	if err := d.Verify(&table); err != nil {
		t.Fatal(err)
	}
	p := connect(t, procedure.NewServer(d, &table, nil))
	p.call("method", `{"by":2}`).returns(t, "2")
	p.call("method", `{"by":3}`).returns(t, "5")
	p.call("closure", `{"name":"世界😀"}`).returns(t, "hello 世界😀")
	p.call("context", `{"n":4}`).returns(t, "context4")
	p.call("variadic", `{"sep":"-","parts":["a","b","c"]}`).returns(t, "a-b-c")
	p.call("variadic", `{"sep":"-"}`).returns(t, "")
	p.call("error", `{"ok":false}`).tells(t, "世界 is not ok 😀")
	if got, want := p.call("error", `{"ok":true}`).String(), `"content":[],"isError":false`; !strings.Contains(got, want) {
		t.Errorf("no result is no content; got %s", got)
	}
}

func TestAProcedureIsReplacedWhileItServes(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func(n int) string { return "int" })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).Param("n", schema.Integer(), "")
	p := connect(t, procedure.NewServer(d, &table, nil))
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for i := range 200 {
				a := &answer{}
				message := strings.Replace(callMessage("x", `{"n":1}`), `"id":1`, fmt.Sprintf(`"id":"%p-%d"`, a, i), 1)
				p.session.Handle(context.Background(), []byte(message), a)
				if text := a.String(); !strings.Contains(text, `"text":"int"`) && !strings.Contains(text, `"text":"float"`) {
					t.Error(text)
				}
			}
		})
	}
	for i := range 200 {
		var fn any = func(n int) string { return "int" }
		if i%2 == 0 {
			fn = func(n float64) string { return "float" }
		}
		register(t, &table, "x", fn)
	}
	callers.Wait()
}
