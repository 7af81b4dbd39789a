package procedure_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

// failing is a server with one tool x of one integer, whose log goes to log.
func failing(t *testing.T, log *bytes.Buffer, redact bool, fn any, r content.Renderer) peer {
	t.Helper()
	var table procedure.Table
	register(t, &table, "x", fn)
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).Param("n", schema.Integer(), "").Render(r)
	options := &mcp.Options{RedactErrors: redact, Logger: slog.New(slog.NewTextHandler(log, nil))}
	return connect(t, procedure.NewServer(d, &table, options))
}

func TestFaults(t *testing.T) {
	var log bytes.Buffer
	returning := func(err error) any { return func(int) (int, error) { return 0, err } }
	t.Run("an error is told to the model", func(t *testing.T) {
		failing(t, &log, false, returning(errors.New("世界 \"gone\" 😀")), nil).call("x", `{"n":1}`).tells(t, "世界 \"gone\" 😀")
	})
	t.Run("whatever the renderer", func(t *testing.T) {
		failing(t, &log, false, returning(errors.New("gone")), content.ImageOf("")).call("x", `{"n":1}`).tells(t, "gone")
	})
	t.Run("an mcp.Error is a JSON-RPC error", func(t *testing.T) {
		fault := fmt.Errorf("wrapped: %w", &mcp.Error{Code: 4711, Message: "quota", Data: map[string]int{"left": 0}})
		a := failing(t, &log, false, returning(fault), nil).call("x", `{"n":1}`)
		a.fails(t, 4711, "quota")
		if !strings.Contains(a.String(), `"data":{"left":0}`) {
			t.Error(a)
		}
	})
	t.Run("but not with a reserved code", func(t *testing.T) {
		fault := &mcp.Error{Code: -32601, Message: "no"}
		failing(t, &log, false, returning(fault), nil).call("x", `{"n":1}`).fails(t, mcp.CodeInternalError, "no")
	})
	t.Run("redaction hides errors and keeps what is wrong with arguments", func(t *testing.T) {
		p := failing(t, &log, true, returning(errors.New("password is 12345")), nil)
		if got, isError := p.call("x", `{"n":1}`).content(t); !isError || strings.Contains(got, "12345") {
			t.Errorf("got %q", got)
		}
		p.call("x", `{"n":"one"}`).tells(t, `arguments.n: expected integer, got "one"`)
		failing(t, &log, true, returning(mcp.UserErrorf("try %d", 2)), nil).call("x", `{"n":1}`).tells(t, "try 2")
	})
}

func TestPanicsAreIsolated(t *testing.T) {
	cases := map[string]func(int) int{
		"panic":          func(int) int { panic("secret 世界") },
		"nil pointer":    func(n int) int { return map[bool]*row{}[n > 0].N },
		"index":          func(n int) int { return []int{}[n] },
		"runtime.Goexit": func(int) int { runtime.Goexit(); return 0 },
	}
	for rule, fn := range cases {
		t.Run(rule, func(t *testing.T) {
			var log bytes.Buffer
			p := failing(t, &log, false, fn, nil)
			answered := make(chan *answer, 1)
			go func() {
				a := &answer{}
				defer func() { answered <- a }()
				p.session.Handle(t.Context(), []byte(callMessage("x", `{"n":1}`)), a)
			}()
			got := (<-answered).String()
			if strings.Contains(got, "secret") || strings.Contains(got, "goroutine") || !strings.Contains(got, `rror`) {
				t.Errorf("got %s", got)
			}
			if rule != "runtime.Goexit" && !strings.Contains(log.String(), "mcp-err-1") {
				t.Errorf("nothing was logged: %s", log.String())
			}
			p.send(callMessage("x", `{}`)).tells(t, "missing required argument")
		})
	}
	t.Run("in a renderer", func(t *testing.T) {
		var log bytes.Buffer
		r := content.RendererFunc(func(any) ([]content.Block, error) { panic("secret") })
		if got, isError := failing(t, &log, false, func(n int) int { return n }, r).call("x", `{"n":1}`).content(t); !isError || strings.Contains(got, "secret") {
			t.Errorf("got %q", got)
		}
	})
}
