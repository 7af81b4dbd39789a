package procedure_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

// asynchronous is a server with one asynchronous tool x of one integer.
func asynchronous(t *testing.T, fn any, def mcp.Tool, r content.Renderer) peer {
	t.Helper()
	var table procedure.Table
	if err := table.RegisterAsync("x", fn); err != nil {
		t.Fatal(err)
	}
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(def).Param("n", schema.Integer(), "").Render(r)
	if err := d.Verify(&table); err != nil {
		t.Fatal(err)
	}
	return connect(t, procedure.NewServer(d, &table, nil))
}

func TestAsynchronousProcedures(t *testing.T) {
	cases := []struct {
		rule  string
		fn    any
		want  string
		error bool
	}{
		{"done before it returns", func(n int, done func(int)) { done(n * 2) }, "6", false},
		{"done later, from another goroutine", func(n int, done func(int)) {
			go func() {
				<-time.After(time.Minute)
				done(n * 2)
			}()
		}, "6", false},
		{"done with an error", func(ctx context.Context, n int, done func(int, error)) {
			time.AfterFunc(time.Second, func() { done(n, errors.New("世界 failed")) })
		}, "世界 failed", true},
		{"done without an error", func(n int, done func(string, error)) {
			time.AfterFunc(time.Second, func() { done("ok 😀", nil) })
		}, "ok 😀", false},
		{"done with several results", func(n int, done func(int, string)) { go done(n, "x") }, `{"result1":3,"result2":"x"}`, false},
		{"done twice: the first counts", func(n int, done func(int)) {
			done(n)
			done(n + 1)
			go done(n + 2)
		}, "3", false},
		{"it does not start", func(n int, done func(int)) error { return errors.New("cannot start") }, "cannot start", true},
		{"it starts", func(n int, done func(int)) error {
			done(n)
			return nil
		}, "3", false},
		{"done counts before its error", func(n int, done func(int)) error {
			done(n)
			return errors.New("too late")
		}, "3", false},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, isError := asynchronous(t, c.fn, tool("x"), nil).call("x", `{"n":3}`).content(t)
				if got != c.want || isError != c.error {
					t.Errorf("got %q (isError %v), want %q", got, isError, c.want)
				}
			})
		})
	}
}

func TestDoneThatIsNeverCalledEndsWithTheContext(t *testing.T) {
	t.Run("the tool's timeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			def := tool("x")
			def.Timeout = time.Minute
			asynchronous(t, func(n int, done func(int)) {}, def, nil).call("x", `{"n":3}`).
				tells(t, "did not finish within 1m0s")
		})
	})
	t.Run("the client cancels", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			p := asynchronous(t, func(ctx context.Context, n int, done func(int)) {
				context.AfterFunc(ctx, func() { ended <- ctx.Err() })
			}, tool("x"), nil)
			reply := make(chan *answer)
			go func() { reply <- p.call("x", `{"n":3}`) }()
			synctest.Wait()
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{` + modernMeta + `,"requestId":1}}`)
			if a := <-reply; a.text != nil {
				t.Errorf("got %s, want no answer", a)
			}
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	})
	t.Run("the session closes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := asynchronous(t, func(n int, done func(int)) {}, tool("x"), nil)
			reply := make(chan *answer)
			go func() { reply <- p.call("x", `{"n":3}`) }()
			synctest.Wait()
			p.session.Close()
			(<-reply).tells(t, "context canceled")
		})
	})
}

func TestDoneAfterTheEndIsDroppedAndClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var late func(io.Reader, error)
		def := tool("x")
		def.Timeout = time.Second
		p := asynchronous(t, func(n int, done func(io.Reader, error)) { late = done }, def, content.ImageOf(""))
		p.call("x", `{"n":3}`).tells(t, "did not finish")
		image := &source{n: 3}
		late(image, nil)
		if image.closed != 1 {
			t.Errorf("closed %d times", image.closed)
		}
		late(nil, errors.New("again"))
	})
}

func TestAnAsynchronousProcedureThatPanicsIsIsolated(t *testing.T) {
	var late func(io.Reader)
	p := asynchronous(t, func(n int, done func(io.Reader)) {
		late = done
		panic("secret")
	}, tool("x"), content.ImageOf(""))
	if got, isError := p.call("x", `{"n":3}`).content(t); !isError || strings.Contains(got, "secret") {
		t.Errorf("got %q", got)
	}
	image := &source{n: 3}
	late(image)
	if image.closed != 1 {
		t.Errorf("closed %d times", image.closed)
	}
}

func TestAsynchronousCallsOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := asynchronous(t, func(n int, done func(int)) {
			time.AfterFunc(time.Duration(n)*time.Second, func() { done(n) })
		}, tool("x"), nil)
		began := time.Now()
		replies := make(chan string)
		for _, n := range []string{"3", "1", "2"} {
			go func() {
				message := strings.Replace(callMessage("x", `{"n":`+n+`}`), `"id":1`, `"id":"`+n+`"`, 1)
				got, _ := p.send(message).content(t)
				replies <- got
			}()
		}
		if got := <-replies + <-replies + <-replies; got != "123" || time.Since(began) != 3*time.Second {
			t.Errorf("got %s after %s", got, time.Since(began))
		}
	})
}
