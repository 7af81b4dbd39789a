package mcp_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp"
)

func listenTo(id, filter string) string {
	return modern(id, "subscriptions/listen", `"notifications":{`+filter+`}`)
}

func acknowledged(id, filter string) string {
	return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` +
		id + `},"notifications":{` + filter + `}}}`
}

func heard(id, method, params string) string {
	return `{"jsonrpc":"2.0","method":"` + method + `","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}` + params + `}}`
}

func watched(o *mcp.Options) *mcp.Server { return testServer(o, echo, fixed("x://世界", "A")) }

// listening opens a subscription.
func (k *talk) listening(message string) (*mcp.Call, *tape) {
	k.t.Helper()
	call, sink := k.begin(message)
	if !call.Serve() {
		k.t.Fatalf("the subscription is not open: %s", sink.reply)
	}
	return call, sink
}

func TestAcknowledgementNamesWhatIsHonoured(t *testing.T) {
	all := &mcp.Options{Dynamic: true, ResourceUpdates: true}
	cases := []struct {
		rule    string
		options *mcp.Options
		filter  string
		want    string
	}{
		{"everything", all, `"resourceSubscriptions":["x://世界","x://😀"],"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true`, `"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["x://世界","x://😀"]`},
		{"false members are omitted", all, `"toolsListChanged":false,"promptsListChanged":true`, `"promptsListChanged":true`},
		{"nothing wanted is nothing honoured", all, ``, ``},
		{"an empty list of URIs is omitted", all, `"resourceSubscriptions":[]`, ``},
		{"unknown members are ignored", all, `"x":1,"toolsListChanged":true`, `"toolsListChanged":true`},
		{"updates without list changes", &mcp.Options{ResourceUpdates: true}, `"toolsListChanged":true,"resourceSubscriptions":["x://世界"]`, `"resourceSubscriptions":["x://世界"]`},
		{"list changes without updates", &mcp.Options{Dynamic: true}, `"toolsListChanged":true,"resourceSubscriptions":["x://世界"]`, `"toolsListChanged":true`},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			for _, id := range []string{`1`, `"世界😀"`} {
				k := talkTo(t, watched(c.options))
				call, sink := k.listening(listenTo(id, c.filter))
				wantNotes(t, sink, acknowledged(id, c.want))
				wantFlushed(t, call.Flush)
			}
		})
	}
	t.Run("without any such capability the method is unknown", func(t *testing.T) {
		wantError(t, talkTo(t, watched(nil)).send(listenTo("1", `"toolsListChanged":true`)), "1", -32601)
	})
}

func TestFiltersThatAreRefused(t *testing.T) {
	k := talkTo(t, watched(&mcp.Options{Dynamic: true, ResourceUpdates: true}))
	for rule, params := range map[string]string{
		"no filter": ``, "a list": `"notifications":[]`, "null": `"notifications":null`,
		"a flag that is no boolean": `"notifications":{"toolsListChanged":1}`, "a flag that is null": `"notifications":{"toolsListChanged":null}`,
		"URIs that are no list": `"notifications":{"resourceSubscriptions":"x://a"}`, "a URI that is no string": `"notifications":{"resourceSubscriptions":[1]}`,
		"a URI that is null":     `"notifications":{"resourceSubscriptions":[null]}`,
		"an empty URI":           `"notifications":{"resourceSubscriptions":[""]}`,
		"a URI that is too long": `"notifications":{"resourceSubscriptions":["` + strings.Repeat("x", 8<<10+1) + `"]}`,
		"too many URIs":          `"notifications":{"resourceSubscriptions":[` + manyURIs(1025) + `]}`,
	} {
		t.Run(rule, func(t *testing.T) {
			got := k.send(modern("1", "subscriptions/listen", params))
			wantError(t, got, "1", -32602)
			wantNotes(t, got)
		})
	}
	k.listening(modern("2", "subscriptions/listen", `"notifications":{"resourceSubscriptions":[`+manyURIs(1024)+`]}`))
}

func manyURIs(n int) string {
	uris := make([]string, n)
	for i := range uris {
		uris[i] = fmt.Sprintf(`"x://%d"`, i)
	}
	return strings.Join(uris, ",")
}

