package mcptest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
)

// logged is a test whose log can be read.
type logged struct {
	testing.TB
	mu  sync.Mutex
	log strings.Builder
}

func (l *logged) Log(args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(&l.log, args...)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log.String()
}

// failing is a server whose tools fail in ways of which the client learns a reference or nothing.
func failing(o *mcp.Options) *mcp.Server {
	s := mcp.NewServer("s", "1", o)
	mcp.AddTool(s, mcp.Tool{Name: "panic", Description: "panics"}, func(context.Context, none) (string, error) { panic("größe 世界") })
	mcp.AddTool(s, mcp.Tool{Name: "error", Description: "fails"}, func(context.Context, none) (string, error) { return "", errors.New("größe 世界") })
	mcp.AddTool(s, mcp.Tool{Name: "code", Description: "takes a reserved code"}, func(context.Context, none) (string, error) {
		return "", &mcp.Error{Code: -32601, Message: "no"}
	})
	return s
}

func TestWhatTheClientIsNotToldIsInTheLogOfTheTest(t *testing.T) {
	for _, c := range []struct {
		rule, tool string
		options    *mcp.Options
		want       []string // none: nothing is logged
	}{
		{"a panic, its reference and where it was", "panic", nil, []string{`panic ref="mcp-err-1"`, `name="panic"`, `panic="größe 世界"`, "report_test.go:"}},
		{"an error that is redacted", "error", &mcp.Options{RedactErrors: true}, []string{`error ref="mcp-err-1"`, `error="größe 世界"`}},
		{"an error that the client is told", "error", nil, nil},
		{"a code that is not the handler's to send", "code", nil, []string{"reserved error code", `code="-32601"`}},
		{"a panic of a server that has a logger", "panic", &mcp.Options{Logger: slog.New(slog.DiscardHandler)}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			l := &logged{TB: t}
			_, _ = mcptest.Connect(l, failing(c.options), nil).CallTool(t.Context(), c.tool, nil)
			got := l.String()
			for _, part := range c.want {
				if !strings.Contains(got, part) {
					t.Errorf("the log lacks %s: %s", part, got)
				}
			}
			if c.want == nil && got != "" {
				t.Errorf("logged %s", got)
			}
		})
	}
}

func TestAPanicAfterTheTestIsNotLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		s := mcp.NewServer("s", "1", nil)
		mcp.AddTool(s, mcp.Tool{Name: "late", Description: "panics late"}, func(context.Context, none) (string, error) {
			cancel()
			<-let
			panic("größe")
		})
		l := &logged{}
		fails(t, "a handler is still running", func(inner testing.TB) {
			l.TB = inner
			_, _ = mcptest.Connect(l, s, nil).CallTool(ctx, "late", nil)
		})
		close(let)
		synctest.Wait()
		if l.String() != "" {
			t.Errorf("logged %s", l.String())
		}
	})
}

func TestEachRevisionTakesOptions(t *testing.T) {
	asked, seen := 0, []string{}
	o := &mcptest.Options{
		Revision: "1999", // each has its own
		Elicit: func(context.Context, mcptest.Question) (mcptest.Answer, error) {
			asked++
			return mcptest.Answer{Content: consent{true}}, nil
		},
	}
	mcptest.EachRevision(t, newServer, o, func(t *testing.T, c *mcptest.Client) {
		before := asked
		_, err := mcptest.Call[string](t.Context(), c, "ask", nil)
		if (err == nil) != (asked > before) {
			t.Errorf("asked %d times, error %v", asked-before, err)
		}
		if err == nil {
			seen = append(seen, c.Revision())
		}
	})
	if !slices.Equal(seen, mcptest.Revisions()[2:]) || o.Revision != "1999" {
		t.Errorf("asked in %v; the options are now those of %s", seen, o.Revision)
	}
}
