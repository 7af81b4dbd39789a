package drive_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// few bounds a run in a test.
func few(n int) drive.Limits {
	return drive.Limits{Requests: n, Time: time.Minute, Grace: time.Minute}
}

// request is what a fake server wants to know of one.
type request struct {
	ID     int64
	Method string
	Params struct {
		Meta      map[string]any `json:"_meta"`
		Name      string
		Arguments struct{ A, B int64 }
	}
}

// sum is the right answer to add.
func sum(r *request) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%d"}]}}`, r.ID, r.Params.Arguments.A+r.Params.Arguments.B)
}

const handshake = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"fake","version":"1"}}}`

// serve starts a server whose answers to requests other than the handshake come from answer.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *request)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		var r request
		if err := json.Unmarshal(body, &r); err != nil {
			t.Errorf("request %s: %v", body, err)
		}
		switch {
		case r.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s1")
			io.WriteString(w, handshake)
		case strings.HasPrefix(r.Method, "notifications/"):
			w.WriteHeader(http.StatusAccepted)
		default:
			modern := r.Params.Meta["io.modelcontextprotocol/protocolVersion"] != nil
			if version := req.Header.Get("MCP-Protocol-Version"); modern != (version == workload.ModernVersion) || modern == (req.Header.Get("Mcp-Session-Id") == "s1") {
				t.Errorf("headers %v for %s", req.Header, body)
			}
			answer(w, &r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

func run(t *testing.T, w *workload.Workload, era string, answer func(w http.ResponseWriter, r *request)) *drive.Sample {
	t.Helper()
	client, err := drive.NewHTTP(serve(t, answer), era)
	if err != nil {
		t.Fatal(err)
	}
	return client.Run(w, 4, few(40))
}

func TestEveryAnswerOverHTTPIsCounted(t *testing.T) {
	for _, era := range []string{workload.Modern, workload.Legacy} {
		got := run(t, workload.Add(), era, func(w http.ResponseWriter, r *request) { io.WriteString(w, sum(r)) })
		if len(got.Latencies) != 40 || got.Errors != 0 || got.First != nil || got.Bytes == 0 || got.Quantile(0.5) <= 0 {
			t.Errorf("%s: %d answers, %d errors, first %v, %d bytes", era, len(got.Latencies), got.Errors, got.First, got.Bytes)
		}
	}
}

func TestFaultyAnswersOverHTTPAreErrors(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter, r *request){
		"a wrong value":  func(w http.ResponseWriter, r *request) { r.Params.Arguments.A++; io.WriteString(w, sum(r)) },
		"a wrong id":     func(w http.ResponseWriter, r *request) { r.ID += 1000; io.WriteString(w, sum(r)) },
		"another status": func(w http.ResponseWriter, r *request) { w.WriteHeader(503); io.WriteString(w, sum(r)) },
		"no answer":      func(w http.ResponseWriter, _ *request) { w.Header().Set("Content-Type", "text/event-stream") },
		"not JSON":       func(w http.ResponseWriter, _ *request) { io.WriteString(w, "busy") },
		"cut off": func(w http.ResponseWriter, _ *request) {
			w.Header().Set("Content-Length", "500")
			io.WriteString(w, "{")
		},
	} {
		if got := run(t, workload.Add(), workload.Modern, answer); got.Errors == 0 || got.First == nil {
			t.Errorf("%s: %d errors, first %v", name, got.Errors, got.First)
		}
	}
}

func TestAnEventStreamMustCarryEveryNotificationBeforeItsAnswer(t *testing.T) {
	var sse10 *workload.Workload
	for _, w := range workload.All() {
		if w.Notes > 0 {
			sse10 = w
		}
	}
	stream := func(before, after int) func(http.ResponseWriter, *request) {
		return func(w http.ResponseWriter, r *request) {
			w.Header().Set("Content-Type", "text/event-stream")
			note := fmt.Sprintf("event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%d,\"progress\":1}}\n\n", r.ID)
			io.WriteString(w, ": hello\r\n\r\n"+strings.Repeat(note, before))
			w.(http.Flusher).Flush()
			fmt.Fprintf(w, "data:{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}\r\n\r\n", r.ID)
			io.WriteString(w, strings.Repeat(note, after))
		}
	}
	if got := run(t, sse10, workload.Modern, stream(10, 0)); got.Errors != 0 || len(got.Latencies) != 40 {
		t.Errorf("%d answers, %d errors, first %v", len(got.Latencies), got.Errors, got.First)
	}
	for name, answer := range map[string]func(http.ResponseWriter, *request){
		"one is missing": stream(9, 0), "one comes twice": stream(11, 0), "one comes late": stream(9, 1),
	} {
		if got := run(t, sse10, workload.Modern, answer); got.Errors != 40 {
			t.Errorf("%s: %d errors", name, got.Errors)
		}
	}
}

func TestAConnectionThatTheServerClosesIsOpenedAgain(t *testing.T) {
	got := run(t, workload.Add(), workload.Modern, func(w http.ResponseWriter, r *request) {
		w.Header().Set("Connection", "close")
		io.WriteString(w, sum(r))
	})
	if len(got.Latencies) != 40 || got.Errors != 0 {
		t.Errorf("%d answers, %d errors, first %v", len(got.Latencies), got.Errors, got.First)
	}
}

func TestAStreamIsHeldOnceTheServerHasAcknowledgedIt(t *testing.T) {
	client, err := drive.NewHTTP(serve(t, func(w http.ResponseWriter, r *request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, ": wait\n\n")
		w.(http.Flusher).Flush()
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"%s\"}\n\n", workload.ListenAcknowledged)
	}), workload.Modern)
	if err != nil {
		t.Fatal(err)
	}
	held, err := client.HoldStream()
	if err != nil {
		t.Fatal(err)
	}
	held.Close()

	refusing, err := drive.NewHTTP(serve(t, func(w http.ResponseWriter, _ *request) { w.WriteHeader(404) }), workload.Modern)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := refusing.HoldStream(); err == nil {
		t.Error("a refused stream was held")
	}
}

func TestSessionsAreLeftOneAfterTheOther(t *testing.T) {
	count := map[string]int{}
	closing, refusing := false, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var r request
		if err := json.NewDecoder(req.Body).Decode(&r); err != nil {
			t.Error(err)
		}
		count[r.Method]++
		switch {
		case r.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", count[r.Method]))
			io.WriteString(w, handshake)
		case req.Header.Get("Mcp-Session-Id") != fmt.Sprint("s", count["initialize"]):
			t.Errorf("%s for the session %q", r.Method, req.Header.Get("Mcp-Session-Id"))
		case refusing:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			if closing {
				w.Header().Set("Connection", "close")
			}
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(server.Close)
	client, err := drive.NewHTTP(server.URL+"/mcp", workload.Legacy)
	if err != nil {
		t.Fatal(err)
	}
	for _, closing = range []bool{false, true} {
		clear(count)
		n, err := client.LeaveSessions(5, time.Now().Add(time.Minute))
		if err != nil || n != 5 || count["initialize"] != 5 || count["notifications/initialized"] != 5 || len(count) != 2 {
			t.Errorf("closing %v: %d left, requests %v, %v", closing, n, count, err)
		}
	}
	if n, err := client.LeaveSessions(5, time.Now()); n != 0 || err != nil {
		t.Errorf("behind the deadline: %d left, %v", n, err)
	}
	refusing = true
	if n, err := client.LeaveSessions(5, time.Now().Add(time.Minute)); n != 0 || err == nil {
		t.Errorf("refused: %d left, %v", n, err)
	}
}
