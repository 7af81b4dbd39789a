package mcphttp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// able opens a session of a client that can be asked.
func able(t *testing.T, url, revision string) *legacyClient {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	hello := strings.Replace(fmt.Sprintf(initializeBody, revision), `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	a := do(t, request(t, http.MethodPost, url, header, hello)).expect(t, 200, jsonType)
	header.Set("Mcp-Session-Id", a.Header.Get("Mcp-Session-Id"))
	c := &legacyClient{t, url, header}
	c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func TestAHandshakeOffersTheRevisionOfTheClientOrTheNewest(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	for offered, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "世界": "2025-11-25",
	} {
		header := http.Header{"Content-Type": {jsonType}, "Mcp-Protocol-Version": {"nonsense"}} // which counts only from the handshake on
		do(t, request(t, http.MethodPost, url, header, fmt.Sprintf(initializeBody, offered))).expect(t, 200, jsonType).contains(t, `"protocolVersion":"`+want+`"`)
	}
}

func TestASessionIsNeededAndIsTheClientsOwn(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	client := initialize(t, url, older2025)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for name, tc := range map[string]struct {
		changes []string
		body    string
		want    int
	}{
		"a good request":                       {nil, list, 200},
		"no session":                           {[]string{"Mcp-Session-Id:"}, list, 400},
		"a notification without a session":     {[]string{"Mcp-Session-Id:"}, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, 400},
		"an unknown session":                   {[]string{"Mcp-Session-Id: 0123456789"}, list, 404},
		"no version: the session has it":       {[]string{"Mcp-Protocol-Version:"}, list, 200},
		"an older version: the session has it": {[]string{"Mcp-Protocol-Version: 2025-03-26"}, list, 200},
		"an unknown version":                   {[]string{"Mcp-Protocol-Version: 1999-01-01"}, list, 400},
		"the current version without _meta":    {[]string{"Mcp-Protocol-Version: 2026-07-28"}, list, 400},
		"an unknown method":                    {nil, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, 200},
		"an answer that nobody waits for":      {nil, `{"jsonrpc":"2.0","id":99,"result":{}}`, 202},
		"an error that nobody waits for":       {nil, `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}`, 202},
		"a batch":                              {nil, `[` + list + `]`, 400},
	} {
		if a := client.post(tc.body, tc.changes...); a.StatusCode != tc.want || tc.want == 202 && a.body != "" {
			t.Errorf("%s: got %d %s, want %d", name, a.StatusCode, a.body, tc.want)
		}
	}
}

func TestAHandshakeHoldsOnEveryReplica(t *testing.T) {
	t.Parallel()
	keys := [][]byte{[]byte("0123456789abcdef0123456789abcdef")}
	one, two := ruled(t, &mcp.Options{Keys: keys}), ruled(t, &mcp.Options{Keys: keys})
	client := initialize(t, one, priming2025)
	client.url = two // or the same server after a restart
	client.post(legacyCall("1", "add", `{"a":1,"b":2}`)).expect(t, 200, jsonType).contains(t, `"text":"3"`)
	client.url = ruled(t, nil)
	if a := client.post(legacyCall("1", "add", `{"a":1,"b":2}`)); a.StatusCode != 404 {
		t.Errorf("a server with other keys: got %d, want 404", a.StatusCode)
	}
}

func TestTheLevelOfLoggingIsTheSessionsOwn(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	client, other := initialize(t, url, older2025), initialize(t, url, older2025)
	level := func(name string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"` + name + `"}}`
	}
	client.post(level("loud")).expect(t, 200, jsonType).contains(t, "-32602")
	client.post(level("error")).expect(t, 200, jsonType).contains(t, `"result":{}`)
	for name, tc := range map[string]struct {
		client *legacyClient
		want   int
	}{"the one that set it": {client, 1}, "another one": {other, 3}} {
		a := tc.client.post(legacyCall("2", "talk", "{}")).expect(t, 200, eventType)
		if got := strings.Count(a.body, "notifications/message"); got != tc.want {
			t.Errorf("%s: got %d records, want %d", name, got, tc.want)
		}
	}
}

