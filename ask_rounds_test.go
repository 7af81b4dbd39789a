package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
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
