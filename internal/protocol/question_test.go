package protocol_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

const (
	text    = `{"type":"text","text":"世界 😀"}`
	audio   = `{"type":"audio","data":"AAA=","mimeType":"audio/wav"}`
	use     = `{"type":"tool_use","id":"1","name":"t","input":{}}`
	outcome = `{"type":"tool_result","toolUseId":"1","content":[]}`
)

func user(content string) string      { return `{"role":"user","content":` + content + `}` }
func assistant(content string) string { return `{"role":"assistant","content":` + content + `}` }
func sampling(messages ...string) string {
	return `{"messages":[` + strings.Join(messages, ",") + `],"maxTokens":1}`
}

func TestQuestionsNeedWhatTheyAreMadeOf(t *testing.T) {
	const elicit, sample, roots = "elicitation/create", "sampling/createMessage", "roots/list"
	cases := []struct {
		rule, method, params string
		needs                protocol.CapabilitySet
		fails                string
	}{
		{"a form", elicit, `{"message":"m","requestedSchema":{}}`, protocol.CanElicitForm, ""},
		{"a form by name", elicit, `{"mode":"form","message":"m","requestedSchema":{}}`, protocol.CanElicitForm, ""},
		{"a URL", elicit, `{"mode":"url","message":"m","url":"https://a/"}`, protocol.CanElicitURL, ""},
		{"a URL, escaped", elicit, `{"mo\u0064e":"\u0075rl","message":"m","url":"https://a/"}`, protocol.CanElicitURL, ""},
		{"another mode", elicit, `{"mode":"voice","message":"m"}`, 0, "the mode of an elicitation is form or url"},
		{"a mode that is no text", elicit, `{"mode":null,"message":"m"}`, 0, "the mode of an elicitation is form or url"},
		{"no message", elicit, `{"requestedSchema":{}}`, 0, "needs a message"},
		{"a message that is no text", elicit, `{"message":1,"requestedSchema":{}}`, 0, "needs a message"},
		{"no schema", elicit, `{"message":"m"}`, 0, "needs a requestedSchema"},
		{"a schema that is no object", elicit, `{"message":"m","requestedSchema":true}`, 0, "needs a requestedSchema"},
		{"no URL", elicit, `{"mode":"url","message":"m"}`, 0, "needs a url"},
		{"roots", roots, `{}`, protocol.CanListRoots, ""},
		{"parameters that are no object", roots, `[]`, 0, "the parameters of roots/list are no object; use one"},
		{"another method", "ping", `{}`, 0, `a client cannot be asked by "ping"`},
		{"no method", "", `{}`, 0, `a client cannot be asked by ""`},

		{"sampling", sample, sampling(user(text)), protocol.CanSample, ""},
		{"sampling with tools", sample, `{"tools":[],"maxTokens":1,"messages":[` + user(text) + `]}`, protocol.CanSample | protocol.CanSampleTools, ""},
		{"sampling with a tool choice", sample, `{"toolChoice":{},"maxTokens":1,"messages":[` + user(text) + `]}`, protocol.CanSample | protocol.CanSampleTools, ""},
		{"sampling with context", sample, `{"includeContext":"allServers","maxTokens":1,"messages":[` + user(text) + `]}`, protocol.CanSample | protocol.CanSampleContext, ""},
		{"sampling without context", sample, `{"includeContext":"none","maxTokens":1,"messages":[` + user(text) + `]}`, protocol.CanSample, ""},
		{"a tool loop", sample, sampling(user(text), assistant(use), user(outcome)), protocol.CanSample | protocol.CanSampleTools, ""},
		{"no maxTokens", sample, `{"messages":[` + user(text) + `]}`, 0, "needs maxTokens"},
		{"maxTokens of 0", sample, `{"maxTokens":0,"messages":[` + user(text) + `]}`, 0, "needs maxTokens"},
		{"maxTokens with a fraction", sample, `{"maxTokens":1.5,"messages":[` + user(text) + `]}`, 0, "malformed"},
		{"no messages", sample, `{"maxTokens":1}`, 0, "at least one message"},
		{"an empty list of messages", sample, `{"maxTokens":1,"messages":[]}`, 0, "at least one message"},
		{"another role", sample, sampling(`{"role":"system","content":` + text + `}`), 0, `message 0: the role is "system"`},
		{"no content", sample, sampling(user(text), `{"role":"user"}`), 0, "message 1: the content is neither a block nor a list of blocks"},
		{"content that is text", sample, sampling(user(`"x"`)), 0, "neither a block nor a list"},
		{"a resource", sample, sampling(user(`{"type":"resource","resource":{"uri":"a:b","text":""}}`)), 0, "text, images, audio, tool uses and tool results only"},
		{"an unknown block", sample, sampling(user(`{"type":"video"}`)), 0, "text, images, audio, tool uses and tool results only"},
		{"text without text", sample, sampling(user(`{"type":"text"}`)), 0, `"text" is missing`},
		{"an image that is no base64", sample, sampling(user(`{"type":"image","data":"!","mimeType":"image/png"}`)), 0, "block 0"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			needs, check, err := protocol.Question(protocol.Modern(), c.method, []byte(c.params))
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v, want an error with %q", err, c.fails)
				}
				return
			}
			if err != nil || needs != c.needs || check == nil {
				t.Errorf("needs %v, %v; want %v", needs, err, c.needs)
			}
			for end := range len(c.params) {
				_, _, _ = protocol.Question(protocol.Modern(), c.method, []byte(c.params[:end])) // must not panic
			}
		})
	}
}

