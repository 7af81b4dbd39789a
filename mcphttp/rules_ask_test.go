package mcphttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

const (
	asksForms = `{"elicitation":{}}`
	saidYes   = `"inputResponses":{"sure":{"action":"accept","content":{"sure":true}}}`
)

// question is the result of the last event or of the object, which asks.
func question(t *testing.T, a answer) (state string) {
	t.Helper()
	body := a.body
	if a.Header.Get("Content-Type") == eventType {
		body = body[strings.LastIndex(body, "data: ")+len("data: "):]
	}
	if got := member(t, body, "resultType"); got != `"input_required"` {
		t.Fatalf("got %s", body)
	}
	// basic/patterns/mrtr#inputrequiredresult: no content, no caching hints; and no request stands beside it.
	for _, never := range []string{`"content"`, `"messages"`, `"contents"`, `"ttlMs"`, `"cacheScope"`} {
		if strings.Contains(body, never) {
			t.Errorf("got %s, want no %s in it", body, never)
		}
	}
	if strings.Contains(a.body, `"jsonrpc":"2.0","id":"`) || strings.Contains(a.body, `"jsonrpc":"2.0","method":"elicitation/create"`) {
		t.Errorf("a request was sent to the client: %s", a.body)
	}
	return member(t, body, "requestState")
}

// retry is the same request with answers.
func retry(r rule, state, responses string) rule {
	if r.params != "" {
		r.params += ","
	}
	r.params += `"requestState":` + state + `,` + responses
	return r
}

func confirming() rule {
	return rule{method: "tools/call", target: "confirm", params: callOf("confirm", "{}"), caps: asksForms, meta: token, status: 200}
}

func TestAQuestionIsAResultAndItsAnswerMayGoToAnyReplica(t *testing.T) {
	t.Parallel()
	keys := [][]byte{[]byte("0123456789abcdef0123456789abcdef")}
	one, two, stranger := ruled(t, &mcp.Options{Keys: keys}), ruled(t, &mcp.Options{Keys: keys}), ruled(t, nil)
	for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
		ask := confirming()
		ask.changes = []string{"Accept: " + accept}
		state := question(t, ask.check(t, one))
		for said, want := range map[string]string{
			`{"action":"accept","content":{"sure":true}}`: `sure: true`,
			`{"action":"decline"}`:                        `"isError":true`,
			`{"action":"cancel"}`:                         `"isError":true`,
		} {
			r := retry(ask, state, `"inputResponses":{"sure":`+said+`}`)
			r.name, r.want, r.never = said, []string{want, `"resultType":"complete"`}, []string{"input_required"}
			r.check(t, two)
		}
		r := retry(ask, state, `"inputResponses":{"sure":{"role":"assistant","content":{"type":"text","text":"yes"},"model":"m"}}`)
		r.name, r.never = "an answer of another kind is no yes", []string{"sure: true"}
		r.check(t, two)
		r = retry(ask, state, saidYes)
		r.name, r.want, r.never = "a server with other keys", []string{`"error":{"code":-32602,`}, []string{"sure:"}
		r.check(t, stranger)
	}
}

func TestStateIsOfOneRequest(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	state := question(t, confirming().check(t, url))
	text := strings.Trim(state, `"`)
	middle := len(text) / 2
	flipped := text[:middle] + string(text[middle]^1) + text[middle+1:]
	for name, bad := range map[string]string{
		"a bit is flipped":  flipped,
		"truncated":         text[:middle],
		"halves swapped":    text[middle:] + text[:middle],
		"longer":            text + "A",
		"of nobody":         "AAAA",
		"empty":             "",
		"in another script": "世界😀",
	} {
		r := retry(confirming(), `"`+bad+`"`, saidYes)
		r.name, r.want, r.never = name, []string{`"error":{"code":-32602,`}, []string{"sure:", "notifications/progress"}
		r.check(t, url)
	}
	other := retry(rule{name: "another tool", method: "tools/call", target: "other", params: callOf("other", "{}"), caps: asksForms, status: 200}, state, saidYes)
	other.want = []string{`"error":{"code":-32602,`}
	other.check(t, url)
	method := retry(rule{name: "another method", method: "resources/read", target: "x://guarded", params: `"uri":"x://guarded"`, caps: asksForms, status: 200}, state, saidYes)
	method.want = []string{`"error":{"code":-32602,`}
	method.check(t, url)

	counted := func(steps string) rule {
		return rule{name: steps, method: "tools/call", target: "counted", params: callOf("counted", `{"steps":`+steps+`}`), caps: asksForms, status: 200}
	}
	state = question(t, counted("9007199254740993").check(t, url))
	same := retry(counted("9007199254740993"), state, saidYes)
	same.want = []string{"9007199254740993 sure: true"}
	same.check(t, url)
	for _, steps := range []string{"9007199254740992", "9007199254740994", "1"} {
		changed := retry(counted(steps), state, saidYes)
		changed.want = []string{`"error":{"code":-32602,`}
		changed.check(t, url)
	}
}

