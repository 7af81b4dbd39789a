package mcphttp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// A crowd that subscribes to as much as it gets must not keep the server from asking others, or from telling them of lists.
func TestACrowdOfSubscribersLeavesRoomForQuestionsAndLists(t *testing.T) {
	t.Parallel()
	h, err := mcphttp.NewHandler(newRuled(&mcp.Options{Dynamic: true, ResourceUpdates: true}), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	s := serveHandler(t, h)
	for _, size := range []int{500, 50, 5, 1, 0} { // until not even the smallest finds room
		crowd(t, s.URL, size)
	}
	listening(t, s.URL, "2", `{"toolsListChanged":true}`, `{"toolsListChanged":true}`)
	client := able(t, s.URL, priming2025)
	response, events := client.open(t.Context(), legacyCall("1", "confirm", "{}"))
	defer response.Body.Close()
	var asked event
	for asked = events.next(); !strings.Contains(asked.data, `"method":"elicitation/create"`); asked = events.next() {
		if strings.Contains(asked.data, `"result"`) {
			t.Fatalf("nobody was asked: %s", asked.data)
		}
	}
	client.post(`{"jsonrpc":"2.0","id":` + member(t, `{"result":`+asked.data+`}`, "id") + `,"result":{"action":"accept","content":{"sure":true}}}`)
	if got := textOf(t, events.next().data); got != "sure: true" {
		t.Errorf("got %q", got)
	}
}

// crowd subscribes to many long URIs, or to a short one, until it is refused.
func crowd(t *testing.T, url string, many int) {
	t.Helper()
	uris := `,"x://a"`
	for i := range many {
		uris += fmt.Sprintf(`,"x://%07d%s"`, i, strings.Repeat("a", 8000))
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[%s]},`+meta+`}}`, uris[1:], "")
	for range 200 {
		response := open(t, testClient, request(t, http.MethodPost, url, modernHeaders("subscriptions/listen", ""), body))
		t.Cleanup(func() { response.Body.Close() })
		if response.StatusCode == http.StatusServiceUnavailable {
			return
		}
		if _, err := io.ReadFull(response.Body, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("there is no bound")
}
