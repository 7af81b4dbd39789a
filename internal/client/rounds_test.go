package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// answerer answers everything.
func answerer() client.Options {
	return client.Options{
		Capabilities: json.RawMessage(`{}`),
		Elicit: func(_ context.Context, q protocol.ElicitParams) (protocol.ElicitResult, error) {
			content, err := protocol.Append(nil, map[string]string{"to": q.Message})
			return protocol.ElicitResult{Action: protocol.ActionAccept, Content: content}, err
		},
		Sample: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage("{\n\"asked\":" + string(params) + "}"), nil
		},
		Roots: func(context.Context) ([]protocol.Root, error) { return nil, nil },
	}
}

// inTurn answers requests with one result after the other.
func inTurn(results ...string) func(s *server, m client.Outgoing) {
	return func(s *server, m client.Outgoing) {
		s.t.Helper()
		if len(results) == 0 {
			s.t.Fatalf("one request too many: %s", m.Text)
		}
		next := results[0]
		results = results[1:]
		s.result(m, next)
	}
}

func TestARequestIsSentAgainWithAnswersUntilItIsComplete(t *testing.T) {
	s := connected(t, protocol.Modern(), answerer())
	s.answer = inTurn(
		`{"resultType":"input_required","inputRequests":{"z":{"method":"elicitation/create","params":{"message":"世界","requestedSchema":{}}},`+
			`"a😀":{"method":"roots/list","params":{}},"m":{"method":"sampling/createMessage","params":{"maxTokens":1}}},"requestState":"st\"世界"}`,
		`{"resultType":"input_required","requestState":"second"}`,
		`{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}}`,
		`{"resultType":"complete","content":[]}`,
	)
	result, err := s.client.Call(t.Context(), protocol.ToolsCall, protocol.CallToolParams{Name: "deploy"})
	if err != nil || string(result) != `{"resultType":"complete","content":[]}` {
		t.Errorf("result %s, %v", result, err)
	}
	call := func(id, more string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + meta + `,"name":"deploy"` + more + `}}`
	}
	s.expect(
		call("1", ""),
		call("2", `,"inputResponses":{"a😀":{"roots":[]},"m":{"asked":{"maxTokens":1}},"z":{"action":"accept","content":{"to":"世界"}}},"requestState":"st\"世界"`),
		call("3", `,"requestState":"second"`),
		call("4", `,"inputResponses":{"q":{"roots":[]}}`),
	)
}

func TestARequestIsSentAgainAtMostSixteenTimes(t *testing.T) {
	s := connected(t, protocol.Modern(), answerer())
	s.answer = always(`{"resultType":"input_required","requestState":"x"}`)
	_, err := s.client.Call(t.Context(), protocol.PromptsGet, protocol.GetPromptParams{Name: "p"})
	if err == nil || !strings.Contains(err.Error(), "prompts/get is not complete after 16 rounds") {
		t.Errorf("error %v", err)
	}
	if n := len(s.lines()); n != 17 {
		t.Errorf("%d requests, want 17", n)
	}
}

func TestRequestsThatMayNotAskAreNotSentAgain(t *testing.T) {
	const asks = `{"resultType":"input_required","requestState":"x"}`
	s := connected(t, protocol.Modern(), answerer())
	s.answer = always(asks)
	if result, err := s.client.Call(t.Context(), protocol.ToolsList, nil); err != nil || string(result) != asks {
		t.Errorf("a list: %s, %v", result, err)
	}
	s = connected(t, protocol.LatestLegacy(), answerer())
	s.answer = always(asks)
	if result, err := s.client.Call(t.Context(), protocol.ToolsCall, echo("x")); err != nil || string(result) != asks {
		t.Errorf("a legacy call: %s, %v", result, err)
	}
}

func TestAQuestionThatCannotBeAnsweredFailsTheCall(t *testing.T) {
	failing := answerer()
	failing.Elicit = func(context.Context, protocol.ElicitParams) (r protocol.ElicitResult, err error) {
		return r, errors.New("nobody is at home 世界")
	}
	cases := []struct {
		rule, question, want string
		o                    client.Options
	}{
		{"no function", `{"method":"elicitation/create","params":{"message":"m"}}`, `question "k": method not found: the client does not answer elicitation/create (-32601)`, client.Options{}},
		{"no such method", `{"method":"tools/call"}`, `question "k": method not found: the client does not answer tools/call (-32601)`, answerer()},
		{"the function fails", `{"method":"elicitation/create","params":{"message":"m"}}`, `question "k": nobody is at home 世界`, failing},
		{"the question is malformed", `{"method":"elicitation/create","params":{"message":7}}`, `question "k": invalid params`, answerer()},
		{"the question has no params", `{"method":"elicitation/create"}`, `question "k": invalid params`, answerer()},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			s := connected(t, protocol.Modern(), c.o)
			s.answer = inTurn(`{"resultType":"input_required","inputRequests":{"k":` + c.question + `}}`)
			_, err := s.client.Call(t.Context(), protocol.ToolsCall, echo("x"))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestAResultThatIsNoObjectIsAnError(t *testing.T) {
	for _, result := range []string{`7`, `[]`, `{"resultType":7}`, `{"resultType":"input_required","inputRequests":[]}`} {
		s := connected(t, protocol.Modern(), answerer())
		s.answer = always(result)
		if _, err := s.client.Call(t.Context(), protocol.ToolsCall, echo("x")); err == nil {
			t.Errorf("%s was taken", result)
		}
	}
}
