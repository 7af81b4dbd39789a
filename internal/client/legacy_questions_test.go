package client_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestQuestionsOfALegacyServerAreAnsweredWhileACallWaits(t *testing.T) {
	failing := answerer()
	failing.Elicit = func(context.Context, protocol.ElicitParams) (r protocol.ElicitResult, err error) {
		return r, errors.New("世界")
	}
	refusing := answerer()
	refusing.Elicit = func(context.Context, protocol.ElicitParams) (r protocol.ElicitResult, err error) {
		return r, &client.Error{Code: -1, Message: "no 😀", Data: []byte(`{"a":1}`)}
	}
	form := `"method":"elicitation/create","params":{"message":"世界😀"}`
	cases := []struct {
		rule, question, want string
		o                    client.Options
	}{
		{"a form", `{"jsonrpc":"2.0","id":"q😀",` + form + `}`, `{"jsonrpc":"2.0","id":"q😀","result":{"action":"accept","content":{"to":"世界😀"}}}`, answerer()},
		{"the model", `{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{"maxTokens":1}}`, `{"jsonrpc":"2.0","id":0,"result":{"asked":{"maxTokens":1}}}`, answerer()},
		{"the roots", `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}`, answerer()},
		{"a ping", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"result":{}}`, client.Options{}},
		{"no function", `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found: the client does not answer roots/list"}}`, client.Options{}},
		{"no such method", `{"jsonrpc":"2.0","id":7,"method":"世界"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found: the client does not answer 世界"}}`, answerer()},
		{"a failure", `{"jsonrpc":"2.0","id":7,` + form + `}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"世界"}}`, failing},
		{"an error of the function's own", `{"jsonrpc":"2.0","id":7,` + form + `}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no 😀","data":{"a":1}}}`, refusing},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			s := connected(t, protocol.LatestLegacy(), c.o)
			s.answer = func(s *server, m client.Outgoing) {
				if m.Method != nil {
					s.say(c.question)
					return
				}
				s.say(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
			}
			if _, err := s.client.Call(t.Context(), protocol.ToolsCall, echo("x")); err != nil {
				t.Fatal(err)
			}
			if got := s.lines(); len(got) != 2 || got[1] != c.want {
				t.Errorf("answered %q, want %s", got[1:], c.want)
			}
		})
	}
}

func TestAQuestionThatIsTakenBackIsNotAnswered(t *testing.T) {
	t.Run("while it waits", func(t *testing.T) {
		s := connected(t, protocol.LatestLegacy(), answerer())
		s.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}}`)
		s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"other"}}`)
		s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`)
		s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
		s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`)
		s.client.Flush(t.Context())
		s.expect()
	})
	t.Run("while it is being answered", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			o := answerer()
			o.Elicit = func(ctx context.Context, _ protocol.ElicitParams) (r protocol.ElicitResult, err error) {
				<-ctx.Done()
				return r, ctx.Err()
			}
			s := connected(t, protocol.LatestLegacy(), o)
			s.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}}`)
			done := make(chan struct{})
			go func() {
				s.client.Flush(t.Context())
				close(done)
			}()
			synctest.Wait()
			s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`)
			<-done
			s.expect()
		})
	})
}

func TestCloseStopsTheWorkOnQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := answerer()
		o.Elicit = func(ctx context.Context, _ protocol.ElicitParams) (r protocol.ElicitResult, err error) {
			<-ctx.Done()
			return r, ctx.Err()
		}
		s := connected(t, protocol.LatestLegacy(), o)
		s.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}}`)
		done := make(chan struct{})
		go func() {
			s.client.Flush(t.Context())
			close(done)
		}()
		synctest.Wait()
		s.client.Close(nil)
		<-done
		s.expect()
	})
}
