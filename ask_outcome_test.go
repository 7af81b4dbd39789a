package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
)

func TestOutcomesAreDistinct(t *testing.T) {
	outcomes := []error{mcp.ErrInputRequired, mcp.ErrDeclined, mcp.ErrDismissed, mcp.ErrUnsupported}
	var got error
	handler := func(ctx context.Context) (string, error) {
		_, got = mcp.Ask[askName](ctx, "世界", "?")
		return "", got
	}
	s := askSession(t, askServer(nil, handler))
	first := callAsk(t, s)
	for _, test := range []struct {
		rule string
		run  func() *pass
		want error
	}{
		{"unanswered", func() *pass { return first }, mcp.ErrInputRequired},
		{"declined", func() *pass { return callAsk(t, s, first.with("世界", declined)) }, mcp.ErrDeclined},
		{"declined, with content", func() *pass {
			return callAsk(t, s, first.with("世界", `{"action":"decline","content":{"name":"x"}}`))
		}, mcp.ErrDeclined},
		{"dismissed", func() *pass { return callAsk(t, s, first.with("世界", dismissed)) }, mcp.ErrDismissed},
		{"unsupported", func() *pass { return askOnce(t.Context(), t, s, `{}`, "tools/call", theTool) }, mcp.ErrUnsupported},
	} {
		t.Run(test.rule, func(t *testing.T) {
			test.run()
			if test.rule == "unanswered" {
				callAsk(t, s)
			}
			var asked *mcp.AskError
			if !errors.As(got, &asked) || asked.Key != "世界" || asked.Err != test.want {
				t.Errorf("got %#v", got)
			}
			for _, outcome := range outcomes {
				if errors.Is(got, outcome) != (outcome == test.want) {
					t.Errorf("%v is %v: %v", got, outcome, errors.Is(got, outcome))
				}
			}
		})
	}
	t.Run("a refusal stands in later rounds", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			_, first := mcp.Ask[askName](ctx, "a", "?")
			if errors.Is(first, mcp.ErrInputRequired) {
				return "", first
			}
			_, err := mcp.Ask[askName](ctx, "b", "?")
			return first.Error(), err
		}))
		second := callAsk(t, s, callAsk(t, s).with("a", declined))
		second.wantAsked(t, "b")
		callAsk(t, s, second.with("a", accepted("x"), "b", accepted("x"))).wantText(t, `question "a": the user declined to answer`)
	})
}

// kinds are all that a client can be asked.
var kinds = map[string]func(ctx context.Context) error{
	"form": func(ctx context.Context) error {
		_, err := mcp.Ask[askName](ctx, "q", "?")
		return err
	},
	"url": func(ctx context.Context) error { return mcp.AskURL(ctx, "q", "?", "https://example.com/") },
	"sampling": func(ctx context.Context) error {
		_, err := sampling.Create(ctx, "q", sampling.Params{Messages: []sampling.Message{sampling.UserText("?")}, MaxTokens: 1})
		return err
	},
	"sampling with tools": func(ctx context.Context) error {
		_, err := sampling.Create(ctx, "q", sampling.Params{
			Messages: []sampling.Message{sampling.UserText("?")}, MaxTokens: 1,
			Tools: []sampling.Tool{{Name: "t", InputSchema: []byte(`{"type":"object"}`)}},
		})
		return err
	},
	"sampling with context": func(ctx context.Context) error {
		_, err := sampling.Create(ctx, "q", sampling.Params{Messages: []sampling.Message{sampling.UserText("?")}, MaxTokens: 1, IncludeContext: "thisServer"})
		return err
	},
	"roots": func(ctx context.Context) error {
		_, err := roots.List(ctx, "q")
		return err
	},
	"form and roots": func(ctx context.Context) error {
		_, form := mcp.Ask[askName](ctx, "q", "?")
		_, list := roots.List(ctx, "r")
		return errors.Join(form, list)
	},
}

