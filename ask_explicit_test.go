package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
	"github.com/bowline-go/mcp/schema"
)

func nameForm() *schema.Schema { return schema.Object().Prop("name", schema.String()) }

// byHand keeps its rounds apart itself.
func byHand(ctx context.Context) (string, error) {
	request := mcp.RequestFrom(ctx)
	switch request.State() {
	case "":
		return "", mcp.InputRequired("one 世界", mcp.FormRequest("name", "Who 😀?", nameForm()), roots.Request("roots"))
	case "one 世界":
		var answer struct{ Content askName }
		if json.Unmarshal(request.InputResponse("name"), &answer) != nil || request.InputResponse("roots") == nil {
			return "", mcp.InputRequired("one 世界", mcp.FormRequest("name", "Again?", nameForm()))
		}
		model, err := sampling.Request("model", sampling.Params{Messages: []sampling.Message{sampling.UserText("?")}, MaxTokens: 5})
		if err != nil {
			return "", err
		}
		return "", mcp.InputRequired("two "+answer.Content.Name, model, mcp.URLRequest("url", "Go 世界", "https://example.com/"))
	}
	result, err := sampling.Decode(request.InputResponse("model"))
	if err != nil {
		return "", err
	}
	return fmt.Sprint(request.State(), " ", result.Text(), " ", string(request.InputResponse("url")), " round ", request.Round()), nil
}

const (
	rootsAnswer  = `{"roots":[{"uri":"file:///世界","name":"😀"}]}`
	sampleAnswer = `{"role":"assistant","content":{"type":"text","text":"世界"},"model":"m"}`
)

func TestTheExplicitFormInBothEras(t *testing.T) {
	const want = `two Ann 世界 {"action":"accept"} round 3`
	s := askSession(t, askServer(nil, byHand))
	first := callAsk(t, s)
	first.wantAsked(t, "name", "roots")
	if want := `{"name":{"method":"elicitation/create","params":{"message":"Who 😀?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}},"roots":{"method":"roots/list","params":{}}}`; !strings.Contains(first.raw, `"inputRequests":`+want+`,"requestState":"`) {
		t.Errorf("asked %s", first.raw)
	}
	second := callAsk(t, s, first.with("name", accepted("Ann"), "roots", rootsAnswer, "url", `{}`))
	second.wantAsked(t, "model", "url")
	if want := `{"model":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}},"url":{"method":"elicitation/create","params":{"mode":"url","message":"Go 世界","url":"https://example.com/"}}}`; !strings.Contains(second.raw, want) {
		t.Errorf("asked %s", second.raw)
	}
	callAsk(t, s, second.with("model", sampleAnswer, "url", `{"action":"accept"}`)).wantText(t, want)

	old := legacySession(t, askServer(nil, byHand), "2025-11-25", everyCapability)
	askLegacy(t, old, "tools/call", theTool, `"result":`+accepted("Ann"), `"result":`+rootsAnswer, `"result":`+sampleAnswer, `"result":{"action":"accept"}`).wantText(t, want)
}

func TestAnswersToOtherRequestsAreNotSeen(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		request := mcp.RequestFrom(ctx)
		if request.State() == "" {
			return "", mcp.InputRequired("asked", mcp.FormRequest("name", "?", nameForm()))
		}
		return fmt.Sprintf("%s %s", request.InputResponse("name"), request.InputResponse("admin")), nil
	}))
	callAsk(t, s, callAsk(t, s).with("admin", accepted("yes"), "name", declined)).wantText(t, declined+" ")
}

