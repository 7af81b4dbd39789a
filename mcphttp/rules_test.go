package mcphttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
)

// The files rules_*_test.go hold rules of the specification that the official conformance suite does not look at, as a client
// sees them over HTTP. Where a rule is one of the core it has a closer test there.

// rule is one request of the current revision, and what must and must not be in its answer.
type rule struct {
	name    string
	method  string
	target  string // of Mcp-Name; "" leaves it out
	params  string // members of params beside _meta
	caps    string // what the client declares; "" is nothing
	meta    string // further members of _meta, each behind a comma
	changes []string
	status  int
	want    []string
	never   []string
}

func (r rule) request(t testing.TB, url, id string) *http.Request {
	t.Helper()
	caps := r.caps
	if caps == "" {
		caps = `{}`
	}
	params := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":` + caps + r.meta + `}`
	if r.params != "" {
		params += "," + r.params
	}
	body := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + r.method + `","params":{` + params + `}}`
	return request(t, http.MethodPost, url, modernHeaders(r.method, r.target), body, r.changes...)
}

// check sends the request and holds the answer to the rule.
func (r rule) check(t testing.TB, url string) answer {
	t.Helper()
	a := do(t, r.request(t, url, "7"))
	if a.StatusCode != r.status {
		t.Errorf("%s: got status %d, want %d: %s", r.name, a.StatusCode, r.status, a.body)
	}
	for _, want := range append(r.want, `"id":7`) {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s: got %s, want %s in it", r.name, a.body, want)
		}
	}
	for _, never := range append(r.never, `"id":null`) {
		if strings.Contains(a.body, never) {
			t.Errorf("%s: got %s, want no %s in it", r.name, a.body, never)
		}
	}
	return a
}

func checkAll(t *testing.T, url string, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			r.check(t, url)
		})
	}
}

// callOf is the params of a tools/call.
func callOf(tool, arguments string) string {
	return `"name":"` + tool + `","arguments":` + arguments
}

// routed has parameters that travel in headers, too.
type routed struct {
	Region string `json:"region" doc:"Where" header:"Region"`
	Level  int    `json:"level,omitempty" doc:"How high" header:"Level"`
	Dry    bool   `json:"dry,omitempty" doc:"Whether nothing is done" header:"Dry-Run"`
	Inner  struct {
		Street string `json:"street,omitempty" doc:"Street" header:"Street"`
	} `json:"inner,omitempty" doc:"More"`
}

type sure struct {
	Sure bool `json:"sure" doc:"Whether to go on"`
}

type greeted struct {
	Name string `json:"name" doc:"Who"`
}

type item struct {
	ID string `json:"id"`
}

// newRuled has one of everything that the rules need.
func newRuled(o *mcp.Options) *mcp.Server {
	if o == nil {
		o = &mcp.Options{Dynamic: true, ResourceUpdates: true}
	}
	server := newFixture(o).server
	tool := func(name string, handle func(ctx context.Context) (string, error)) {
		mcp.AddTool(server, mcp.Tool{Name: name, Description: name}, func(ctx context.Context, _ none) (string, error) { return handle(ctx) })
	}
	mcp.AddTool(server, mcp.Tool{Name: "route", Description: "Has header parameters"}, func(_ context.Context, in routed) (routed, error) { return in, nil })
	mcp.AddTool(server, mcp.Tool{Name: "samples", Description: "Needs a model", Needs: []mcp.Capability{mcp.CapabilitySampling}},
		func(context.Context, none) (string, error) { return "", nil })
	tool("meta", func(ctx context.Context) (string, error) {
		r := mcp.RequestFrom(ctx)
		return string(r.Meta("traceparent")) + string(r.Meta("baggage")), nil
	})
	tool("confirm", func(ctx context.Context) (string, error) {
		mcp.Progress(ctx, 1, 2, "")
		answer, err := mcp.Ask[sure](ctx, "sure", "Sure?")
		return fmt.Sprint("sure: ", answer.Sure), err
	})
	tool("other", func(ctx context.Context) (string, error) {
		_, err := mcp.Ask[sure](ctx, "sure", "Sure?")
		return "other", err
	})
	mcp.AddTool(server, mcp.Tool{Name: "counted", Description: "Asks"}, func(ctx context.Context, in stepsIn) (string, error) {
		answer, err := mcp.Ask[sure](ctx, "sure", "Sure?")
		return fmt.Sprint(in.Steps, " sure: ", answer.Sure), err
	})
	tool("visit", func(ctx context.Context) (string, error) {
		return "", mcp.AskURL(ctx, "page", "Visit it", "https://example.com/")
	})
	tool("folders", func(ctx context.Context) (string, error) {
		_, err := roots.List(ctx, "folders")
		return "", err
	})
	tool("model", func(ctx context.Context) (string, error) {
		_, err := sampling.Create(ctx, "model", sampling.Params{Messages: []sampling.Message{sampling.UserText("?")}, MaxTokens: 1})
		return "", err
	})
	tool("again", func(ctx context.Context) (string, error) {
		if state := mcp.RequestFrom(ctx).State(); state != "" {
			return "back with " + state, nil
		}
		return "", mcp.InputRequired("first")
	})
	tool("talk", func(ctx context.Context) (string, error) {
		log := mcp.Logger(ctx)
		for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
			log.Log(ctx, level, level.String())
		}
		for _, done := range []float64{1, 1, 0, 2, 2} {
			mcp.Progress(ctx, done, 2, "")
		}
		return "talked", nil
	})
	tool("panic", func(context.Context) (string, error) { panic("secret 世界") })
	tool("touch", func(ctx context.Context) (string, error) {
		return "", errors.Join(server.ResourceUpdated(ctx, "x://other"), server.ResourceUpdated(ctx, "x://fixed"))
	})
	addRuledResources(server)
	return server
}

func addRuledResources(server *mcp.Server) {
	mcp.AddFixedResource(server, mcp.Resource{URI: "x://fixed", Name: "fixed"}, "text 世界😀")
	mcp.AddFixedResource(server, mcp.Resource{URI: "x://other", Name: "other"}, "")
	mcp.AddResource(server, mcp.Resource{URI: "x://guarded", Name: "guarded"}, func(ctx context.Context) (string, error) {
		_, err := mcp.Ask[sure](ctx, "sure", "Sure?")
		return "opened", err
	})
	mcp.AddResource(server, mcp.Resource{URI: "x://broken", Name: "broken"}, func(context.Context) (string, error) { return "", errors.New("no disk") })
	mcp.AddTemplate(server, mcp.ResourceTemplate{URITemplate: "x://items/{id}", Name: "items"}, func(_ context.Context, v item) (string, error) { return "item " + v.ID, nil })
	mcp.AddPrompt(server, mcp.Prompt{Name: "greet", Description: "Greet", Complete: map[string]mcp.Completer{"name": mcp.CompleteFrom("Ann", "Anna")}},
		func(_ context.Context, in greeted) (string, error) { return "Hello " + in.Name, nil })
}

// ruled serves it.
func ruled(t *testing.T, o *mcp.Options) (url string) {
	t.Helper()
	h, err := mcphttp.NewHandler(newRuled(o), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return serveHandler(t, h).URL
}

// member is a member of a result, by its path.
func member(t testing.TB, body string, path ...string) string {
	t.Helper()
	raw := json.RawMessage(body)
	for _, name := range append([]string{"result"}, path...) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil || members[name] == nil {
			t.Fatalf("no %s in %s: %v", name, body, err)
		}
		raw = members[name]
	}
	return string(raw)
}
