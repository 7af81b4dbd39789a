package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/schema"
)

func TestKeysAreBounded(t *testing.T) {
	long := strings.Repeat("世", 42) // 126 bytes
	for _, test := range []struct{ key, fails string }{
		{"", "a key has 1 to 128 bytes"},
		{long + "ab", ""},
		{long + "abc", "a key has 1 to 128 bytes, this one has 129"},
	} {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			_, err := mcp.Ask[askName](ctx, test.key, "?")
			return "", err
		}))
		if p := callAsk(t, s); test.fails == "" {
			p.wantAsked(t, test.key)
		} else {
			p.wantFailure(t, test.fails)
		}
	}
}

func TestLimitsOfARequest(t *testing.T) {
	t.Run("33 questions are one too many, and none is asked", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			var errs []error
			for range 33 {
				_, err := mcp.Ask[askName](ctx, "q", "?")
				errs = append(errs, err)
			}
			return "", errors.Join(errs...)
		}))
		callAsk(t, s).wantFailure(t, `question "q#33": more than 32 questions; put several into one form, or use Remember`)
	})
	t.Run("32 in 2 rounds are not", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			for range 2 {
				var errs []error
				for range 16 {
					_, err := mcp.Ask[askName](ctx, "q", "?")
					errs = append(errs, err)
				}
				if err := errors.Join(errs...); err != nil {
					return "", err
				}
			}
			return "done", nil
		}))
		p := callAsk(t, s)
		for range 2 {
			var answers []string
			for _, key := range p.keys {
				answers = append(answers, key, accepted("x"))
			}
			p = callAsk(t, s, p.with(answers...))
		}
		p.wantText(t, "done")
	})
	t.Run("the 17th round is one too many", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			for {
				if _, err := mcp.Ask[askName](ctx, "q", "?"); err != nil {
					return "", err
				}
			}
		}))
		p := callAsk(t, s)
		for range 15 {
			p = callAsk(t, s, p.with(p.keys[0], accepted("x")))
			p.wantAsked(t, p.keys...)
		}
		callAsk(t, s, p.with(p.keys[0], accepted("x"))).wantFailure(t, `question "q#17": more than 16 rounds of questions; ask for more at a time, and for the same in every pass`)
	})
	t.Run("the last of answers that do not fit is told", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			_, err := mcp.Ask[askName](ctx, "größe", "?")
			return "", err
		}))
		p := callAsk(t, s)
		for range 15 {
			p = callAsk(t, s, p.with("größe", `{"action":"vielleicht"}`))
			p.wantAsked(t, "größe")
		}
		callAsk(t, s, p.with("größe", `{"action":"vielleicht"}`)).wantFailure(t, `the last answer could not be used because: unknown action "vielleicht"; expected accept, decline or cancel`)
	})
	t.Run("answers of more than 16 KiB", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			if _, err := mcp.Ask[askName](ctx, "small", "?"); err != nil {
				return "", err
			}
			if _, err := mcp.Ask[askName](ctx, "large", "?"); err != nil {
				return "", err
			}
			_, err := mcp.Ask[askName](ctx, "last", "?")
			return "", err
		}))
		second := callAsk(t, s, callAsk(t, s).with("small", accepted("x")))
		callAsk(t, s, second.with("large", accepted(strings.Repeat("世", 5000)))).wantAsked(t, "last")
		callAsk(t, s, second.with("large", accepted(strings.Repeat("世", 6000)))).
			wantFailure(t, `question "large": it takes the most of the `)
	})
}

