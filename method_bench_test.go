package mcp_test

import (
	"context"
	"slices"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/protocol"
)

// A methodCost is one method that a client may send, and how many allocations it may cost in each era, from the bytes of
// the message to those of the answer. Those are what was measured; never means that the era does not have the method.
type methodCost struct {
	method, params string
	modern, legacy float64
	undo           string // the method that takes back what this one did, with the same id and params, in the same figure
}

const never = -1

// methodCosts are all methods that a client may send. Undoing is measured with what is undone.
func methodCosts() []methodCost {
	reference := `"ref":{"type":"ref/prompt","name":"city"},"argument":{"name":"country","value":"F"}`
	return []methodCost{
		{method: "server/discover", modern: 1, legacy: never},
		{method: "tools/list", modern: 1, legacy: 1},
		{method: "tools/call", params: `"name":"add","arguments":{"a":1234567,"b":1000003}`, modern: 5, legacy: 5},
		{method: "resources/list", modern: 1, legacy: 1},
		{method: "resources/templates/list", modern: 1, legacy: 1},
		{method: "resources/read", params: `"uri":"x://hello"`, modern: 11, legacy: 11},
		{method: "prompts/list", modern: 1, legacy: 1},
		{method: "prompts/get", params: `"name":"city","arguments":{"country":"世界"}`, modern: 7, legacy: 7},
		{method: "completion/complete", params: reference, modern: 6, legacy: 6},
		{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`, modern: 13, legacy: never, undo: "notifications/cancelled"},
		{method: "initialize", params: `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"old","version":"1"}`, modern: never, legacy: 22},
		{method: "ping", modern: never, legacy: 1},
		{method: "logging/setLevel", params: `"level":"debug"`, modern: never, legacy: 1},
		{method: "resources/subscribe", params: `"uri":"x://hello"`, modern: never, legacy: 5, undo: "resources/unsubscribe"},
		{method: "notifications/initialized", modern: never, legacy: 1},
		{method: "notifications/cancelled", params: `"requestId":7`, modern: 1, legacy: 1},
		{method: "notifications/progress", params: `"progressToken":"t","progress":1`, modern: never, legacy: 1},
		{method: "notifications/roots/list_changed", modern: never, legacy: 1},
	}
}

// methodServer has something for every method.
func methodServer() *mcp.Server {
	server := mcp.NewServer("everything", "1.0.0", &mcp.Options{Dynamic: true, ResourceUpdates: true})
	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two integers"},
		func(_ context.Context, in addIn) (int, error) { return in.A + in.B, nil })
	fixed("x://fixed", "世界")(server)
	template("x://{name}", nameIs(""))(server)
	type place struct {
		Country string `json:"country"`
	}
	mcp.AddPrompt(server, mcp.Prompt{Name: "city", Description: "D", Complete: map[string]mcp.Completer{
		"country": mcp.CompleteFrom("France", "Finland", "世界"),
	}}, func(_ context.Context, in place) (string, error) { return in.Country, nil })
	return server
}

// messages are what is handled for one figure.
func (m methodCost) messages(era string) [][]byte {
	write := func(method, params string) []byte {
		protocolMethod := protocol.MethodNamed([]byte(method))
		switch {
		case protocolMethod.Notification && era == "modern":
			return []byte(`{"jsonrpc":"2.0","method":"` + method + `","params":{` + plainMeta + `,` + params + `}}`)
		case protocolMethod.Notification:
			return []byte(notification(method, params))
		case era == "modern":
			return []byte(modern("7", method, params))
		}
		return []byte(request("7", method, params))
	}
	all := [][]byte{write(m.method, m.params)}
	switch {
	case m.undo == "notifications/cancelled":
		all = append(all, write(m.undo, `"requestId":7`))
	case m.undo != "":
		all = append(all, write(m.undo, m.params))
	}
	return all
}

// handler returns a function that handles the messages of one figure, and checks once that they are served.
func (m methodCost) handler(tb testing.TB, era string) func() {
	tb.Helper()
	server := methodServer()
	var session *mcp.Session
	if era == "modern" {
		session = connect(tb, server)
	} else {
		session = legacyTalk(tb, server, "2025-11-25").session
	}
	messages, ctx := m.messages(era), context.Background()
	sink := &discard{}
	handle := func() {
		for _, message := range messages {
			session.Handle(ctx, message, sink)
		}
	}
	if m.method == "initialize" { // once a session
		handle = func() {
			session, err := server.Connect(mcp.ConnectOptions{Transport: "memory"})
			if err != nil {
				tb.Fatal(err)
			}
			session.Handle(ctx, messages[0], sink)
			session.Close()
		}
	}
	handle()
	if sink.failed != nil {
		tb.Fatalf("%s: %v", messages[0], sink.failed)
	}
	return handle
}

// each calls run for every method of every era.
func eachMethod(run func(era string, m methodCost, most float64)) {
	for _, m := range methodCosts() {
		if m.modern != never {
			run("modern", m, m.modern)
		}
		if m.legacy != never {
			run("legacy", m, m.legacy)
		}
	}
}

func BenchmarkMethod(b *testing.B) {
	eachMethod(func(era string, m methodCost, _ float64) {
		b.Run(era+"/"+m.method, func(b *testing.B) {
			handle := m.handler(b, era)
			b.ReportAllocs()
			for b.Loop() {
				handle()
			}
		})
	})
}

func TestEveryMethodThatAClientMaySendIsMeasured(t *testing.T) {
	measured := map[string][]string{}
	eachMethod(func(era string, m methodCost, _ float64) {
		measured[era] = append(measured[era], m.method, m.undo)
	})
	latest := map[string]int{"modern": protocol.RevisionCount - 1, "legacy": protocol.RevisionCount - 2}
	for method := range protocol.Methods() {
		for era, revision := range latest {
			if method.In[revision] != slices.Contains(measured[era], method.Name) {
				t.Errorf("%s, %s: a client may send it: %v", era, method.Name, method.In[revision])
			}
		}
	}
}
