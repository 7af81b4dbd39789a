package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestARememberedStepRunsOnce(t *testing.T) {
	type plan struct {
		Name string
		N    int64
		made bool // is not part of the JSON
	}
	runs := 0
	var plans []plan
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		p, err := mcp.Remember(ctx, "plan", func(context.Context) (plan, error) {
			runs++
			return plan{"世界😀", 9007199254740993, true}, nil
		})
		if err != nil {
			return "", err
		}
		plans = append(plans, p)
		a, err := mcp.Ask[askName](ctx, "a", "A?")
		if err != nil {
			return "", err
		}
		b, err := mcp.Ask[askName](ctx, "b", "B?")
		return a.Name + b.Name, err
	}))
	second := callAsk(t, s, callAsk(t, s).with("a", accepted("1")))
	callAsk(t, s, second.with("b", accepted("2"))).wantText(t, "12")
	want := plan{"世界😀", 9007199254740993, false}
	if runs != 1 || len(plans) != 3 || plans[0] != want || plans[1] != want || plans[2] != want {
		t.Errorf("%d runs, %+v: every pass gets what the JSON decodes to", runs, plans)
	}
}

func TestAFailedStepRunsAgain(t *testing.T) {
	runs := 0
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		_, stepErr := mcp.Remember(ctx, "step", func(context.Context) (int, error) {
			if runs++; runs < 3 {
				return 0, errors.New("not yet")
			}
			return 1, nil
		})
		_, err := mcp.Ask[askName](ctx, fmt.Sprint("q", runs), "?")
		return fmt.Sprint(stepErr), err
	}))
	p := callAsk(t, s)
	p = callAsk(t, s, p.with("q1", accepted("x")))
	p = callAsk(t, s, p.with("q2", accepted("x")))
	p.wantAsked(t, "q3")
	callAsk(t, s, p.with("q3", accepted("x"))).wantText(t, "<nil>")
	if runs != 3 {
		t.Errorf("%d runs", runs)
	}
}

func TestAnswersWithinAStepLeaveTheStateWithIt(t *testing.T) {
	const size = 6000 // three of them do not fit
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		total := 0
		for range 4 {
			n, err := mcp.Remember(ctx, "upload", func(ctx context.Context) (int, error) {
				inner, err := mcp.Remember(ctx, "inner", func(ctx context.Context) (string, error) {
					in, err := mcp.Ask[askName](ctx, "text", "Text?")
					return in.Name, err
				})
				if err != nil {
					return 0, err
				}
				_, err = mcp.Ask[askName](ctx, "more", "More?")
				return len(inner), err
			})
			if err != nil {
				return "", err
			}
			total += n
		}
		_, err := mcp.Ask[askName](ctx, "text", "The last?")
		return fmt.Sprint(total), err
	}))
	p := callAsk(t, s)
	for _, step := range []string{"upload", "upload#2", "upload#3", "upload#4"} {
		p.wantAsked(t, step+"/inner/text")
		p = callAsk(t, s, p.with(step+"/inner/text", accepted(strings.Repeat("x", size))))
		p.wantAsked(t, step+"/more")
		p = callAsk(t, s, p.with(step+"/more", accepted("y")))
	}
	p.wantAsked(t, "text")
	if len(p.state) > 1000 {
		t.Errorf("%d bytes of state: the answers have not left it", len(p.state))
	}
	callAsk(t, s, p.with("text", accepted("z"))).wantText(t, fmt.Sprint(4*size))
}

func TestAStepThatSwallowsItsQuestionIsNotRemembered(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		name, err := mcp.Remember(ctx, "step", func(ctx context.Context) (string, error) {
			in, err := mcp.Ask[askName](ctx, "name", "?")
			if err != nil {
				return "nobody", nil
			}
			return in.Name, nil
		})
		if err != nil && !errors.Is(err, mcp.ErrInputRequired) {
			t.Error(err)
		}
		if err == nil && name == "nobody" {
			t.Error("a result came out of a step that waits for an answer")
		}
		return name, err
	}))
	p := callAsk(t, s)
	p.wantAsked(t, "step/name")
	callAsk(t, s, p.with("step/name", accepted("世界"))).wantText(t, "世界")
}

func TestAKeyWithASlashIsNoStep(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		out, err := mcp.Ask[askName](ctx, "step/name", "outside")
		if err != nil {
			return "", err
		}
		in, err := mcp.Remember(ctx, "step", func(ctx context.Context) (string, error) {
			in, err := mcp.Ask[askName](ctx, "name", "inside")
			return in.Name, err
		})
		if err != nil {
			return "", err
		}
		last, err := mcp.Ask[askName](ctx, "last", "last")
		return out.Name + in + last.Name, err
	}))
	p := callAsk(t, s)
	for _, key := range []string{"step%2Fname", "step/name", "last"} {
		p.wantAsked(t, key)
		p = callAsk(t, s, p.with(key, accepted(key)))
	}
	p.wantText(t, "step%2Fnamestep/namelast")
}

func TestResultsThatCannotBeRemembered(t *testing.T) {
	for _, test := range []struct {
		rule     string
		remember func(ctx context.Context) error
		want     string
	}{
		{"what does not encode", func(ctx context.Context) error {
			_, err := mcp.Remember(ctx, "k", func(context.Context) (func(), error) { return func() {}, nil })
			return err
		}, `question "k": encoding the result to remember`},
		{"what does not decode again", func(ctx context.Context) error {
			_, err := mcp.Remember(ctx, "k", func(context.Context) (fmt.Stringer, error) { return mute(1), nil })
			return err
		}, `question "k": decoding the remembered result`},
		{"an empty key", func(ctx context.Context) error {
			_, err := mcp.Remember(ctx, "", func(context.Context) (int, error) { return 1, nil })
			return err
		}, `a key has 1 to 128 bytes`},
		{"more than 16 KiB", func(ctx context.Context) error {
			_, err := mcp.Remember(ctx, "k", func(context.Context) (string, error) { return strings.Repeat("世", 6000), nil })
			if err == nil {
				_, err = mcp.Ask[askName](ctx, "a", "?")
			}
			return err
		}, `question "k": it takes the most of the `},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) { return "", test.remember(ctx) }))
			callAsk(t, s).wantFailure(t, test.want)
		})
	}
}

// mute has a method, so that an interface can hold it, and JSON cannot give it back.
type mute int

func (mute) String() string { return "" }