func TestQuestionsThatCannotBeAsked(t *testing.T) {
	type nested struct {
		Inner struct{ A string } `json:"inner"`
	}
	for _, test := range []struct {
		rule string
		ask  func(ctx context.Context) error
		want string
	}{
		{"a form with a nested object", func(ctx context.Context) error {
			_, err := mcp.Ask[nested](ctx, "q", "?")
			return err
		}, `question "q": field "inner": a form field cannot be "object"`},
		{"no struct", func(ctx context.Context) error {
			_, err := mcp.Ask[string](ctx, "q", "?")
			return err
		}, `question "q": at the root: the schema of a form must have "type": "object"`},
		{"a form of nothing", func(ctx context.Context) error {
			_, err := mcp.Ask[struct{}](ctx, "q", "?")
			return err
		}, `question "q": a form is an object with at least one field`},
		{"no schema", func(ctx context.Context) error {
			_, err := mcp.AskForm(ctx, "q", "?", nil)
			return err
		}, `question "q": the schema of the form is nil`},
		{"a relative URL", func(ctx context.Context) error { return mcp.AskURL(ctx, "q", "?", "/login") }, `is not absolute`},
		{"a URL with credentials", func(ctx context.Context) error { return mcp.AskURL(ctx, "q", "?", "https://u:p@example.com/") }, `holds credentials`},
		{"a URL that is not https", func(ctx context.Context) error { return mcp.AskURL(ctx, "q", "?", "http://example.com/") }, `is not https; only a loopback host may be http`},
		{"a host that only begins like loopback", func(ctx context.Context) error { return mcp.AskURL(ctx, "q", "?", "http://127.0.0.1.example.com/") }, `is not https; only a loopback host may be http`},
		{"a URL of a script", func(ctx context.Context) error { return mcp.AskURL(ctx, "q", "?", "javascript:alert(1)") }, `is not absolute`},
		{"an unknown method", func(ctx context.Context) error {
			_, err := mcp.AskRaw(ctx, "q", "weird/thing", nil)
			return err
		}, `a client cannot be asked by "weird/thing"; use elicitation/create, sampling/createMessage or roots/list`},
		{"parameters that are no object", func(ctx context.Context) error {
			_, err := mcp.AskRaw(ctx, "q", "roots/list", []int{1})
			return err
		}, `the parameters of roots/list are no object`},
		{"parameters that do not encode", func(ctx context.Context) error {
			_, err := mcp.AskRaw(ctx, "q", "roots/list", map[string]any{"a": func() {}})
			return err
		}, `encoding the parameters`},
		{"a raw form that is nested", func(ctx context.Context) error {
			_, err := mcp.AskRaw(ctx, "q", "elicitation/create", map[string]any{"message": "m", "requestedSchema": schema.Object().Prop("世", schema.Array(schema.String()))})
			return err
		}, `field "世"`},
		{"a raw URL that is not https", func(ctx context.Context) error {
			_, err := mcp.AskRaw(ctx, "q", "elicitation/create", map[string]any{"mode": "url", "message": "m", "url": "ftp://example.com/"})
			return err
		}, `is not https`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
				_, other := mcp.Ask[askName](ctx, "other", "?")
				return "", errors.Join(other, test.ask(ctx))
			}))
			callAsk(t, s).wantFailure(t, test.want)
		})
	}
	t.Run("http to this machine is for development", func(t *testing.T) {
		for _, host := range []string{"localhost:8080", "LocalHost", "127.0.0.1", "127.9.9.9:1", "[::1]:1"} {
			s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
				return "", mcp.AskURL(ctx, "q", "Open 世界", "http://"+host+"/x")
			}))
			p := callAsk(t, s)
			p.wantAsked(t, "q")
			if want := `{"method":"elicitation/create","params":{"mode":"url","message":"Open 世界","url":"http://` + host + `/x"}}`; string(p.asked["q"]) != want {
				t.Errorf("asked %s", p.asked["q"])
			}
		}
	})
}

func TestAskingOutsideOfHandlersIsAnError(t *testing.T) {
	_, err := mcp.Ask[askName](t.Context(), "q", "?")
	var asked *mcp.AskError
	if !errors.As(err, &asked) || asked.Key != "q" || !strings.Contains(err.Error(), "handlers of tools, resources and prompts only") {
		t.Errorf("outside of a request: %v", err)
	}
	server := mcp.NewServer("s", "1", nil)
	mcp.AddPrompt(server, mcp.Prompt{Name: "p", Description: "P", Complete: map[string]mcp.Completer{
		"name": func(ctx context.Context, _ string, _ map[string]string) ([]string, error) {
			_, err := mcp.Ask[askName](ctx, "q", "?")
			return nil, err
		},
	}}, func(context.Context, askName) (string, error) { return "", nil })
	p := askOnce(t.Context(), t, askSession(t, server), everyCapability, "completion/complete",
		`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"name","value":""}`)
	p.wantCode(t, -32603, "handlers of tools, resources and prompts only")
	if got, err := mcp.Remember(t.Context(), "k", func(context.Context) (int, error) { return 4, nil }); got != 4 || err != nil {
		t.Errorf("Remember outside of a request: %d, %v", got, err)
	}
	mcp.ExpireState(t.Context(), 1)
	mcp.CompleteURL(t.Context(), "k")
}
