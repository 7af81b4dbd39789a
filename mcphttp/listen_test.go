package mcphttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func listenBody(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + fmt.Sprintf(meta, "") + `}}`
}

func listenRequest(t testing.TB, url, id string, changes ...string) *http.Request {
	t.Helper()
	return request(t, http.MethodPost, url, modernHeaders("subscriptions/listen", ""), listenBody(id), changes...)
}

// addTool changes the list of tools.
func (f *fixture) addTool(t testing.TB, name string) {
	t.Helper()
	err := f.server.Change(t.Context(), func(c *mcp.Change) {
		mcp.AddTool(c, mcp.Tool{Name: name, Description: "More"}, func(context.Context, none) (string, error) { return "", nil })
	})
	if err != nil {
		t.Fatal(err)
	}
}

const changed = `"method":"notifications/tools/list_changed"`

func TestASubscriptionIsAnEventStreamOfItsOwn(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	h := f.handler(t, nil)
	s := serveHandler(t, h)
	var streams []*eventReader
	for _, id := range []string{"1", `"世界😀"`} {
		response := open(t, testClient, listenRequest(t, s.URL, id))
		defer response.Body.Close()
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != eventType || response.Header.Get("X-Accel-Buffering") != "no" {
			t.Fatalf("got %d %v", response.StatusCode, response.Header)
		}
		events := readEvents(t, response.Body)
		if e := events.next(); !strings.Contains(e.data, "notifications/subscriptions/acknowledged") || !strings.Contains(e.data, `subscriptionId":`+id) {
			t.Fatalf("first comes the acknowledgement, got %s", e.data)
		}
		streams = append(streams, events)
	}
	f.addTool(t, "more")
	for i, id := range []string{"1", `"世界😀"`} {
		if e := streams[i].next(); !strings.Contains(e.data, changed) || !strings.Contains(e.data, `subscriptionId":`+id) || e.id != "" {
			t.Errorf("got %+v", e)
		}
	}
	drained := make(chan error, 1)
	go func() { drained <- h.Drain(t.Context()) }()
	for i, id := range []string{"1", `"世界😀"`} {
		if e := streams[i].next(); !strings.Contains(e.data, `"id":`+id+`,"result"`) || !strings.Contains(e.data, `subscriptionId":`+id) {
			t.Errorf("the end is a result, got %s", e.data)
		}
		streams[i].end()
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
	a := do(t, toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, "")).expect(t, 503, jsonType)
	if a.Header.Get("Retry-After") == "" {
		t.Error("a server that has drained says nothing of when to come again")
	}
}

func TestASubscriptionNeedsAClientThatTakesEvents(t *testing.T) {
	t.Parallel()
	s := newFixture(&mcp.Options{Dynamic: true}).serve(t, nil)
	do(t, listenRequest(t, s.URL, "1", "Accept: application/json")).expect(t, 406, jsonType)
}

func TestOpenSubscriptionsDoNotCountAgainstTheRequests(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	s := f.serve(t, &mcphttp.Options{MaxRequests: 1})
	for i := range 20 {
		response := open(t, testClient, listenRequest(t, s.URL, fmt.Sprint(i)))
		defer response.Body.Close()
		readEvents(t, response.Body).next()
		// The count goes down just after the acknowledgement.
		for do(t, toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, "")).StatusCode != 200 {
		}
	}
}

func TestADisconnectEndsASubscription(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	h := f.handler(t, nil)
	s := serveHandler(t, h)
	ctx, leave := context.WithCancel(t.Context())
	response := open(t, testClient, listenRequest(t, s.URL, "1").WithContext(ctx))
	readEvents(t, response.Body).next()
	leave()
	response.Body.Close()
	// Nothing is left to wait for: an end that hangs would be a subscription that does.
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestADrainThatTakesTooLongSaysWhatItGaveUp(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	h := f.handler(t, nil)
	s := serveHandler(t, h)
	done := make(chan answer, 1)
	go func() { done <- do(t, toolCall(t, s.URL, "1", "quiet", "{}", "")) }()
	<-f.started
	over, stop := context.WithCancel(t.Context())
	stop()
	if err := h.Drain(over); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1 requests") {
		t.Errorf("got %v", err)
	}
	close(f.release)
	(<-done).expect(t, 200, jsonType)
}

func TestEveryoneWhoDrainsAHandlerIsToldOfItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(nil)
		h := f.handler(t, nil)
		r := addRequest(t, "127.0.0.1")
		r.Header.Set("Mcp-Name", "quiet")
		body := call("1", "quiet", "{}", "")
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		go record(h, r)
		<-f.started
		drained := make(chan error, 3)
		for range 3 {
			go func() { drained <- h.Drain(t.Context()) }()
		}
		synctest.Wait()
		close(f.release)
		for range 3 {
			if err := <-drained; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestAQuietSubscriptionIsKeptAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(&mcp.Options{Dynamic: true})
		network := newMemory()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- mcphttp.Serve(ctx, network, f.server, nil) }()
		response := open(t, network.client(t), listenRequest(t, memoryURL, "1"))
		defer response.Body.Close()
		events := readEvents(t, response.Body)
		events.next()
		begun := time.Now()
		for range 4 {
			if e, ok := events.read(); !ok || !e.comment {
				t.Fatalf("got %+v, %v", e, ok)
			}
		}
		if waited := time.Since(begun); waited != time.Minute {
			t.Errorf("four comments took %v, want 1 min", waited)
		}
		f.addTool(t, "more")
		if e := events.next(); !strings.Contains(e.data, changed) {
			t.Errorf("got %s", e.data)
		}
		stop()
		if e := events.next(); !strings.Contains(e.data, `"result"`) {
			t.Errorf("got %s", e.data)
		}
		events.end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

func TestAReaderThatIsSlowHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(&mcp.Options{Dynamic: true})
		network := newMemory()
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() {
			served <- mcphttp.Serve(ctx, network, f.server, &mcphttp.Options{WriteTimeout: 10 * time.Second})
		}()
		// The slow one sends its request and never reads; a pipe holds nothing for it.
		slow, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		if err := listenRequest(t, memoryURL, "1").Write(slow); err != nil {
			t.Fatal(err)
		}
		response := open(t, network.client(t), listenRequest(t, memoryURL, "2"))
		defer response.Body.Close()
		events := readEvents(t, response.Body)
		events.next()
		begun := time.Now()
		for i := range 50 {
			f.addTool(t, fmt.Sprint("more", i))
			events.next()
		}
		if waited := time.Since(begun); waited != 0 {
			t.Errorf("the others waited %v for the slow one", waited)
		}
		ended := make(chan struct{})
		go func() { // an unread comment would stop the clock of the bubble
			defer close(ended)
			for _, ok := events.read(); ok; _, ok = events.read() {
			}
		}()
		wait(20 * time.Second)
		if rest, _ := io.ReadAll(slow); strings.Contains(string(rest), changed) {
			t.Errorf("the slow one was written to after its time: %q", rest)
		}
		slow.Close()
		stop()
		<-ended
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}