func TestToolUsesAndResultsAreBalanced(t *testing.T) {
	two := `[{"type":"tool_use","id":"1","name":"a","input":{}},{"type":"tool_use","id":"世","name":"b","input":{}}]`
	both := `[{"type":"tool_result","toolUseId":"世","content":[]},` + outcome + `]`
	for _, c := range []struct {
		rule, params, fails string
	}{
		{"each use has its result", sampling(user(text), assistant(two), user(both), assistant(text)), ""},
		{"text beside uses", sampling(assistant(`[`+text+`,`+use+`]`), user(outcome)), ""},
		{"a result is missing", sampling(assistant(two), user(outcome)), `message 1: the tool use "世" of the message before has no tool result here`},
		{"text instead of a result", sampling(assistant(use), user(text)), `message 1: the tool use "1"`},
		{"the end instead of a result", sampling(assistant(use)), `the tool use "1" has no tool result; add a message`},
		{"a result of nothing", sampling(user(outcome)), `message 0: the tool result "1" answers no tool use`},
		{"a result of an earlier use", sampling(assistant(use), user(outcome), user(outcome)), `message 2: the tool result "1" answers no tool use`},
		{"a result twice", sampling(assistant(use), user(`[`+outcome+`,`+outcome+`]`)), `message 1: the tool result "1" answers no tool use`},
		{"a result beside text", sampling(assistant(use), user(`[`+outcome+`,`+text+`]`)), `message 1: tool results and other content in one message`},
		{"a result of the assistant", sampling(assistant(use), assistant(outcome)), `message 1: tool results are the user's`},
		{"a use of the user", sampling(user(use)), `message 0: tool uses are the assistant's`},
		{"a use without an id", sampling(assistant(`{"type":"tool_use","name":"a","input":{}}`)), `a tool use needs an id, a name and an input`},
		{"a use without an object", sampling(assistant(`{"type":"tool_use","id":"1","name":"a","input":[]}`)), `a tool use needs an id, a name and an input`},
		{"a result without an id", sampling(user(`{"type":"tool_result","content":[]}`)), `a tool result needs a toolUseId`},
		{"a mistyped result", sampling(user(`{"type":"tool_result","toolUseId":"1","content":1}`)), `block 0`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, _, err := protocol.Question(protocol.Modern(), "sampling/createMessage", []byte(c.params))
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("%v, want %q", err, c.fails)
			}
		})
	}
}