func TestAResourceIsToldOfWhileItIsSubscribedTo(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	client := initialize(t, url, older2025)
	response, events := client.get(t.Context())
	defer response.Body.Close()
	send := func(method, uri string) {
		t.Helper()
		client.post(`{"jsonrpc":"2.0","id":1,"method":"resources/`+method+`","params":{"uri":"`+uri+`"}}`).expect(t, 200, jsonType).contains(t, `"result":{}`)
	}
	touch := func() { client.post(legacyCall("2", "touch", "{}")).contains(t, `"result"`) }
	touch() // nobody is told
	send("subscribe", "x://fixed")
	touch()
	if e := events.next(); !strings.Contains(e.data, `"method":"notifications/resources/updated","params":{"uri":"x://fixed"}`) || e.id == "" {
		t.Errorf("got %+v", e)
	}
	send("unsubscribe", "x://fixed")
	touch()
	send("subscribe", "x://other")
	touch()
	if e := events.next(); !strings.Contains(e.data, `"params":{"uri":"x://other"}`) {
		t.Errorf("got %+v, want nothing of what is not subscribed to any more", e)
	}
}

func TestAClientIsAskedOnTheStreamOfItsCall(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	for _, revision := range []string{older2025, priming2025} {
		client, other := able(t, url, revision), able(t, url, revision)
		alone, changes := client.get(t.Context())
		defer alone.Body.Close()
		response, events := client.open(t.Context(), legacyCall("1", "confirm", "{}"))
		defer response.Body.Close()
		var asked event
		for asked = events.next(); !strings.Contains(asked.data, `"method":"elicitation/create"`); asked = events.next() {
		}
		id := member(t, `{"result":`+asked.data+`}`, "id")
		yes := `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept","content":{"sure":true}}}`
		no := `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"decline"}}`
		for _, a := range []answer{other.post(no), client.post(strings.Replace(no, id, `"nobody"`, 1)), client.post(yes), client.post(no)} {
			if a.StatusCode != 202 || a.body != "" {
				t.Errorf("%s: got %d %s, want 202 for whatever is an answer", revision, a.StatusCode, a.body)
			}
		}
		if got := textOf(t, events.next().data); got != "sure: true" {
			t.Errorf("%s: got %q, want what the client itself said first", revision, got)
		}
		events.end()
		// Nothing of it was on the standalone stream: what comes next there is a change.
		client.post(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x://fixed"}}`)
		client.post(legacyCall("2", "touch", "{}"))
		e := changes.next()
		if e.data == "" { // the priming event
			e = changes.next()
		}
		if !strings.Contains(e.data, "notifications/resources/updated") {
			t.Errorf("%s: got %+v on the standalone stream", revision, e)
		}
	}
}

func TestAClientWithoutAStreamIsNotAsked(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	able(t, url, older2025).post(legacyCall("1", "other", "{}"), "Accept: application/json").expect(t, 200, jsonType).contains(t, `"isError":true`)
	// A client of the current revision needs none.
	question(t, rule{method: "tools/call", target: "other", params: callOf("other", "{}"), caps: asksForms, status: 200, changes: []string{"Accept: application/json"}}.check(t, url))
}

func TestErasShareAnEndpoint(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	var clients []*legacyClient
	for _, revision := range []string{"2024-11-05", batching2025, older2025, priming2025} {
		clients = append(clients, initialize(t, url, revision))
	}
	modern := rule{method: "tools/call", target: "add", params: callOf("add", `{"a":1,"b":2}`), status: 200, want: []string{`"resultType":"complete"`}}
	for range 3 {
		modern.check(t, url)
		for _, client := range clients {
			if a := client.post(legacyCall("7", "add", `{"a":1,"b":2}`)).expect(t, 200, jsonType); strings.Contains(a.body, "resultType") || strings.Contains(a.body, "serverInfo") {
				t.Errorf("an older client got %s", a.body)
			}
		}
	}
}
