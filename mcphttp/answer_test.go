package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestAQuietCallIsAnsweredWithOneObjectAndItsLength(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	for _, size := range []int{1, 1800, 2000, 2048, 3000, 60_000, 70_000, 1 << 20} {
		text := strings.Repeat("x", size)
		a := do(t, toolCall(t, s.URL, "1", "echo", `{"text":"`+text+`"}`, "")).expect(t, 200, jsonType)
		if got := a.Header.Get("Content-Length"); got != strconv.Itoa(len(a.body)) {
			t.Errorf("%d bytes: got Content-Length %q", len(a.body), got)
		}
		if textOf(t, a.body) != text {
			t.Errorf("%d bytes: another text came back", size)
		}
	}
}

func TestAListOfAnySizeIsWholeAndHasItsLength(t *testing.T) {
	t.Parallel()
	for _, tools := range []int{0, 10, 30, 300, 1000} {
		f := newFixture(nil)
		for i := range tools {
			mcp.AddTool(f.server, mcp.Tool{Name: fmt.Sprintf("more_%d", i), Description: "世界😀 " + strings.Repeat("é", i%50)},
				func(context.Context, struct{}) (string, error) { return "", nil })
		}
		session, err := f.server.Connect(mcp.ConnectOptions{Transport: "memory"})
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Replace(call("1", "", "{}", ""), "tools/call", "tools/list", 1)
		kept := keeping{}
		session.Handle(t.Context(), []byte(body), &kept)
		s := f.serve(t, nil)
		for range 2 {
			list := request(t, http.MethodPost, s.URL, modernHeaders("tools/list", ""), body)
			a := do(t, list).expect(t, 200, jsonType)
			if a.body != kept.text || a.Header.Get("Content-Length") != strconv.Itoa(len(a.body)) || strings.Count(a.body, "世界😀") != tools {
				t.Fatalf("%d tools: got %d bytes, Content-Length %s, want %d bytes", tools, len(a.body), a.Header.Get("Content-Length"), len(kept.text))
			}
			list = request(t, http.MethodPost, s.URL, modernHeaders("tools/list", ""), body, "Accept: text/event-stream")
			if a := do(t, list).expect(t, 200, eventType); a.body != "data: "+kept.text+"\n\n" {
				t.Fatalf("%d tools: the event is not the message: %d bytes for %d", tools, len(a.body), len(kept.text))
			}
		}
	}
}

// keeping is a sink that keeps the answer.
type keeping struct {
	ignoring
	text string
}

func (k *keeping) Reply(r *mcp.Reply) {
	text, _ := r.AppendTo(nil)
	k.text = string(text)
}

func TestTextKeepsItsBytes(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	want := `{"jsonrpc":"2.0","id":"世界😀","result":{`
	do(t, toolCall(t, s.URL, `"世界😀"`, "echo", `{"text":"世界😀"}`, "")).expect(t, 200, jsonType).contains(t, want, `"text":"世界😀"`)
	a := do(t, toolCall(t, s.URL, `"世界😀"`, "steps", `{"steps":1}`, token)).expect(t, 200, eventType)
	a.contains(t, `"message":"世界😀"`, want, "done 世界😀", "data: {")
}

func TestANotificationOpensAnEventStream(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	response := open(t, testClient, toolCall(t, s.URL, "1", "steps", `{"steps":3}`, token))
	defer response.Body.Close()
	for name, want := range map[string]string{"Content-Type": eventType, "X-Accel-Buffering": "no", "Cache-Control": "no-cache", "Content-Length": "", "Mcp-Session-Id": ""} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	events := readEvents(t, response.Body)
	for i := range 3 {
		e := events.next()
		if e.id != "" || e.retry != "" || e.name != "" {
			t.Errorf("streams of the current revision cannot be resumed, but an event has an id, a name or a retry time: %+v", e)
		}
		if !strings.Contains(e.data, fmt.Sprintf(`"progress":%d`, i+1)) {
			t.Errorf("event %d: got %s", i, e.data)
		}
	}
	if got := textOf(t, events.next().data); got != "done 世界😀" {
		t.Errorf("got %q", got)
	}
	events.end()
}