func TestASubscriptionHearsWhatItAskedFor(t *testing.T) {
	server := watched(&mcp.Options{Dynamic: true, ResourceUpdates: true})
	k := talkTo(t, server)
	lists, listsSink := k.listening(listenTo("1", `"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true`))
	reads, _ := k.listening(listenTo(`"two"`, `"resourceSubscriptions":["x://世界"]`))
	idle, idleSink := k.listening(listenTo("3", ``))
	before := idleSink.wakes

	err := server.Change(t.Context(), func(c *mcp.Change) { c.Remove(mcp.ToolItem("echo"), mcp.ResourceItem("x://世界")) })
	if err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"x://世界", "x://世", "X://世界", "x://世界/"} { // URIs match exactly
		if err := server.ResourceUpdated(t.Context(), uri); err != nil {
			t.Fatal(err)
		}
	}
	wantFlushed(t, lists.Flush, heard("1", "notifications/tools/list_changed", ""), heard("1", "notifications/resources/list_changed", ""))
	wantFlushed(t, reads.Flush, heard(`"two"`, "notifications/resources/updated", `,"uri":"x://世界"`))
	wantFlushed(t, idle.Flush)
	wantFlushed(t, lists.Flush) // said once
	if listsSink.wakes < 2 || idleSink.wakes != before {
		t.Errorf("woken %d and %d times", listsSink.wakes, idleSink.wakes-before)
	}
	got := k.send(callEcho("4", "x"))
	wantError(t, got, "4", -32602, "unknown tool") // and calls are served beside it
}

func TestNoChangeIsLostBetweenAcknowledgementAndTheFirstFlush(t *testing.T) {
	server := watched(&mcp.Options{Dynamic: true})
	k := talkTo(t, server)
	for i := range 50 {
		var changed sync.WaitGroup
		changed.Go(func() { addTools(t, server, fmt.Sprint("t", i)) })
		call, sink := k.listening(listenTo(fmt.Sprint(i), `"toolsListChanged":true`))
		changed.Wait()
		addTools(t, server, fmt.Sprint("u", i))
		wantFlushed(t, call.Flush, heard(fmt.Sprint(i), "notifications/tools/list_changed", ""))
		if sink.wakes == 0 {
			t.Fatal("nobody was woken")
		}
		call.Cancel()
	}
}

func TestCancellingASubscriptionSaysNothing(t *testing.T) {
	server := watched(&mcp.Options{Dynamic: true})
	k := talkTo(t, server)
	first, one := k.listening(listenTo("1", `"toolsListChanged":true`))
	second, two := k.listening(listenTo("2", `"toolsListChanged":true`))
	wantError(t, k.send(listenTo("1", ``)), "1", -32600, "still running")
	k.tell(cancelOf("1"))
	k.tell(cancelOf("1"))
	wakes := one.wakes
	addTools(t, server, "a")
	if one.wakes != wakes {
		t.Error("the cancelled one is still told of changes")
	}
	if said, err := flushed(t, first.Flush); len(said) > 0 || !errors.Is(err, mcp.ErrCallEnded) {
		t.Errorf("the cancelled one says %q, %v", said, err)
	}
	wantFlushed(t, second.Flush, heard("2", "notifications/tools/list_changed", ""))
	if one.replies+two.replies > 0 {
		t.Errorf("%s%s", one.reply, two.reply)
	}
	k.listening(listenTo("1", `"toolsListChanged":true`)) // the id is free
}

func TestASubscriptionThatIsCancelledInTheQueueDoesNotOpen(t *testing.T) {
	k := talkTo(t, watched(&mcp.Options{Dynamic: true}))
	call, sink := k.begin(listenTo("1", `"toolsListChanged":true`))
	k.tell(cancelOf("1"))
	if call.Serve() {
		t.Error("it is open")
	}
	wantSilence(t, sink)
}

func TestAnAcknowledgementThatCannotBeSentOpensNothing(t *testing.T) {
	k := talkTo(t, watched(&mcp.Options{Dynamic: true}))
	sink := &tape{broke: true}
	call, _ := k.session.Admit(t.Context(), []byte(listenTo("1", `"toolsListChanged":true`)), sink, nil)
	if call.Serve() || sink.replies > 0 {
		t.Errorf("open, or answered by %s", sink.reply)
	}
}

