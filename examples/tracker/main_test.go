package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
)

func newTracker() *mcp.Server { return newServer(&mcp.Options{ResourceUpdates: true}) }

// as is the context of requests that come from a caller.
func as(t *testing.T, name string) context.Context {
	return mcp.WithCaller(t.Context(), mcp.Caller{ID: name})
}

func TestCallersHaveIssuesOfTheirOwn(t *testing.T) {
	mcptest.EachRevision(t, newTracker, nil, func(t *testing.T, c *mcptest.Client) {
		ann, bob := as(t, "ann"), as(t, "bob")
		made, err := mcptest.Call[issue](ann, c, "create_issue", newIssue{"Größe stimmt nicht"})
		if err != nil || made != (issue{1, "Größe stimmt nicht"}) {
			t.Fatalf("created %+v, %v", made, err)
		}
		if hers, err := mcptest.Call[[]issue](ann, c, "list_issues", nil); err != nil || !slices.Equal(hers, []issue{made}) {
			t.Errorf("ann's are %v, %v", hers, err)
		}
		if his, err := mcptest.Call[[]issue](bob, c, "list_issues", nil); err != nil || len(his) != 0 {
			t.Errorf("bob's are %v, %v", his, err)
		}
		if found, err := c.ReadResource(ann, "issue://1"); err != nil || found[0].Text != `{"id":1,"title":"Größe stimmt nicht"}` {
			t.Errorf("read %v, %v", found, err)
		}
		if _, err := c.ReadResource(bob, "issue://1"); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("bob reads ann's: %v", err)
		}
		if found, err := c.CompleteTemplate(ann, "issue://{id}", "id", "1", nil); err != nil || !slices.Equal(found.Values, []string{"1"}) {
			t.Errorf("completed %+v, %v", found, err)
		}
		if got, err := c.GetPrompt(ann, "triage", map[string]string{"id": "1"}); err != nil || len(got.Messages) != 1 {
			t.Errorf("prompt %+v, %v", got, err)
		}
	})
}

func TestDeletingAsksFirst(t *testing.T) {
	for action, want := range map[string]int{"accept": 0, "decline": 1} {
		for _, revision := range mcptest.Revisions()[2:] { // those that can ask the user
			t.Run(action+" in "+revision, func(t *testing.T) {
				told := 0
				c := mcptest.Connect(t, newTracker(), &mcptest.Options{
					Revision: revision,
					Elicit: func(_ context.Context, q mcptest.Question) (mcptest.Answer, error) {
						if q.Message != "Delete issue 1, Größe?" {
							t.Errorf("asked %s", q.Message)
						}
						return mcptest.Answer{Action: action, Content: agreement{true}}, nil
					},
					OnNotification: func(n mcptest.Notification) {
						if n.Method == "notifications/resources/updated" {
							told++
						}
					},
				})
				ann := as(t, "ann")
				_, _ = mcptest.Call[issue](ann, c, "create_issue", newIssue{"Größe"})
				stop, err := c.Listen(ann, mcptest.Filter{Updates: []string{"issue://1"}})
				if err != nil {
					t.Fatal(err)
				}
				defer stop()
				_, err = mcptest.Call[string](ann, c, "delete_issue", oneIssue{1})
				left, _ := mcptest.Call[[]issue](ann, c, "list_issues", nil)
				if len(left) != want || told != 1-want || (err != nil) != (action == "decline") {
					t.Errorf("left %v, told %d times, error %v", left, told, err)
				}
			})
		}
	}
}

// post sends a call of list_issues and returns the status and the body.
func post(t *testing.T, url, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_issues",`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "list_issues"} {
		r.Header.Set(name, value)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestOnlyKnownCallersAreServedUntilTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	known := tokens{}
	known.add("ann", "geheim")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, newTracker(), known) }()
	url := "http://" + listener.Addr().String()
	for _, c := range []struct {
		rule, token string
		status      int
		body        string
	}{
		{"a known token", "geheim", 200, `"structuredContent":[]`},
		{"an unknown token", "offen", 401, "send a token"},
		{"no token", "", 401, "send a token"},
	} {
		if status, body := post(t, url+"/mcp", c.token); status != c.status || !strings.Contains(body, c.body) {
			t.Errorf("%s: %d %s", c.rule, status, body)
		}
	}
	health, err := http.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	health.Body.Close()
	if health.StatusCode != 200 {
		t.Errorf("health %d", health.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestArgumentsThatAreWrongAreTold(t *testing.T) {
	for want, args := range map[string][]string{
		"write a name, an equals sign and a token": {"-token", "größe"},
		"nobody could call":                        {},
	} {
		var out strings.Builder
		if err := run(t.Context(), args, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", args, err, want)
		}
	}
}