func TestOptingInChangesNoStatus(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	for _, tc := range []struct {
		name, method, body string
		status             int
	}{
		{"an unknown method is 404", "no/such", `{"jsonrpc":"2.0","id":1,"method":"no/such","params":{` + fmt.Sprintf(meta, token) + `}}`, 404},
		{"a mirrored header that differs is 400", "tools/list", call("1", "add", "{}", token), 400},
		{"an unknown tool is 200", "tools/call", call("1", "nobody", "{}", token), 200},
		{"bad arguments are 200", "tools/call", call("1", "add", `{"a":"x"}`, token), 200},
	} {
		for accept, contentType := range map[string]string{
			"application/json, text/event-stream": jsonType, "application/json": jsonType, "text/event-stream": eventType,
		} {
			name := ""
			if tc.method == "tools/call" {
				name = "add"
				if strings.Contains(tc.body, "nobody") {
					name = "nobody"
				}
			}
			r := request(t, http.MethodPost, s.URL, modernHeaders(tc.method, name), tc.body, "Accept: "+accept)
			a := do(t, r)
			if a.StatusCode != tc.status || a.Header.Get("Content-Type") != contentType || !strings.Contains(a.body, `"id":1`) {
				t.Errorf("%s: %s: got %d %q %s", tc.name, accept, a.StatusCode, a.Header.Get("Content-Type"), a.body)
			}
		}
	}
}

func TestAfterTheStreamIsOpenAnErrorIsAnEvent(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	close(f.release)
	response := open(t, testClient, toolCall(t, s.URL, "1", "failing", `{}`, token))
	defer response.Body.Close()
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != eventType {
		t.Fatalf("got %d %q", response.StatusCode, response.Header.Get("Content-Type"))
	}
	events := readEvents(t, response.Body)
	events.next()
	if e := events.next(); !strings.Contains(e.data, `"error":{"code":-32603`) {
		t.Errorf("got %s, want the error", e.data)
	}
	events.end()
}

func TestNotificationsAreAcceptedWithoutABody(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	header := http.Header{"Content-Type": {jsonType}, "Mcp-Protocol-Version": {modernRevision}}
	a := do(t, request(t, http.MethodPost, s.URL, header, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,`+fmt.Sprintf(meta, "")+`}}`))
	if a.StatusCode != 202 || a.body != "" || a.Header.Get("Content-Type") != "" {
		t.Errorf("got %d %q %q, want 202 and nothing", a.StatusCode, a.Header.Get("Content-Type"), a.body)
	}
	for name, body := range map[string]string{
		"a malformed notification": `{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`,
		"no JSON":                  `{"jsonrpc":`,
		"nothing":                  ``,
		"no UTF-8":                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
		"two messages":             `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`,
	} {
		a := do(t, request(t, http.MethodPost, s.URL, header, body)).expect(t, 400, jsonType).contains(t, `"error":{"code":-32`)
		if strings.Contains(a.body, `"id":null`) {
			t.Errorf("%s: an id that was not read is omitted, never null: %s", name, a.body)
		}
	}
}

func TestSessionsAreNothingToTheCurrentRevision(t *testing.T) {
	t.Parallel()
	s := newFixture(nil).serve(t, nil)
	a := do(t, toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, "", "Mcp-Session-Id: forged", "Last-Event-ID: 7")).expect(t, 200, jsonType)
	if a.Header.Get("Mcp-Session-Id") != "" {
		t.Error("a session id was minted or echoed")
	}
}

func TestAStreamedAnswerIsWrittenInFlatMemory(t *testing.T) {
	s := newFixture(nil).serve(t, nil)
	for _, tc := range []struct{ accept, contentType string }{{"application/json", jsonType}, {"text/event-stream", eventType}} {
		response := open(t, testClient, toolCall(t, s.URL, "1", "huge", `{"steps":20000000}`, "", "Accept: "+tc.accept))
		if response.Header.Get("Content-Type") != tc.contentType || response.ContentLength != -1 {
			t.Fatalf("got %q, length %d", response.Header.Get("Content-Type"), response.ContentLength)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		runtime.ReadMemStats(&after)
		if err != nil || n < 26_000_000 {
			t.Errorf("%s: got %d bytes, %v", tc.accept, n, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s: %d bytes were allocated for a body of %d", tc.accept, grown, n)
		}
	}
}

func TestNoLineBreakIsLeftInsideAnEvent(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	a := do(t, toolCall(t, s.URL, "1", "pretty", `{}`, token, "Accept: text/event-stream")).expect(t, 200, eventType)
	events := readEvents(t, strings.NewReader(a.body))
	if got := textOf(t, events.next().data); got != "a\nb\r世界😀" {
		t.Errorf("got %q", got)
	}
	events.end()
}

func TestTheAnswerToAnOverloadedServerSaysWhenToComeAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{MaxInFlight: 1})
	s := f.serve(t, nil)
	done := make(chan answer, 1)
	go func() { done <- do(t, toolCall(t, s.URL, "1", "quiet", "{}", "")) }()
	<-f.started
	a := do(t, toolCall(t, s.URL, "2", "add", `{"a":1,"b":2}`, "")).expect(t, 503, jsonType).contains(t, `"id":2`, "retryAfterMs")
	if a.Header.Get("Retry-After") != "1" {
		t.Errorf("got Retry-After %q, want whole seconds, rounded up", a.Header.Get("Retry-After"))
	}
	close(f.release)
	(<-done).expect(t, 200, jsonType)
}
