package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
)

var _ = flag.Bool("update", false, "write golden files anew")

type pair struct {
	A int `json:"a"`
	B int `json:"b"`
}

type sum struct {
	Result int    `json:"result"`
	Note   string `json:"note,omitempty"`
}

type none struct{}

type consent struct {
	Sure bool `json:"sure"`
}

// newServer has what the client of this package can ask for.
func newServer() *mcp.Server {
	s := mcp.NewServer("tested", "1.2.3", &mcp.Options{
		Title: "世界", Instructions: "add 😀", PageSize: 3, Dynamic: true, ResourceUpdates: true,
	})
	addTools(s)
	addTalkers(s)
	mcp.AddFixedResource(s, mcp.Resource{URI: "t://notes", Name: "notes", Title: "Notes", Description: "世界", Size: 3}, "世")
	for _, name := range []string{"b", "c", "d"} {
		mcp.AddResource(s, mcp.Resource{URI: "t://" + name, Name: name},
			func(context.Context) ([]byte, error) { return []byte{0, 255}, nil })
	}
	mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "t://shout/{text}", Name: "shout", Complete: map[string]mcp.Completer{"text": mcp.CompleteFrom("世界", "😀")}},
		func(_ context.Context, v struct {
			Text string `json:"text"`
		},
		) (string, error) {
			return strings.ToUpper(v.Text), nil
		})
	mcp.AddPrompt(s, mcp.Prompt{
		Name: "greet", Title: "Greet", Description: "Greets",
		Complete: map[string]mcp.Completer{"name": func(_ context.Context, value string, known map[string]string) ([]string, error) {
			return []string{value + known["city"]}, nil
		}},
	}, func(_ context.Context, in struct {
		Name string `json:"name" doc:"Who"`
		City string `json:"city,omitempty"`
	},
	) ([]mcp.Message, error) {
		return []mcp.Message{mcp.UserText("Hello " + in.Name), mcp.AssistantText("😀")}, nil
	})
	return s
}

func addTools(s *mcp.Server) {
	tool := func(name string) mcp.Tool { return mcp.Tool{Name: name, Description: "does " + name} }
	mcp.AddTool(s, mcp.Tool{Name: "add", Title: "Add", Description: "adds", ReadOnly: new(true)},
		func(_ context.Context, in pair) (int, error) { return in.A + in.B, nil })
	mcp.AddTool(s, tool("sum"), func(_ context.Context, in pair) (sum, error) { return sum{in.A + in.B, "世界"}, nil })
	mcp.AddTool(s, tool("plain"), func(_ context.Context, in pair) (pair, error) { return in, nil })
	mcp.AddTool(s, tool("words"), func(context.Context, none) ([]string, error) { return []string{"世界", "😀"}, nil })
	mcp.AddTool(s, tool("table"), func(context.Context, none) (map[string]int, error) { return map[string]int{"世界": 1}, nil })
	mcp.AddTool(s, tool("maybe"), func(context.Context, none) (*pair, error) { return &pair{A: 1}, nil })
	mcp.AddTool(s, tool("text"), func(context.Context, none) (string, error) { return "世界\n\"😀\"", nil })
	mcp.AddTool(s, tool("blocks"), func(context.Context, none) ([]content.Block, error) {
		return []content.Block{content.NewText("a"), content.PNG([]byte{1}), content.NewText("b")}, nil
	})
	mcp.AddTool(s, tool("fail"), func(context.Context, none) (string, error) { return "", errors.New("世界 is full") })
	mcp.AddTool(s, tool("refuse"), func(context.Context, none) (string, error) {
		return "", &mcp.Error{Code: 7, Message: "no 世界", Data: map[string]int{"n": 1}}
	})
	mcp.AddTool(s, tool("who"), func(ctx context.Context, _ none) (string, error) {
		r := mcp.RequestFrom(ctx)
		return fmt.Sprint(r.Client(), r.Caller(), r.Transport(), r.Revision()), nil
	})
}

// addTalkers adds tools that say or ask something while they run.
func addTalkers(s *mcp.Server) {
	tool := func(name string) mcp.Tool { return mcp.Tool{Name: name, Description: "does " + name} }
	mcp.AddTool(s, tool("work"), func(ctx context.Context, _ none) (string, error) {
		mcp.Progress(ctx, 1, 2, "世界")
		mcp.Logger(ctx).WarnContext(ctx, "😀")
		return "done", nil
	})
	mcp.AddTool(s, tool("grow"), func(ctx context.Context, _ none) (string, error) {
		return "grown", s.Change(ctx, func(c *mcp.Change) {
			mcp.AddTool(c, tool("new"), func(context.Context, none) (string, error) { return "", nil })
		})
	})
	mcp.AddTool(s, tool("ask"), func(ctx context.Context, _ none) (string, error) {
		one, err1 := mcp.Ask[consent](ctx, "one", "One 世界?")
		two, err2 := mcp.Ask[consent](ctx, "two", "Two 😀?")
		return fmt.Sprint(one.Sure, two.Sure), errors.Join(err1, err2)
	})
	mcp.AddTool(s, tool("visit"), func(ctx context.Context, _ none) (string, error) {
		return "visited", mcp.AskURL(ctx, "visit", "Go there", "https://example.com/")
	})
	mcp.AddTool(s, tool("poem"), func(ctx context.Context, _ none) (string, error) {
		result, err := sampling.Create(ctx, "poem", sampling.Params{Messages: []sampling.Message{sampling.UserText("世界")}, MaxTokens: 9})
		if err != nil {
			return "", err
		}
		return result.Text(), nil
	})
	mcp.AddTool(s, tool("where"), func(ctx context.Context, _ none) (string, error) {
		list, err := roots.List(ctx, "where")
		return fmt.Sprint(list), err
	})
}

// recorder is a test that may fail without failing this one.
type recorder struct {
	testing.TB
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

// record runs a test and returns how it failed.
func record(t *testing.T, test func(t testing.TB)) []string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for i := len(r.cleanups) - 1; i >= 0; i-- {
				r.cleanups[i]()
			}
		}()
		test(r)
	}()
	<-done
	return r.failures
}

// fails checks that a test fails once, with a text.
func fails(t *testing.T, want string, test func(t testing.TB)) {
	t.Helper()
	got := record(t, test)
	if len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("failures %q, want one with %q", got, want)
	}
}

func compact(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
