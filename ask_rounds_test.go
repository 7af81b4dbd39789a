package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/schema"
)

func TestQuestionsOfOnePassAreOneRound(t *testing.T) {
	passes := 0
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		passes++
		to, err1 := mcp.Ask[askName](ctx, "to", "Which 世界?")
		backup, err2 := mcp.Ask[askName](ctx, "backup", "Which backup 😀?")
		if err := errors.Join(err1, err2); err != nil {
			return "", err
		}
		sure, err := mcp.Ask[askName](ctx, "sure", "Move to "+to.Name+"?")
		return to.Name + backup.Name + sure.Name, err
	}))
	first := callAsk(t, s)
	first.wantAsked(t, "to", "backup")
	want := `"inputRequests":{"to":{"method":"elicitation/create","params":{"message":"Which 世界?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","description":"Who 世界?","minLength":1}},"required":["name"]}}},"backup":{"method":"elicitation/create","params":{"message":"Which backup 😀?",`
	if !strings.Contains(first.raw, want) {
		t.Errorf("got %s\nwant in it %s", first.raw, want)
	}
	second := callAsk(t, s, first.with("to", accepted("世"), "backup", accepted("界")))
	second.wantAsked(t, "sure")
	if second.message("sure") != "Move to 世?" {
		t.Errorf("asked %s", second.asked["sure"])
	}
	callAsk(t, s, second.with("sure", accepted("😀"))).wantText(t, "世界😀")
	if passes != 3 {
		t.Errorf("%d passes", passes)
	}
}

func TestWhatIsMissingIsAskedAgain(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		a, err1 := mcp.Ask[askName](ctx, "a", "A?")
		b, err2 := mcp.Ask[askName](ctx, "b", "B?")
		return a.Name + b.Name, errors.Join(err1, err2)
	}))
	first := callAsk(t, s)
	for _, test := range []struct {
		rule    string
		answers []string
		asked   []string
		says    string // in the message of the last question
	}{
		{"nothing came", nil, []string{"a", "b"}, "B?"},
		{"one did not come", []string{"a", accepted("x")}, []string{"b"}, "B?"},
		{"unexpected answers are ignored", []string{"a", accepted("x"), "c", accepted("y"), "世界", `{}`}, []string{"b"}, "B?"},
		{"a value that the schema refuses", []string{"a", accepted("x"), "b", accept(`{"name":""}`)}, []string{"b"}, "B?\n\nThe last answer could not be used: "},
		{"a value of another type", []string{"a", accepted("x"), "b", accept(`{"name":1}`)}, []string{"b"}, "expected string"},
		{"a field is missing", []string{"a", accepted("x"), "b", accept(`{}`)}, []string{"b"}, `"name"`},
		{"no content", []string{"a", accepted("x"), "b", `{"action":"accept"}`}, []string{"b"}, `"name"`},
		{"content that is null", []string{"a", accepted("x"), "b", accept(`null`)}, []string{"b"}, "could not be used"},
		{"an unknown action", []string{"a", accepted("x"), "b", `{"action":"世界"}`}, []string{"b"}, "unknown action"},
		{"no action", []string{"a", accepted("x"), "b", `{}`}, []string{"b"}, "unknown action"},
		{"an action that is no text", []string{"a", accepted("x"), "b", `{"action":1}`}, []string{"b"}, "expected an object with an action"},
		{"an answer that is null", []string{"a", accepted("x"), "b", `null`}, []string{"b"}, "could not be used"},
		{"an answer that is no object", []string{"a", accepted("x"), "b", `["accept"]`}, []string{"b"}, "expected an object with an action"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			again := callAsk(t, s, first.with(test.answers...))
			again.wantAsked(t, test.asked...)
			if !strings.Contains(again.message("b"), test.says) {
				t.Errorf("asked %q, want in it %q", again.message("b"), test.says)
			}
			callAsk(t, s, again.with("a", accepted("x"), "b", accepted("世界"))).wantText(t, "x世界")
		})
	}
	t.Run("fields that nobody asked for are ignored", func(t *testing.T) {
		callAsk(t, s, first.with("a", accept(`{"name":"x","more":[1]}`), "b", `{"action":"accept","content":{"name":"y"},"_meta":{}}`)).wantText(t, "xy")
	})
}

func TestAnAnswerThatDoesNotFitLeavesNoValue(t *testing.T) {
	type pair struct {
		A string `json:"a"`
		B int    `json:"b" min:"5"`
	}
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		got, err := mcp.Ask[pair](ctx, "p", "?")
		if err != nil && got != (pair{}) {
			t.Errorf("half a value came with the error: %+v", got)
		}
		return got.A, err
	}))
	callAsk(t, s, callAsk(t, s).with("p", accept(`{"a":"x","b":1}`))).wantAsked(t, "p")
}