func TestSamplingFollowsTheRevision(t *testing.T) {
	for r := range protocol.Revisions() {
		for _, c := range []struct {
			rule, params string
			allowed      bool
		}{
			{"a block", sampling(user(text)), true},
			{"a list of blocks", sampling(user(`[` + text + `]`)), r.SamplingArrayContent},
			{"an empty list", sampling(user(`[]`)), false},
			{"audio", sampling(user(audio)), r.Audio},
		} {
			_, _, err := protocol.Question(r, "sampling/createMessage", []byte(c.params))
			if (err == nil) != c.allowed {
				t.Errorf("%s: %s: %v", r.Name, c.rule, err)
			}
			if !c.allowed && strings.Contains(c.rule, "a list") && !strings.Contains(err.Error(), r.Name) {
				t.Errorf("the error does not name %s: %v", r.Name, err)
			}
		}
		_, check, _ := protocol.Question(r, "sampling/createMessage", []byte(sampling(user(text))))
		for _, c := range []struct {
			rule, answer string
			allowed      bool
		}{
			{"one block", `{"role":"assistant","content":` + text + `,"model":"m","stopReason":"endTurn"}`, true},
			{"a list", `{"role":"assistant","content":[` + text + `,` + audio + `],"model":"m"}`, r.SamplingArrayContent},
			{"a tool use", `{"role":"assistant","content":` + use + `,"model":"m","stopReason":"toolUse"}`, r.SamplingTools},
			{"unknown members", `{"role":"assistant","content":` + text + `,"model":"m","x":1,"_meta":{}}`, true},
			{"an empty list", `{"role":"assistant","content":[],"model":"m"}`, false},
			{"no model", `{"role":"assistant","content":` + text + `}`, false},
			{"no role", `{"content":` + text + `,"model":"m"}`, false},
			{"no content", `{"role":"assistant","model":"m"}`, false},
			{"content that is null", `{"role":"assistant","content":null,"model":"m"}`, false},
			{"a tool result", `{"role":"assistant","content":` + outcome + `,"model":"m"}`, false},
			{"half a tool use", `{"role":"assistant","content":{"type":"tool_use","id":"1"},"model":"m"}`, false},
			{"half a text", `{"role":"assistant","content":{"type":"text"},"model":"m"}`, false},
			{"a stop reason that is no text", `{"role":"assistant","content":` + text + `,"model":"m","stopReason":1}`, false},
			{"a list of anything", `{"role":"assistant","content":[1],"model":"m"}`, false},
			{"no object", `[]`, false},
			{"null", `null`, false},
			{"nothing", ``, false},
		} {
			if err := check([]byte(c.answer)); (err == nil) != c.allowed {
				t.Errorf("%s: an answer of %s: %v", r.Name, c.rule, err)
			}
			for end := range len(c.answer) {
				_ = check([]byte(c.answer[:end])) // was decoded strictly before; must not panic all the same
			}
		}
	}
}

func TestAnswersOfTheUserAndOfRoots(t *testing.T) {
	_, elicited, err := protocol.Question(protocol.Modern(), "elicitation/create", []byte(`{"message":"m","requestedSchema":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	_, listed, err := protocol.Question(protocol.Modern(), "roots/list", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule    string
		check   func([]byte) error
		answer  string
		allowed bool
	}{
		{"accept", elicited, `{"action":"accept","content":{}}`, true},
		{"decline", elicited, `{"action":"decline"}`, true},
		{"cancel, with more", elicited, `{"_meta":{},"action":"c\u0061ncel"}`, true},
		{"another action", elicited, `{"action":"世界"}`, false},
		{"no action", elicited, `{}`, false},
		{"an action that is no text", elicited, `{"action":null}`, false},
		{"no object", elicited, `"accept"`, false},
		{"null", elicited, `null`, false},
		{"roots", listed, `{"roots":[{"uri":"file:///世界","name":"😀"},{"uri":"file://"}]}`, true},
		{"no roots", listed, `{"roots":[]}`, true},
		{"another scheme", listed, `{"roots":[{"uri":"https://example.com/"}]}`, false},
		{"no URI", listed, `{"roots":[{"name":"a"}]}`, false},
		{"a URI that is no text", listed, `{"roots":[{"uri":1}]}`, false},
		{"no list", listed, `{"roots":null}`, false},
		{"nothing", listed, `{}`, false},
		{"roots that are no object", listed, `[]`, false},
	} {
		if err := c.check([]byte(c.answer)); (err == nil) != c.allowed {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

func TestWithinDropsWhatARevisionDoesNotKnow(t *testing.T) {
	all := protocol.DecodeCapabilities([]byte(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{"listChanged":true}}`))
	want := map[string]string{
		"2024-11-05": "sampling, roots, roots.listChanged", "2025-03-26": "sampling, roots, roots.listChanged",
		"2025-06-18": "elicitation, sampling, roots, roots.listChanged",
		"2025-11-25": all.String(), "2026-07-28": all.String(),
	}
	for r := range protocol.Revisions() {
		if got := all.Within(r).String(); got != want[r.Name] {
			t.Errorf("%s: %s, want %s", r.Name, got, want[r.Name])
		}
		if got := protocol.CapabilitySet(0).Within(r); got != 0 {
			t.Errorf("%s: %v out of nothing", r.Name, got)
		}
	}
	// Where there are no modes, elicitation that is declared in any way means forms.
	old := protocol.Lookup("2025-06-18")
	if got := protocol.CanElicitURL.Within(old); got != protocol.CanElicitForm {
		t.Errorf("declared with a mode that the revision does not know: %v", got)
	}
}