func TestResourcesAskAndListsDoNot(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	guarded := rule{method: "resources/read", target: "x://guarded", params: `"uri":"x://guarded"`, caps: asksForms, status: 200}
	done := retry(guarded, question(t, guarded.check(t, url)), saidYes)
	done.want = []string{`"text":"opened"`, `"resultType":"complete"`, `"ttlMs":0`, `"cacheScope":"private"`}
	done.check(t, url)
	for _, r := range every() {
		if r.method == "tools/call" || r.method == "prompts/get" || r.method == "resources/read" {
			continue
		}
		r = retry(r, `"AAAA"`, saidYes)
		r.status, r.never = 200, []string{"input_required"}
		r.check(t, url)
	}
	again := rule{name: "state alone", method: "tools/call", target: "again", params: callOf("again", "{}"), status: 200, never: []string{"inputRequests"}}
	back := again
	back.params += `,"requestState":` + question(t, again.check(t, url))
	back.want = []string{"back with first"}
	back.check(t, url)
}

func TestAClientIsAskedOnlyWhatItDeclares(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	needs := func(name, tool, caps, missing string) rule {
		return rule{
			name: name, method: "tools/call", target: tool, params: callOf(tool, "{}"), caps: caps, status: 400,
			want: []string{`"error":{"code":-32021,`, fmt.Sprintf(`"data":{"requiredCapabilities":%s}}`, missing)}, never: []string{"input_required"},
		}
	}
	asked := func(name, tool, caps, method string) rule {
		return rule{name: name, method: "tools/call", target: tool, params: callOf(tool, "{}"), caps: caps, status: 200, want: []string{"input_required", `"method":"` + method + `"`}}
	}
	checkAll(t, url, []rule{
		needs("a form", "other", `{}`, `{"elicitation":{}}`),
		needs("a form of a client that has only URLs", "other", `{"elicitation":{"url":{}}}`, `{"elicitation":{"form":{}}}`),
		needs("a form of a client whose capability is no object", "other", `{"elicitation":true}`, `{"elicitation":{}}`),
		needs("a URL of a client that has only forms", "visit", `{"elicitation":{}}`, `{"elicitation":{"url":{}}}`),
		needs("folders", "folders", `{"sampling":{}}`, `{"roots":{}}`),
		needs("a model", "model", `{"roots":{},"elicitation":{}}`, `{"sampling":{}}`),
		needs("a need that the tool declares", "samples", `{"roots":{}}`, `{"sampling":{}}`),
		asked("a form that is declared", "other", `{"elicitation":{"form":{}}}`, "elicitation/create"),
		asked("a URL that is declared", "visit", `{"elicitation":{"url":{}}}`, "elicitation/create"),
		asked("folders that are declared", "folders", `{"roots":{}}`, "roots/list"),
		asked("a model that is declared", "model", `{"sampling":{}}`, "sampling/createMessage"),
		{
			name: "after a notification it is told in band", method: "tools/call", target: "confirm", params: callOf("confirm", "{}"), meta: token,
			status: 200, want: []string{"notifications/progress", `"isError":true`}, never: []string{"input_required"},
		},
	})
}