func TestDrainEndsSubscriptionsWithTheirResult(t *testing.T) {
	ended := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":` + id +
			`,"io.modelcontextprotocol/serverInfo":{"name":"t","version":"1"}}}}`
	}
	t.Run("a connection of one client: result, then cancellation", func(t *testing.T) {
		server := watched(&mcp.Options{Dynamic: true})
		k := talkTo(t, server)
		call, sink := k.listening(listenTo(`"世界"`, `"toolsListChanged":true`))
		addTools(t, server, "a")
		before := sink.wakes
		k.session.Drain()
		k.session.Drain()
		said, err := flushed(t, call.Flush)
		if !errors.Is(err, mcp.ErrCallEnded) || sink.wakes == before {
			t.Errorf("%v, woken %v", err, sink.wakes > before)
		}
		if len(said) != 2 || said[0] != heard(`"世界"`, "notifications/tools/list_changed", "") ||
			said[1] != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"世界"}}` {
			t.Errorf("said %q", said)
		}
		wantReply(t, sink, ended(`"世界"`))
		wantError(t, k.send(listenTo("2", ``)), "2", -32603, "shutting down", "retryAfterMs")
	})
	t.Run("a stream of its own: the result alone", func(t *testing.T) {
		k := sharedTalk(t, watched(&mcp.Options{Dynamic: true}), modernHeaders("subscriptions/listen", ""))
		call, sink := k.listening(listenTo("7", `"toolsListChanged":true`))
		k.session.Close()
		said, err := flushed(t, call.Flush)
		if len(said) > 0 || !errors.Is(err, mcp.ErrCallEnded) {
			t.Errorf("said %q, %v", said, err)
		}
		wantReply(t, sink, ended("7"))
	})
	t.Run("what is running goes on", func(t *testing.T) {
		h := newHeld()
		k := talkTo(t, testServer(nil, h.register))
		wait := k.running(callTool("1", "hold"))
		<-h.started
		k.session.Drain()
		close(h.release)
		wantReply(t, wait(), said("1", "held"))
	})
}

func TestAThousandSubscriptionsLeaveCallsServed(t *testing.T) {
	server := watched(&mcp.Options{Dynamic: true, MaxInFlight: 1})
	k := talkTo(t, server)
	calls := make([]*mcp.Call, 1000)
	for i := range calls {
		calls[i], _ = k.listening(listenTo(fmt.Sprint(i), `"toolsListChanged":true`))
	}
	wantReply(t, k.send(callEcho(`"x"`, "世界")), said(`"x"`, "世界"))
	addTools(t, server, "a")
	for i, call := range calls {
		wantFlushed(t, call.Flush, heard(fmt.Sprint(i), "notifications/tools/list_changed", ""))
	}
}

func TestFlushStopsAtAnErrorOfItsTransport(t *testing.T) {
	server := watched(&mcp.Options{Dynamic: true})
	call, _ := talkTo(t, server).listening(listenTo("1", `"toolsListChanged":true`))
	addTools(t, server, "a")
	broken := errors.New("broken pipe")
	if err := call.Flush(func([]byte) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestLegacyClientsHearOfChangesOnceTheyAreReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := watched(&mcp.Options{Dynamic: true, ResourceUpdates: true})
		woken := 0
		session, err := server.Connect(mcp.ConnectOptions{Wake: func() { woken++ }})
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		k := &talk{t: t, session: session, ctx: t.Context()}
		wantFlushed(t, session.Flush)
		k.send(hello("2024-11-05"))
		addTools(t, server, "a")
		wantFlushed(t, session.Flush) // not before notifications/initialized
		before := woken
		k.tell(notification("notifications/initialized", ""))
		if woken == before {
			t.Error("nobody was woken")
		}
		wantFlushed(t, session.Flush, toolsChanged)

		wantError(t, k.send(request("1", "resources/subscribe", `"uri":"x://none"`)), "1", -32002)
		wantError(t, k.send(request("1", "resources/subscribe", `"uri":7`)), "1", -32602)
		wantReply(t, k.send(request("1", "resources/subscribe", `"uri":"x://世界"`)), answered("1", ""))
		wantReply(t, k.send(request("1", "resources/subscribe", `"uri":"x://世界"`)), answered("1", ""))
		_ = server.ResourceUpdated(t.Context(), "x://世界")
		wantFlushed(t, session.Flush, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://世界"}}`)
		wantReply(t, k.send(request("2", "resources/unsubscribe", `"uri":"x://世界"`)), answered("2", ""))
		wantReply(t, k.send(request("2", "resources/unsubscribe", `"uri":"x://never"`)), answered("2", ""))
		_ = server.ResourceUpdated(t.Context(), "x://世界")
		wantFlushed(t, session.Flush)
	})
}
