package mcphttp_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// used is the memory that is in use, in bytes.
func used() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

func TestClientsThatOpenAStreamAndAreNeverHeardOfAgainLeaveNothing(t *testing.T) {
	for _, server := range []string{"ours", "the program's own"} {
		t.Run(server, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, network := newFixture(&mcp.Options{Dynamic: true, ResourceUpdates: true}), newMemory()
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() {
					if server == "ours" {
						served <- mcphttp.Serve(ctx, network, f.server, nil)
						return
					}
					served <- (&http.Server{Handler: f.handler(t, nil)}).Serve(network)
				}()
				leaveNothing(t, network)
				stop()
				network.Close()
				<-served
			})
		})
	}
}

// leaveNothing fails when clients that have opened a stream and left it leave something.
func leaveNothing(t *testing.T, network *memory) {
	t.Helper()
	client := network.client(t)
	const clients = 1000
	begin := func() {
		for i := range clients {
			header := initializeWith(t, client, memoryURL, []string{older2025, priming2025}[i%2])
			ctx, leave := context.WithCancel(t.Context())
			response := open(t, client, request(t, http.MethodGet, memoryURL, header, "", "Accept: text/event-stream").WithContext(ctx))
			if response.StatusCode != http.StatusOK {
				t.Fatalf("client %d: got %d", i, response.StatusCode)
			}
			leave()
			response.Body.Close()
		}
		wait(2 * time.Minute) // in which each of them might have come back
		synctest.Wait()
	}
	begin()
	least := int64(math.MaxInt64) // of some rounds: stacks and maps grow and shrink by themselves, and a leak is in all of them
	for range 3 {
		before := used()
		begin()
		least = min(least, (used()-before)/clients)
	}
	t.Logf("each client left %d bytes", least)
	if least > 768 {
		t.Error("that is more than 768")
	}
}

// What opened a stream may have been large: the client's name here.
func TestAnOpenStreamDoesNotHoldItsRequest(t *testing.T) {
	f := newFixture(dynamic)
	body := strings.Replace(listenBody("1"), `"name":"t"`, `"name":"`+strings.Repeat("世", 300_000)+`"`, 1)
	for name, url := range map[string]string{"ours": f.listenToTheEnd(t, mcphttp.Options{}), "the program's own": f.serve(t, nil).URL} {
		const streams = 20
		before := used()
		for range streams {
			response := open(t, testClient, request(t, http.MethodPost, url, modernHeaders("subscriptions/listen", ""), body))
			defer response.Body.Close()
			readEvents(t, response.Body).next()
		}
		if cost := (used() - before) / streams; cost > 200<<10 {
			t.Errorf("%s: a stream holds %d bytes", name, cost)
		}
	}
}

// 16 KiB is what a stream that is held may cost beside what net/http has for its connection.
func TestAHeldStreamCostsLittle(t *testing.T) {
	f := newFixture(&mcp.Options{Dynamic: true})
	own := costOfStreams(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", eventType)
		fmt.Fprint(w, "data: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}), listenBody("1"), modernHeaders("subscriptions/listen", ""))
	cost := costOfStreams(t, f.handler(t, nil), listenBody("1"), modernHeaders("subscriptions/listen", "")) - own
	t.Logf("a subscription costs %d bytes beside the %d of net/http", cost, own)
	if cost > 16<<10 {
		t.Error("that is more than 16 KiB")
	}
}

// costOfStreams is what each of many event streams takes that have begun.
func costOfStreams(t *testing.T, h http.Handler, body string, header http.Header) int64 {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	defer s.CloseClientConnections()
	hold := func(n int) {
		for range n {
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			if err := request(t, http.MethodPost, s.URL, header, body).Write(conn); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReaderSize(conn, 512)
			for line := ""; !strings.HasPrefix(line, "data: "); {
				if line, err = lines.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	const streams = 500
	hold(50)
	before := used()
	hold(streams)
	return (used() - before) / streams
}