func TestStateAloneMakesTheClientComeAgain(t *testing.T) {
	shed := func(ctx context.Context) (string, error) {
		if round := mcp.RequestFrom(ctx).Round(); round < 4 {
			return "", mcp.InputRequired(fmt.Sprint("later ", round))
		}
		return mcp.RequestFrom(ctx).State(), nil
	}
	s := askSession(t, askServer(nil, shed))
	for method, target := range map[string]string{"tools/call": theTool, "prompts/get": theTool, "resources/read": `"uri":"ask:it"`} {
		p := askOnce(t.Context(), t, s, `{}`, method, target)
		for range 2 {
			if !p.interim() || strings.Contains(p.raw, "inputRequests") {
				t.Fatal(p.raw)
			}
			p = askOnce(t.Context(), t, s, `{}`, method, target, `"requestState":"`+p.state+`"`)
		}
		askOnce(t.Context(), t, s, `{}`, method, target, `"requestState":"`+p.state+`"`).wantText(t, "later 3")
	}
	askLegacy(t, legacySession(t, askServer(nil, shed), "2024-11-05", `{}`), "tools/call", theTool).wantText(t, "later 3")

	forever := func(context.Context) (string, error) { return "", mcp.InputRequired("again") }
	p := callAsk(t, askSession(t, askServer(&mcp.Options{Keys: [][]byte{stateKey}}, forever)))
	s = askSession(t, askServer(&mcp.Options{Keys: [][]byte{stateKey}}, forever))
	for range 15 {
		p = callAsk(t, s, `"requestState":"`+p.state+`"`)
	}
	callAsk(t, s, `"requestState":"`+p.state+`"`).wantFailure(t, "more than 16 rounds")
	askLegacy(t, legacySession(t, askServer(nil, forever), "2025-11-25", `{}`), "tools/call", theTool).wantFailure(t, "more than 16 rounds")
}

func TestPlainStateIsTheHandlersOwn(t *testing.T) {
	s := askSession(t, askServer(&mcp.Options{PlainState: true}, byHand))
	first := callAsk(t, s)
	if first.state != "one 世界" {
		t.Fatalf("the state is %q", first.state)
	}
	second := callAsk(t, s, first.with("name", accepted("Ann"), "roots", rootsAnswer))
	if second.state != "two Ann" {
		t.Fatalf("the state is %q", second.state)
	}
	callAsk(t, s, second.with("model", sampleAnswer, "url", declined)).wantText(t, `two Ann 世界 {"action":"decline"} round 1`)
	s = askSession(t, askServer(&mcp.Options{PlainState: true}, func(context.Context) (string, error) {
		return "", mcp.InputRequired("", roots.Request("r"))
	}))
	if p := callAsk(t, s); !p.interim() || strings.Contains(p.raw, "requestState") {
		t.Errorf("an empty state is sent: %s", p.raw)
	}
}

