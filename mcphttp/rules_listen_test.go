package mcphttp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// listening opens a subscription and returns the events after its acknowledgement, which must be as wanted.
func listening(t *testing.T, url, id, filter, honoured string) *eventReader {
	t.Helper()
	r := rule{method: "subscriptions/listen", params: `"notifications":` + filter}
	response := open(t, testClient, r.request(t, url, id))
	t.Cleanup(func() { response.Body.Close() })
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != eventType || response.Header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("got %d %v", response.StatusCode, response.Header)
	}
	events := readEvents(t, response.Body)
	first := events.next().data
	if !strings.Contains(first, `"method":"notifications/subscriptions/acknowledged"`) || !strings.Contains(first, `"notifications":`+honoured) || !strings.Contains(first, subscriptionID(id)) {
		t.Fatalf("got %s, want an acknowledgement of %s with id %s", first, honoured, id)
	}
	return events
}

func subscriptionID(id string) string { return `"io.modelcontextprotocol/subscriptionId":` + id }

// hears fails unless the next event is that notification for that subscription.
func hears(t *testing.T, events *eventReader, id, what string) {
	t.Helper()
	if e := events.next(); !strings.Contains(e.data, what) || !strings.Contains(e.data, subscriptionID(id)) {
		t.Errorf("got %s, want %s with id %s", e.data, what, id)
	}
}

func TestASubscriptionIsToldWhatItNamedAndNothingElse(t *testing.T) {
	t.Parallel()
	server := newRuled(nil)
	h, err := mcphttp.NewHandler(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	url := serveHandler(t, h).URL
	tools := listening(t, url, "1", `{"toolsListChanged":true,"promptsListChanged":false}`, `{"toolsListChanged":true}`)
	prompts := listening(t, url, `"1"`, `{"promptsListChanged":true}`, `{"promptsListChanged":true}`)
	resources := listening(t, url, `"世界😀"`, `{"resourcesListChanged":true}`, `{"resourcesListChanged":true}`)
	fixed := listening(t, url, "2", `{"resourceSubscriptions":["x://fixed"]}`, `{"resourceSubscriptions":["x://fixed"]}`)
	silent := listening(t, url, "3", `{}`, `{}`)

	change := func(edit func(c *mcp.Change)) {
		t.Helper()
		if err := server.Change(t.Context(), edit); err != nil {
			t.Fatal(err)
		}
	}
	text := func(context.Context, none) (string, error) { return "", nil }
	change(func(c *mcp.Change) { mcp.AddTool(c, mcp.Tool{Name: "new", Description: "New"}, text) })
	hears(t, tools, "1", "notifications/tools/list_changed")
	change(func(c *mcp.Change) { mcp.AddPrompt(c, mcp.Prompt{Name: "new", Description: "New"}, text) })
	hears(t, prompts, `"1"`, "notifications/prompts/list_changed")
	change(func(c *mcp.Change) { mcp.AddFixedResource(c, mcp.Resource{URI: "x://new", Name: "new"}, "") })
	hears(t, resources, `"世界😀"`, "notifications/resources/list_changed")
	// The tool touches two resources, and reports progress to its own request alone.
	rule{name: "touch", method: "tools/call", target: "touch", params: callOf("touch", "{}"), status: 200, never: []string{"notifications/resources"}}.check(t, url)
	rule{name: "talk", method: "tools/call", target: "talk", params: callOf("talk", "{}"), meta: token, status: 200, want: []string{"notifications/progress"}}.check(t, url)
	hears(t, fixed, "2", `"uri":"x://fixed"`)

	// The end is the next thing that each hears: nothing was told to the wrong one.
	drained := make(chan error, 1)
	go func() { drained <- h.Drain(t.Context()) }()
	for id, events := range map[string]*eventReader{"1": tools, `"1"`: prompts, `"世界😀"`: resources, "2": fixed, "3": silent} {
		hears(t, events, id, `"id":`+id+`,"result":{"resultType":"complete"`)
		events.end()
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeListenedToIsLeftOutOrRefused(t *testing.T) {
	t.Parallel()
	still, dynamic := ruled(t, &mcp.Options{}), ruled(t, &mcp.Options{Dynamic: true})
	rule{
		name: "a server that tells of nothing", method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`,
		status: 404, want: []string{"-32601"},
	}.check(t, still)
	listening(t, dynamic, "1", `{"toolsListChanged":true,"resourceSubscriptions":["x://fixed"]}`, `{"toolsListChanged":true}`)
	for name, params := range map[string]string{
		"a flag that is a text":   `"notifications":{"toolsListChanged":"yes"}`,
		"a list that is a text":   `"notifications":{"resourceSubscriptions":"x://fixed"}`,
		"a list of numbers":       `"notifications":{"resourceSubscriptions":[1]}`,
		"a filter that is a list": `"notifications":[]`,
		"no filter":               `"x":1`,
	} {
		rule{name: name, method: "subscriptions/listen", params: params, status: 200, want: []string{"-32602"}, never: []string{"acknowledged"}}.check(t, dynamic)
	}
}