func TestAnAnswerCountsForTheQuestionThatWasAsked(t *testing.T) {
	files := 3
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		if _, err := mcp.Ask[askName](ctx, "sure", fmt.Sprintf("Delete %d files?", files)); err != nil {
			return "", err
		}
		_, err := mcp.Ask[askName](ctx, "really", "Really?")
		return fmt.Sprintf("deleted %d", files), err
	}))
	first := callAsk(t, s)
	files = 5
	second := callAsk(t, s, first.with("sure", accepted("yes")))
	second.wantAsked(t, "sure")
	if got := second.message("sure"); got != "Delete 5 files?" {
		t.Errorf("asked %q", got)
	}
	third := callAsk(t, s, second.with("sure", accepted("yes")))
	third.wantAsked(t, "really")
	files = 7 // an answer of an earlier round does not count either
	fourth := callAsk(t, s, third.with("really", accepted("yes")))
	fourth.wantAsked(t, "sure")
	fifth := callAsk(t, s, fourth.with("sure", accepted("yes"), "really", accepted("yes")))
	fifth.wantAsked(t, "really") // which was not open
	callAsk(t, s, fifth.with("really", accepted("yes"))).wantText(t, "deleted 7")
}

func TestTheNthUseOfAKeyIsAQuestionOfItsOwn(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		text := ""
		for i := range 3 {
			in, err := mcp.Ask[askName](ctx, "name", fmt.Sprintf("Name %d?", i))
			if err != nil {
				return "", err
			}
			text += in.Name
		}
		return text, nil
	}))
	p := callAsk(t, s)
	for i, key := range []string{"name", "name#2", "name#3"} {
		p.wantAsked(t, key)
		p = callAsk(t, s, p.with(key, accepted(fmt.Sprint(i))))
	}
	p.wantText(t, "012")
}

func TestNoTwoQuestionsShareAName(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		var errs []error
		ask := func(ctx context.Context, key string) {
			_, err := mcp.Ask[askName](ctx, key, key)
			errs = append(errs, err)
		}
		for _, key := range []string{"a", "a", "a#2", "a%232", "step/a", "世界😀"} {
			ask(ctx, key)
		}
		_, err := mcp.Remember(ctx, "step", func(ctx context.Context) (int, error) {
			ask(ctx, "a")
			return 0, errors.Join(errs...)
		})
		return "", err
	}))
	callAsk(t, s).wantAsked(t, "a", "a#2", "a%232", "a%25232", "step%2Fa", "世界😀", "step/a")
}

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

func TestWhateverAHandlerReturnsTheClientIsAskedFirst(t *testing.T) {
	for rule, after := range map[string]func(err error) (string, error){
		"it swallows the error":   func(error) (string, error) { return "done", nil },
		"it returns another one":  func(error) (string, error) { return "", errors.New("no answer") },
		"it wraps the error":      func(err error) (string, error) { return "", fmt.Errorf("asking: %w", err) },
		"it returns an *Error":    func(error) (string, error) { return "", &mcp.Error{Code: 7, Message: "no"} },
		"it says that nothing is": func(error) (string, error) { return "", mcp.ErrNotFound },
	} {
		t.Run(rule, func(t *testing.T) {
			s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
				in, err := mcp.Ask[askName](ctx, "a", "A?")
				if err != nil {
					return after(err)
				}
				return in.Name, nil
			}))
			p := callAsk(t, s)
			p.wantAsked(t, "a")
			callAsk(t, s, p.with("a", accepted("世"))).wantText(t, "世")
		})
	}
	t.Run("but a panic is told", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
			_, _ = mcp.Ask[askName](ctx, "a", "A?")
			panic("secret")
		}))
		callAsk(t, s).wantFailure(t, "mcp-err-1")
	})
}

func TestPromptsAndResourcesAskLikeTools(t *testing.T) {
	server := askServer(nil, func(ctx context.Context) (string, error) {
		in, err := mcp.Ask[askName](ctx, "a", "A?")
		return "Hello, " + in.Name, err
	})
	s := askSession(t, server)
	for method, target := range map[string]string{"prompts/get": `"name":"ask"`, "resources/read": `"uri":"ask:it"`} {
		t.Run(method, func(t *testing.T) {
			p := askOnce(t.Context(), t, s, everyCapability, method, target)
			p.wantAsked(t, "a")
			done := askOnce(t.Context(), t, s, everyCapability, method, target, p.with("a", accepted("世界😀")))
			done.wantText(t, "Hello, 世界😀")
			cached := strings.Contains(done.raw, `"ttlMs":0,"cacheScope":"private"`)
			if want := method == "resources/read"; cached != want {
				t.Errorf("the result after answers: %s", done.raw)
			}
			askOnce(t.Context(), t, s, everyCapability, method, target, p.with("a", declined)).wantCode(t, -32603, "declined")
		})
	}
}

func TestMiddlewareSeesEveryPass(t *testing.T) {
	server := askServer(nil, func(ctx context.Context) (string, error) {
		in, err := mcp.Ask[askName](ctx, "a", "A?")
		return in.Name, err
	})
	var seen []string
	server.Use(func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, req)
			seen = append(seen, fmt.Sprint(req.Round(), errors.Is(err, mcp.ErrInputRequired)))
			return result, err
		}
	})
	s := askSession(t, server)
	callAsk(t, s, callAsk(t, s).with("a", accepted("x"))).wantText(t, "x")
	if got := strings.Join(seen, ", "); got != "1 true, 2 false" {
		t.Errorf("seen: %s", got)
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
		callAsk(t, s, p.with(p.keys[0], accepted("x"))).wantFailure(t, `question "q#17": more than 16 rounds of questions; ask for more at a time`)
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
		}, `question "q": at the root: an input schema must have "type": "object"`},
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
		for _, host := range []string{"localhost:8080", "127.0.0.1", "[::1]:1"} {
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