func TestNothingIsAskedThatTheClientDidNotDeclare(t *testing.T) {
	for _, test := range []struct{ kind, declares, missing string }{
		{"form", `{}`, `{"elicitation":{}}`},
		{"form", `{"elicitation":{"url":{}}}`, `{"elicitation":{"form":{}}}`},
		{"form", `{"elicitation":null}`, `{"elicitation":{}}`},
		{"form", `{"elicitation":true,"sampling":{},"roots":{}}`, `{"elicitation":{}}`},
		{"form", `{"elicitation":{}}`, ``},
		{"form", `{"elicitation":{"form":{}}}`, ``},
		{"url", `{}`, `{"elicitation":{"url":{}}}`},
		{"url", `{"elicitation":{}}`, `{"elicitation":{"url":{}}}`},
		{"url", `{"elicitation":{"form":{}}}`, `{"elicitation":{"url":{}}}`},
		{"url", `{"elicitation":{"url":{}}}`, ``},
		{"sampling", `{"elicitation":{}}`, `{"sampling":{}}`},
		{"sampling", `{"sampling":{}}`, ``},
		{"sampling with tools", `{}`, `{"sampling":{"tools":{}}}`},
		{"sampling with tools", `{"sampling":{"context":{}}}`, `{"sampling":{"tools":{}}}`},
		{"sampling with tools", `{"sampling":{"tools":{}}}`, ``},
		{"sampling with context", `{"sampling":{}}`, `{"sampling":{"context":{}}}`},
		{"sampling with context", `{"sampling":{"context":{}}}`, ``},
		{"roots", `{"sampling":{}}`, `{"roots":{}}`},
		{"roots", `{"roots":{}}`, ``},
		{"form and roots", `{}`, `{"roots":{},"elicitation":{}}`},
		{"form and roots", `{"elicitation":{}}`, `{"roots":{}}`},
	} {
		t.Run(test.kind+" of "+test.declares, func(t *testing.T) {
			s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) { return "", kinds[test.kind](ctx) }))
			for method, target := range map[string]string{"tools/call": theTool, "prompts/get": theTool, "resources/read": `"uri":"ask:it"`} {
				p := askOnce(t.Context(), t, s, test.declares, method, target)
				if test.missing == "" {
					p.wantAsked(t, "q")
					continue
				}
				p.wantCode(t, -32021, "requires the client capability")
				if want := `{"requiredCapabilities":` + test.missing + `}`; p.data != want || p.http != 400 {
					t.Errorf("%s: data %s, status %d; want %s, 400", method, p.data, p.http, want)
				}
			}
		})
	}
}

func TestAHandlerCanDoWithoutWhatTheClientCannot(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		err := mcp.AskURL(ctx, "login", "?", "https://example.com/")
		if errors.Is(err, mcp.ErrUnsupported) {
			in, err := mcp.Ask[askName](ctx, "name", "?")
			return in.Name, err
		}
		return "", err
	}))
	p := askOnce(t.Context(), t, s, `{"elicitation":{}}`, "tools/call", theTool)
	p.wantAsked(t, "name")
	askOnce(t.Context(), t, s, `{"elicitation":{}}`, "tools/call", theTool, p.with("name", accepted("x"))).wantText(t, "x")
}

func TestAfterANotificationAMissingCapabilityIsToldInBand(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		mcp.Progress(ctx, 1, 2, "")
		return "", kinds["form"](ctx)
	}))
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":1},"name":"ask"}}`
	sink := &askSink{lines: make(chan string, 9)}
	if err := s.Handle(t.Context(), []byte(call), sink); err != nil {
		t.Fatal(err)
	}
	if note := <-sink.lines; !strings.Contains(note, "notifications/progress") {
		t.Fatal(note)
	}
	p := takeApart(t, <-sink.lines)
	p.wantFailure(t, `question "q": the client cannot be asked this`)
	if p.code != 0 || sink.status != 200 {
		t.Errorf("status %d: %s", sink.status, p.raw)
	}
}

func TestADeclaredNeedIsCheckedBeforeTheHandler(t *testing.T) {
	ran := false
	server := mcp.NewServer("s", "1", nil)
	mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Needs", Needs: []mcp.Capability{mcp.CapabilityElicitationURL, mcp.CapabilitySamplingTools}},
		func(context.Context, struct{}) (string, error) {
			ran = true
			return "ran", nil
		})
	s := askSession(t, server)
	p := askOnce(t.Context(), t, s, `{"sampling":{},"elicitation":{}}`, "tools/call", theTool)
	p.wantCode(t, -32021, "elicitation.url")
	if want := `{"requiredCapabilities":{"sampling":{"tools":{}},"elicitation":{"url":{}}}}`; p.data != want || p.http != 400 || ran {
		t.Errorf("data %s, status %d, ran %v; want %s", p.data, p.http, ran, want)
	}
	if list := askOnce(t.Context(), t, s, `{}`, "tools/list", ""); !strings.Contains(list.raw, `"name":"ask"`) {
		t.Errorf("the tool is not listed: %s", list.raw)
	}
	callAsk(t, s).wantText(t, "ran")
	old := legacySession(t, server, "2025-11-25", `{"elicitation":{}}`)
	ran = false
	askLegacy(t, old, "tools/call", theTool).wantFailure(t, "needs the client capability elicitation.url, sampling, sampling.tools")
	if ran {
		t.Error("the handler ran")
	}
}

func TestOutcomesAreNotRedacted(t *testing.T) {
	wrap := func(err error) error { return err }
	s := askSession(t, askServer(&mcp.Options{RedactErrors: true}, func(ctx context.Context) (string, error) {
		_, err := mcp.Ask[askName](ctx, "a", "?")
		return "", wrap(err)
	}))
	first := callAsk(t, s)
	callAsk(t, s, first.with("a", declined)).wantFailure(t, `question "a": the user declined to answer`)
	wrap = func(err error) error { return errors.Join(err, errors.New("secret")) }
	if p := callAsk(t, s, first.with("a", declined)); strings.Contains(p.raw, "secret") {
		t.Errorf("a secret beside an outcome is told: %s", p.raw)
	}
	wrap = func(err error) error { return errors.Join(err, err) }
	callAsk(t, s, first.with("a", declined)).wantFailure(t, "declined")
}
