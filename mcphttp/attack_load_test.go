package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// Nobody waits for anybody: not who publishes for those who read slowly, not a good reader for a bad one, not a call for either.
func TestAThousandReadersThatDoNotReadHoldNobodyUp(t *testing.T) {
	of := &mcp.Options{Dynamic: true, ResourceUpdates: true}
	bubbleOf(t, of, nil, func(t *testing.T, f *fixture, network *memory) {
		client := network.client(t)
		uri := "x://" + strings.Repeat("a", 1000)
		if err := f.server.Change(t.Context(), func(c *mcp.Change) { mcp.AddFixedResource(c, mcp.Resource{URI: uri, Name: "a"}, "a") }); err != nil {
			t.Fatal(err)
		}
		session := func() http.Header { return initializeWith(t, client, memoryURL, older2025) }
		listenToAll := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":[%q]},`+meta+`}}`, uri, "")
		for i := range 1000 {
			r := request(t, http.MethodPost, memoryURL, modernHeaders("subscriptions/listen", ""), listenToAll)
			if i%2 == 1 {
				r = request(t, http.MethodGet, memoryURL, session(), "", "Accept: text/event-stream")
			}
			conn, err := network.dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if response := answerOn(t, conn, r); response.StatusCode != http.StatusOK {
				t.Fatal(response)
			}
			// From here on nothing is read: on this network the next write already blocks.
		}
		good := open(t, client, request(t, http.MethodPost, memoryURL, modernHeaders("subscriptions/listen", ""), listenToAll))
		defer good.Body.Close()
		events := readEvents(t, good.Body)
		events.next()
		begun := time.Now()
		for i := range 20 {
			f.addTool(t, fmt.Sprint("more-", i))
			if err := f.server.ResourceUpdated(t.Context(), uri); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				events.next()
			}
			answer := open(t, client, toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, ""))
			if body := read(t, answer); !strings.Contains(body, `"text":"3"`) {
				t.Fatalf("got %s", body)
			}
			answer.Body.Close()
			synctest.Wait()
		}
		if waited := time.Since(begun); waited > 0 {
			t.Errorf("somebody waited %v", waited)
		}
	})
}

// At the end each request is answered or was not begun, whatever the moment.
func TestADrainUnderLoadLosesNoReply(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	var ran, answered atomic.Int64
	mcp.AddTool(f.server, mcp.Tool{Name: "count", Description: "Counts"}, func(ctx context.Context, _ none) (string, error) {
		ran.Add(1)
		mcp.Progress(ctx, 1, 2, "")
		return "counted", nil
	})
	base, stop := f.listen(t, mcphttp.Options{})
	transport := &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	header := initializeWith(t, client, base+"/mcp", priming2025)
	var group sync.WaitGroup
	warm := make(chan struct{})
	for worker := range 64 {
		group.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprint(worker*1_000_000 + i)
				r := toolCall(t, base+"/mcp", id, "count", "{}", token, "Accept: "+[]string{jsonType, eventType}[i%2])
				if worker%2 == 1 {
					r = request(t, http.MethodPost, base+"/mcp", header, legacyCall(id, "count", "{}"))
				}
				response, err := client.Do(r)
				if err != nil {
					return // the server is gone
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if response.StatusCode == http.StatusServiceUnavailable {
					continue
				}
				if err != nil || !strings.Contains(string(body), "counted") {
					t.Errorf("got %d %q, %v", response.StatusCode, body, err)
					return
				}
				if answered.Add(1) == 500 {
					close(warm)
				}
			}
		})
	}
	<-warm
	begun := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > 4*time.Second {
		t.Errorf("the end took %v", took)
	}
	group.Wait()
	if ran.Load() != answered.Load() {
		t.Errorf("%d calls ran, %d were answered", ran.Load(), answered.Load())
	}
}

// A proxy sends the requests of many users on one connection of HTTP/2: one of them must not be able to have it closed.
func TestARefusedBodyLeavesAConnectionOfHTTP2ToTheOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serveOver(t, "HTTP/2.0", &mcphttp.Options{BodyTimeout: 200 * time.Millisecond})
	var dialled atomic.Int64
	transport := s.Client().Transport.(*http.Transport)
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled.Add(1)
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	blank := strings.Repeat(" ", 5<<20)
	for range 3 {
		for name, length := range map[string]int64{"declared too large": int64(len(blank)), "found too large": -1, "too slow": -1} {
			r := toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, "")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(blank)), length
			if name == "too slow" {
				r.Body, _ = io.Pipe() // which the client closes when it gives up
			}
			response, err := s.Client().Do(r)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if response.StatusCode != http.StatusRequestEntityTooLarge && response.StatusCode != http.StatusRequestTimeout {
				t.Errorf("%s: got %d", name, response.StatusCode)
			}
			response.Body.Close()
		}
		response := open(t, s.Client(), toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, ""))
		if body := read(t, response); response.StatusCode != 200 || !strings.Contains(body, `"text":"3"`) {
			t.Errorf("got %d %s", response.StatusCode, body)
		}
		response.Body.Close()
	}
	if n := dialled.Load(); n != 1 {
		t.Errorf("%d connections were made, want 1", n)
	}
}

// A server of the program's own has no deadline for writes: a client that does not read must not keep its place for ever.
func TestOnAServerOfItsOwnAReaderThatDoesNotReadGivesItsPlaceBack(t *testing.T) {
	t.Parallel()
	for _, size := range []int{3_000, 60_000, 100_000} {
		for _, revision := range []string{modernRevision, older2025} {
			synctest.Test(t, func(t *testing.T) {
				f, network := newFixture(nil), newMemory()
				s := &http.Server{Handler: f.handler(t, &mcphttp.Options{MaxRequests: 1, KeepAlive: time.Hour}), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
				served := make(chan error, 1)
				go func() { served <- s.Serve(network) }()
				client := network.client(t)
				arguments := `{"text":"` + strings.Repeat("x", size) + `"}`
				r := toolCall(t, memoryURL, "1", "echo", arguments, "", "Accept: application/json")
				if revision != modernRevision {
					r = request(t, http.MethodPost, memoryURL, initializeWith(t, client, memoryURL, revision), legacyCall("1", "echo", arguments), "Accept: application/json")
				}
				conn, err := network.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if err := r.Write(conn); err != nil {
					t.Fatal(err)
				}
				wait(31 * time.Second)
				response := open(t, client, toolCall(t, memoryURL, "1", "add", `{"a":1,"b":2}`, ""))
				if body := read(t, response); response.StatusCode != http.StatusOK {
					t.Errorf("%d bytes, %s: got %d %s", size, revision, response.StatusCode, body)
				}
				response.Body.Close()
				s.Close()
				network.Close()
				<-served
			})
		}
	}
}

func TestBodiesAroundEveryBoundAreReadWhole(t *testing.T) {
	t.Parallel()
	url := newFixture(nil).serve(t, nil).URL
	around := len(call("1", "echo", `{"text":""}`, ""))
	for _, bound := range []int{4 << 10, 16 << 10, 64 << 10, 256 << 10, 4 << 20} {
		for size := bound - 1; size <= min(bound+1, 4<<20); size++ {
			for _, announced := range []bool{true, false} {
				text := strings.Repeat("x", size-around)
				r := toolCall(t, url, "1", "echo", `{"text":"`+text+`"}`, "")
				if !announced {
					r.ContentLength = -1
				}
				if got := textOf(t, do(t, r).expect(t, 200, jsonType).body); got != text {
					t.Errorf("a body of %d bytes came back with %d of %d", size, len(got), len(text))
				}
			}
		}
	}
}
