package mcphttp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// every is one good request of each method that answers with a result.
func every() []rule {
	return []rule{
		{name: "discover", method: "server/discover"},
		{name: "list of tools", method: "tools/list"},
		{name: "list of prompts", method: "prompts/list"},
		{name: "list of resources", method: "resources/list"},
		{name: "list of templates", method: "resources/templates/list"},
		{name: "call", method: "tools/call", target: "add", params: callOf("add", `{"a":1,"b":2}`)},
		{name: "call that fails", method: "tools/call", target: "add", params: callOf("add", `{}`)},
		{name: "read", method: "resources/read", target: "x://items/1", params: `"uri":"x://items/1"`},
		{name: "prompt", method: "prompts/get", target: "greet", params: `"name":"greet","arguments":{"name":"Ann"}`},
		{name: "completion", method: "completion/complete", params: `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"A"}`},
	}
}

func TestEveryResultSaysWhoAnsweredAndThatItIsComplete(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	cached := map[string]bool{"server/discover": true, "tools/list": true, "prompts/list": true, "resources/list": true, "resources/templates/list": true, "resources/read": true}
	for _, r := range every() {
		r.status = 200
		a := r.check(t, url).expect(t, 200, jsonType)
		if got := member(t, a.body, "resultType"); got != `"complete"` {
			t.Errorf("%s: got resultType %s", r.name, got)
		}
		if got := member(t, a.body, "_meta", "io.modelcontextprotocol/serverInfo"); !strings.Contains(got, `"name":"test"`) {
			t.Errorf("%s: got %s", r.name, got)
		}
		if hints := strings.Contains(a.body, `"ttlMs":`) && strings.Contains(a.body, `"cacheScope":`); hints != cached[r.method] {
			t.Errorf("%s: caching hints %v, want %v: %s", r.name, hints, cached[r.method], a.body)
		}
	}
}

func TestMalformedMetaRunsNothing(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	const version, client, caps = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}`, `"io.modelcontextprotocol/clientCapabilities":{}`
	for name, meta := range map[string]string{
		"a version that is a number":         `"io.modelcontextprotocol/protocolVersion":42,` + client + `,` + caps,
		"a version that is null":             `"io.modelcontextprotocol/protocolVersion":null,` + client + `,` + caps,
		"capabilities that are a list":       version + `,` + client + `,"io.modelcontextprotocol/clientCapabilities":[]`,
		"no capabilities":                    version + `,` + client,
		"a client that is a string":          version + `,"io.modelcontextprotocol/clientInfo":"t",` + caps,
		"a progress token with a fraction":   version + `,` + client + `,` + caps + `,"progressToken":1.5`,
		"a level of logging that is unknown": version + `,` + client + `,` + caps + `,"io.modelcontextprotocol/logLevel":"loud"`,
	} {
		body := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{` + meta + `}}}`
		a := do(t, request(t, http.MethodPost, url, modernHeaders("tools/call", "add"), body)).contains(t, `"id":7,"error":{"code":-32602,`)
		// basic/index#meta: a required member that is missing or mistyped is 400. The others are params like any.
		if required := !strings.Contains(name, "token") && !strings.Contains(name, "level"); required && a.StatusCode != 400 {
			t.Errorf("%s: got %d %s", name, a.StatusCode, a.body)
		}
	}
}

func TestWhatIsNoRequestIsRefused(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	params := `"method":"tools/list","params":{` + fmt.Sprintf(meta, "") + `}}`
	for name, tc := range map[string]struct{ body, id, code string }{
		"an id that is null":         {`{"jsonrpc":"2.0","id":null,` + params, "", "-32600"},
		"an id with a fraction":      {`{"jsonrpc":"2.0","id":1.0,` + params, "", "-32600"},
		"an id with an exponent":     {`{"jsonrpc":"2.0","id":1e3,` + params, "", "-32600"},
		"an id that is an object":    {`{"jsonrpc":"2.0","id":{},` + params, "", "-32600"},
		"no jsonrpc":                 {`{"id":7,` + params, "7", "-32600"},
		"another jsonrpc":            {`{"jsonrpc":"1.0","id":7,` + params, "7", "-32600"},
		"jsonrpc as a number":        {`{"jsonrpc":2.0,"id":7,` + params, "7", "-32600"},
		"what is no JSON":            {`{"jsonrpc":"2.0","id":7,` + params + `,`, "", "-32700"},
		"a batch":                    {`[{"jsonrpc":"2.0","id":7,` + params + `]`, "", "-32600"},
		"an empty batch":             {`[]`, "", "-32600"},
		"a text":                     {`"tools/list"`, "", "-32600"},
		"a member that comes twice":  {`{"jsonrpc":"2.0","id":7,"id":8,` + params, "", "-32700"},
		"a method that is no string": {`{"jsonrpc":"2.0","id":7,"method":1,"params":{` + fmt.Sprintf(meta, "") + `}}`, "7", "-32600"},
	} {
		a := do(t, request(t, http.MethodPost, url, modernHeaders("tools/list", ""), tc.body))
		ids := strings.Count(a.body, `"id":`)
		if a.StatusCode != 400 || a.Header.Get("Content-Type") != jsonType || !strings.Contains(a.body, `"code":`+tc.code) || ids > 0 && (tc.id == "" || !strings.Contains(a.body, `"id":`+tc.id)) {
			t.Errorf("%s: got %d %s, want 400, code %s and id %q or none", name, a.StatusCode, a.body, tc.code, tc.id)
		}
	}
}

func TestIDsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	for _, id := range []string{`0`, `-1`, `2147483648`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"1"`, `"世界😀"`, `"a\"b\\"`} {
		for _, r := range []rule{
			{method: "tools/list"},
			{method: "no/such"},
			{method: "tools/call", target: "add", params: callOf("add", "{}")},
			{method: "tools/call", target: "steps", params: callOf("steps", `{"steps":1}`), meta: token},
		} {
			if a := do(t, r.request(t, url, id)); strings.Count(a.body, `"id":`+id+`,`) != 1 {
				t.Errorf("%s, %s: got %s", id, r.method, a.body)
			}
		}
	}
}

func TestFaultsHaveTheCodesOfTheSpecification(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	never := []string{"-32002", "-32042", "isError", `"result"`}
	checkAll(t, url, []rule{
		{name: "an unknown method", method: "no/such", status: 404, want: []string{"-32601"}, never: never},
		{name: "a method of an older revision", method: "ping", status: 404, want: []string{"-32601"}, never: never},
		{name: "initialize with _meta", method: "initialize", status: 404, want: []string{"-32601"}, never: never},
		{name: "an extension that is not served", method: "tasks/get", target: "t", params: `"taskId":"t"`, status: 404, want: []string{"-32601"}, never: never},
		{name: "an unknown tool", method: "tools/call", target: "nobody", params: callOf("nobody", "{}"), status: 200, want: []string{"-32602"}, never: never},
		{name: "arguments that are a list", method: "tools/call", target: "add", params: callOf("add", "[1,2]"), status: 200, want: []string{"-32602"}, never: never},
		{name: "an unknown prompt", method: "prompts/get", target: "nobody", params: `"name":"nobody"`, status: 200, want: []string{"-32602"}, never: never},
		{name: "a prompt without a required argument", method: "prompts/get", target: "greet", params: `"name":"greet","arguments":{}`, status: 200, want: []string{"-32602", "name"}, never: never},
		{name: "an unknown resource", method: "resources/read", target: "x://nothing", params: `"uri":"x://nothing"`, status: 200, want: []string{"-32602", `"uri":"x://nothing"`}, never: never},
		{name: "a resource that cannot be read", method: "resources/read", target: "x://broken", params: `"uri":"x://broken"`, status: 200, want: []string{"-32603"}, never: never},
		{name: "a cursor of nobody", method: "tools/list", params: `"cursor":"AAAA"`, status: 200, want: []string{"-32602"}, never: never},
		{name: "an empty cursor", method: "tools/list", params: `"cursor":""`, status: 200, want: []string{"-32602"}, never: never},
		{name: "completion of an unknown prompt", method: "completion/complete", params: `"ref":{"type":"ref/prompt","name":"nobody"},"argument":{"name":"name","value":""}`, status: 200, want: []string{"-32602"}, never: never},
		{name: "completion of an unknown argument", method: "completion/complete", params: `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"nobody","value":""}`, status: 200, want: []string{"-32602"}, never: never},
		{name: "bad arguments are for the model", method: "tools/call", target: "add", params: callOf("add", `{"a":"x","b":2}`), status: 200, want: []string{`"isError":true`, "integer"}, never: []string{`"error"`}},
		{name: "a panic is for nobody", method: "tools/call", target: "panic", params: callOf("panic", "{}"), status: 200, want: []string{`"isError":true`}, never: []string{"secret", "世界", ".go:", "goroutine"}},
	})
	rule{name: "after a panic the server goes on", method: "tools/call", target: "add", params: callOf("add", `{"a":1,"b":2}`), status: 200, want: []string{`"text":"3"`}}.check(t, url)
}

func TestMethodsOfWhatIsNotDeclaredAreUnknown(t *testing.T) {
	t.Parallel()
	url := newFixture(nil).serve(t, nil).URL // has tools alone
	rule{name: "discover", method: "server/discover", status: 200, never: []string{`"prompts":`, `"resources":`, `"completions":`}}.check(t, url)
	for _, r := range every() {
		if r.method == "server/discover" || strings.HasPrefix(r.method, "tools/") {
			continue
		}
		r.status, r.want = 404, []string{"-32601"}
		r.check(t, url)
	}
}

func TestNothingIsCarriedFromOneRequestToTheNext(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}} // everything on one connection
	defer client.CloseIdleConnections()
	send := func(r rule) string {
		response := open(t, client, r.request(t, url, "7"))
		defer response.Body.Close()
		return read(t, response)
	}
	needs := rule{method: "tools/call", target: "samples", params: callOf("samples", "{}")}
	list := rule{method: "tools/list"}
	before := send(list)
	able := needs
	able.caps = `{"sampling":{}}`
	if got := send(able); !strings.Contains(got, `"isError":false`) {
		t.Errorf("a client that can sample: %s", got)
	}
	if got := send(needs); !strings.Contains(got, `"code":-32021`) {
		t.Errorf("a capability was taken from an earlier request: %s", got)
	}
	talk := rule{method: "tools/call", target: "talk", params: callOf("talk", "{}"), meta: `,"io.modelcontextprotocol/logLevel":"debug"`}
	if got := send(talk); !strings.Contains(got, "notifications/message") {
		t.Errorf("nothing is logged: %s", got)
	}
	talk.meta = ""
	if got := send(talk); strings.Contains(got, "notifications/") {
		t.Errorf("a level of logging was taken from an earlier request: %s", got)
	}
	list.caps = `{"sampling":{},"elicitation":{},"roots":{}}`
	if after := send(list); after != before {
		t.Errorf("a list changed with the connection:\n%s\n%s", before, after)
	}
}

func TestMetaOfOthersReachesTheHandler(t *testing.T) {
	t.Parallel()
	rule{
		name: "meta", method: "tools/call", target: "meta", params: callOf("meta", "{}"), status: 200,
		meta: `,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","com.example/where":{"x":"😀"},"baggage":"a=世界"`,
		want: []string{`\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"\"a=世界\"`},
	}.check(t, ruled(t, nil))
}