func TestMistakesOfTheExplicitFormSendNothing(t *testing.T) {
	fine := roots.Request("fine")
	for _, test := range []struct {
		rule    string
		handler func(ctx context.Context) error
		code    int // 0: in band
		want    string
	}{
		{"nothing at all", func(context.Context) error { return mcp.InputRequired("") }, 0, "an InputRequired needs at least one request or a state"},
		{"an unknown method", func(context.Context) error {
			return mcp.InputRequired("", fine, mcp.InputRequest{Key: "世界", Method: "weird/thing"})
		}, -32603, `unsupported input request "世界": a client cannot be asked by "weird/thing"`},
		{"no method", func(context.Context) error { return mcp.InputRequired("", fine, mcp.InputRequest{Key: "k"}) }, -32603, `unsupported input request "k"`},
		{"parameters of another kind", func(context.Context) error {
			return mcp.InputRequired("", fine, mcp.InputRequest{Key: "k", Method: "roots/list", Params: 1})
		}, -32603, "no object"},
		{"a form that is none", func(context.Context) error {
			return mcp.InputRequired("", fine, mcp.FormRequest("k", "m", schema.Object().Prop("世", schema.Any())))
		}, -32603, `field "世"`},
		{"no form", func(context.Context) error { return mcp.InputRequired("", fine, mcp.FormRequest("k", "m", nil)) }, -32603, `unsupported input request "k"`},
		{"a URL that is not https", func(context.Context) error {
			return mcp.InputRequired("", fine, mcp.URLRequest("k", "m", "http://example.com"))
		}, -32603, "is not https"},
		{"sampling without a limit", func(context.Context) error {
			return mcp.InputRequired("", fine, mcp.InputRequest{Key: "k", Method: "sampling/createMessage", Params: json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`)})
		}, -32603, "maxTokens"},
		{"a key twice", func(context.Context) error { return mcp.InputRequired("s", fine, fine) }, 0, "unique"},
		{"no key", func(context.Context) error { return mcp.InputRequired("s", fine, roots.Request("")) }, 0, "a key has 1 to 128 bytes"},
		{"33 requests", func(context.Context) error {
			var many []mcp.InputRequest
			for i := range 33 {
				many = append(many, roots.Request(fmt.Sprint("r", i)))
			}
			return mcp.InputRequired("s", many...)
		}, 0, `question "r32": more than 32 questions`},
		{"too large a state", func(context.Context) error { return mcp.InputRequired(strings.Repeat("世", 6000), fine) }, 0, "the state of InputRequired"},
		{"after Ask", func(ctx context.Context) error {
			_, _ = mcp.Ask[askName](ctx, "a", "?")
			return mcp.InputRequired("s", fine)
		}, 0, "the handler used both Ask and InputRequired; use one of them"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) { return "", test.handler(ctx) }))
			p := callAsk(t, s)
			p.wantFailure(t, test.want)
			if p.code != test.code {
				t.Errorf("code %d, want %d: %s", p.code, test.code, p.raw)
			}
		})
	}
	t.Run("the first that the client cannot be asked decides", func(t *testing.T) {
		s := askSession(t, askServer(nil, func(context.Context) (string, error) {
			return "", mcp.InputRequired("s", fine, mcp.FormRequest("name", "?", nameForm()), mcp.URLRequest("url", "?", "https://example.com/"))
		}))
		p := askOnce(t.Context(), t, s, `{"roots":{}}`, "tools/call", theTool)
		p.wantCode(t, -32021, "elicitation")
		if p.data != `{"requiredCapabilities":{"elicitation":{}}}` || p.http != 400 {
			t.Errorf("data %s, status %d", p.data, p.http)
		}
	})
	t.Run("middleware cannot make other methods ask", func(t *testing.T) {
		server := askServer(nil, byHand)
		server.Use(func(mcp.Handler) mcp.Handler {
			return func(context.Context, *mcp.Request) (mcp.Result, error) { return nil, mcp.InputRequired("s") }
		})
		s := askSession(t, server)
		askOnce(t.Context(), t, s, everyCapability, "tools/list", "").wantCode(t, -32603, "handlers of tools, resources and prompts only")
	})
}

func TestAskAfterTheAnswersOfAnotherPassIsNotMixedWithTheExplicitForm(t *testing.T) {
	handler := func(ctx context.Context) (string, error) {
		if _, err := mcp.Ask[askName](ctx, "a", "?"); err != nil {
			return "", err
		}
		return "", mcp.InputRequired("s", roots.Request("r"))
	}
	s := askSession(t, askServer(nil, handler))
	callAsk(t, s, callAsk(t, s).with("a", accepted("x"))).wantFailure(t, "both Ask and InputRequired")
	old := legacySession(t, askServer(nil, handler), "2025-11-25", everyCapability)
	askLegacy(t, old, "tools/call", theTool, `"result":`+accepted("x")).wantFailure(t, "both Ask and InputRequired")
}

func TestRequestAccessorsOutsideOfAskingAreZero(t *testing.T) {
	var none mcp.Request
	if none.State() != "" || none.InputResponse("x") != nil || none.Round() != 0 {
		t.Error("outside of a request something is there")
	}
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		request := mcp.RequestFrom(ctx)
		if request.State() != "" || request.InputResponse("x") != nil || request.Round() != 1 {
			return "", errors.New("in a first round something is there")
		}
		return "ok", nil
	}))
	callAsk(t, s).wantText(t, "ok")
}
