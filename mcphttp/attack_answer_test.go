package mcphttp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// asker is a server whose tool asks, as soon as anybody calls it.
func asker(t *testing.T) (url string) {
	t.Helper()
	f := newFixture(nil)
	mcp.AddTool(f.server, mcp.Tool{Name: "ask", Description: "Asks"}, func(ctx context.Context, _ none) (string, error) {
		answer, err := mcp.Ask[sure](ctx, "sure", "Sure? 世界")
		return fmt.Sprint("sure: ", answer.Sure), err
	})
	return f.serve(t, nil).URL
}

// asked calls the tool and returns the id of its question, as JSON, and what follows.
func (c *legacyClient) asked(id string) (question string, events *eventReader) {
	c.t.Helper()
	response, events := c.open(c.t.Context(), legacyCall(id, "ask", "{}"))
	c.t.Cleanup(func() { response.Body.Close() })
	for e := events.next(); ; e = events.next() {
		if strings.Contains(e.data, `"method":"elicitation/create"`) {
			return member(c.t, `{"result":`+e.data+`}`, "id"), events
		}
	}
}

func answerTo(id string, sure bool) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"sure":%v}}}`, id, sure)
}

// Ids of questions are no secret between the sessions of one caller. An answer counts in the session that was asked, once, and
// only with the id as it was sent.
func TestAnAnswerCountsInTheSessionThatWasAskedOnly(t *testing.T) {
	t.Parallel()
	url := asker(t)
	for _, revision := range []string{older2025, priming2025} {
		ann, bob := able(t, url, revision), able(t, url, revision)
		question, events := ann.asked(`"世"`)
		others, theirs := bob.asked(`"世"`)
		for what, a := range map[string]answer{
			"of another session":  bob.post(answerTo(question, false)),
			"with an unquoted id": ann.post(answerTo("7", false)),
			"with the call's id":  ann.post(answerTo(`"世"`, false)),
			"with a longer id":    ann.post(answerTo(strings.TrimSuffix(question, `"`)+`/x"`, false)),
			"with a null id":      ann.post(answerTo("null", false)),
		} {
			if a.StatusCode != http.StatusAccepted || a.body != "" {
				t.Errorf("an answer %s: got %d %s, want 202", what, a.StatusCode, a.body)
			}
		}
		if a := ann.post(answerTo(question, false), "Mcp-Session-Id:"); a.StatusCode != http.StatusBadRequest {
			t.Errorf("an answer without a session: got %d %s", a.StatusCode, a.body)
		}
		if a := ann.post(answerTo(question, false), "Mcp-Session-Id: forged"); a.StatusCode != http.StatusNotFound {
			t.Errorf("an answer in a forged session: got %d %s", a.StatusCode, a.body)
		}
		ann.post(answerTo(question, true))
		ann.post(answerTo(question, false)) // is late
		if got := textOf(t, events.next().data); got != "sure: true" {
			t.Errorf("got %q", got)
		}
		bob.post(answerTo(others, false))
		if got := textOf(t, theirs.next().data); got != "sure: false" {
			t.Errorf("got %q", got)
		}
	}
}

// What a client does with a call that asks, all at once: the call has one end, and its id is free again.
func TestAnswersThatRaceCancellationsAndEndsLeaveNobodyWaiting(t *testing.T) {
	t.Parallel()
	url := asker(t)
	for i := range 30 {
		client := able(t, url, []string{older2025, priming2025}[i%2])
		question, events := client.asked("1")
		var group sync.WaitGroup
		group.Go(func() { client.post(answerTo(question, true)) })
		if i%3 != 0 {
			group.Go(func() { client.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`) })
		}
		if i%3 == 2 {
			group.Go(func() { do(t, request(t, http.MethodDelete, url, client.header, "")) })
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for e, ok := events.read(); ok; e, ok = events.read() {
				if strings.Contains(e.data, `"error"`) || strings.Contains(e.data, `"isError":true`) {
					t.Errorf("%d: got %s", i, e.data)
				}
			}
		}()
		group.Wait()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Fatalf("%d: the call has no end", i)
		}
		if i%3 != 2 {
			client.post(legacyCall("1", "add", `{"a":1,"b":2}`)).expect(t, 200, jsonType).contains(t, `"text":"3"`)
		}
	}
}
