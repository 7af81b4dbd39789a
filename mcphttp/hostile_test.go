package mcphttp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestTenThousandSessionsBegunAndAbandonedLeaveNothing(t *testing.T) {
	h := newFixture(nil).handler(t, nil)
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	begin := func(n int) {
		for range n {
			w := record(h, arrive(t, "127.0.0.1", http.MethodPost, "/", header, fmt.Sprintf(initializeBody, older2025)))
			session := w.Header().Get("Mcp-Session-Id")
			if w.Code != 200 || session == "" {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
			if w := record(h, arrive(t, "127.0.0.1", http.MethodPost, "/", header, legacyCall("1", "add", `{"a":1,"b":2}`), "Mcp-Session-Id: "+session)); w.Code != 200 {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
		}
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	begin(100)
	before := heap()
	begin(10_000)
	if after := heap(); after > before+1<<20 {
		t.Errorf("10,000 sessions left %d bytes", after-before)
	}
}

func TestTwoThousandRequestsOfAllErasOnTwoHundredConnectionsAreAnsweredOnceEach(t *testing.T) {
	f := newFixture(nil)
	s := f.serve(t, nil)
	transport := &http.Transport{MaxConnsPerHost: 200, MaxIdleConnsPerHost: 200}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var sessions []http.Header
	for _, revision := range []string{batching2025, older2025, priming2025} {
		sessions = append(sessions, initialize(t, s.URL, revision).header)
	}
	var group sync.WaitGroup
	for i := range 2000 {
		group.Go(func() {
			text := fmt.Sprintf("世界😀 %d", i)
			id := fmt.Sprintf(`"id-%d"`, i)
			r := toolCall(t, s.URL, id, "echo", `{"text":"`+text+`"}`, "")
			if era := i % 4; era > 0 {
				r = request(t, http.MethodPost, s.URL, sessions[era-1], legacyCall(id, "echo", `{"text":"`+text+`"}`))
			}
			if i%5 == 0 { // and some as streams
				r.Header.Set("Accept", eventType)
			}
			response, err := client.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != 200 || strings.Count(string(body), `"id":`+id) != 1 || strings.Count(string(body), text) != 1 {
				t.Errorf("%d: got %d %s, %v", i, response.StatusCode, body, err)
			}
		})
	}
	group.Wait()
}

func TestClientsThatLeaveAtAnyMomentLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	h := f.handler(t, nil)
	s := serveHandler(t, h)
	session := initialize(t, s.URL, priming2025).header
	var group sync.WaitGroup
	for i := range 200 {
		group.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			r := []func() *http.Request{
				func() *http.Request { return toolCall(t, s.URL, fmt.Sprint(i), "steps", `{"steps":1000}`, token) },
				func() *http.Request { return toolCall(t, s.URL, fmt.Sprint(i), "huge", `{"steps":10000000}`, token) },
				func() *http.Request { return listenRequest(t, s.URL, fmt.Sprint(i)) },
				func() *http.Request {
					return request(t, http.MethodPost, s.URL, session, legacyCall(fmt.Sprint(i), "steps", `{"steps":1000}`))
				},
				func() *http.Request {
					return request(t, http.MethodGet, s.URL, session, "", "Accept: text/event-stream")
				},
			}[i%5]()
			response, err := testClient.Do(r.WithContext(ctx))
			if err != nil {
				t.Error(err)
				return
			}
			read := int64(i * 7)
			if i%5 == 2 || i%5 == 4 { // these say little by themselves
				read = int64(i % 20)
			}
			_, _ = io.CopyN(io.Discard, response.Body, read)
			leave()
			response.Body.Close()
		})
	}
	group.Wait()
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestPipelinedRequestsAreAnsweredInOrder(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	conn := dial(t, s)
	go func() {
		for i := range 100 {
			_ = toolCall(t, s.URL, fmt.Sprint(i), "add", fmt.Sprintf(`{"a":%d,"b":0}`, i), "").Write(conn)
		}
	}()
	reader := bufio.NewReader(conn)
	for i := range 100 {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		if !strings.Contains(string(body), fmt.Sprintf(`"id":%d,`, i)) || !strings.Contains(string(body), fmt.Sprintf(`"text":"%d"`, i)) {
			t.Fatalf("%d: got %s", i, body)
		}
	}
}

func TestAnAnnouncedBodyCostsNoMemoryUntilItComes(t *testing.T) {
	s := newFixture(nil).serve(t, nil)
	const connections = 50
	for _, announced := range []int{20 << 10, 256 << 10, 4 << 20} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range connections {
			conn := dial(t, s)
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", announced)
			// The server asks for the body when its memory is there.
			if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
				t.Fatalf("got %q, %v", line, err)
			}
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > connections*72<<10 {
			t.Errorf("%d announced bodies of %d bytes took %d each", connections, announced, grown/connections)
		}
	}
}

func TestAHeaderWithManyValuesIsReadInLinearTime(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, nil)
	for _, accept := range []string{
		strings.Repeat("a/b;q=0.1,", 50_000) + "application/json",
		strings.Repeat(";", 500_000) + ",application/json",
		strings.Repeat(`application/json;q="`, 20_000) + ",application/json",
	} {
		if w := record(h, addRequest(t, "127.0.0.1", "Accept: "+accept)); w.Code != 200 {
			t.Errorf("got %d", w.Code)
		}
	}
}

func TestClientsOfHTTP10AreServed(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	for tool, arguments := range map[string]string{"add": `{"a":1,"b":2}`, "steps": `{"steps":2}`} {
		conn := dial(t, s)
		body := call("1", tool, arguments, token)
		fmt.Fprintf(conn, "POST / HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\nMcp-Protocol-Version: %s\r\nContent-Length: %d\r\n\r\n%s",
			tool, modernRevision, len(body), body)
		all, err := io.ReadAll(conn)
		if err != nil || !strings.Contains(string(all), `"id":1,"result"`) || strings.Contains(string(all), "chunked") {
			t.Errorf("%s: got %q, %v", tool, all, err)
		}
	}
}
