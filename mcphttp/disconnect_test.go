package mcphttp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestADisconnectCancelsACallOfTheCurrentRevision(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"quiet", "wait"} { // before and after the stream is open
		for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
			f := newFixture(nil)
			s := f.serve(t, nil)
			ctx, leave := context.WithCancel(t.Context())
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				response, err := testClient.Do(toolCall(t, s.URL, "1", tool, "{}", token, "Accept: "+accept).WithContext(ctx))
				if err == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
			}()
			<-f.started
			leave()
			<-gone
			if cause := <-f.cancelled; !errors.Is(cause, context.Canceled) {
				t.Errorf("%s, %s: got %v", tool, accept, cause)
			}
		}
	}
}

func TestNothingIsWrittenAfterADisconnect(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	// A client that closes its sending half looks gone, but would see whatever is still written.
	conn, reader := rawPost(t, s, call("1", "quiet", "{}", ""), modernHeaders("tools/call", "quiet"))
	<-f.started
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	<-f.cancelled
	rest, _ := io.ReadAll(reader)
	if len(rest) > 0 {
		t.Errorf("got %q after the disconnect, want nothing", rest)
	}
}

func TestADisconnectInTheMiddleOfABodyRunsNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	body := call("1", "add", `{"a":1,"b":2}`, "")
	for _, sent := range []int{0, 1, len(body) / 2, len(body) - 1} {
		conn := dial(t, s)
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\nMcp-Protocol-Version: %s\r\nContent-Length: %d\r\n\r\n%s",
			modernRevision, len(body), body[:sent])
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			continue // it may as well be cut off
		}
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%d bytes of %d: got %d, want 400", sent, len(body), response.StatusCode)
		}
		response.Body.Close()
	}
	if ran := f.calls.Load(); ran != 0 {
		t.Errorf("the tool ran %d times", ran)
	}
}

func TestADisconnectDoesNotCancelACallOfAnOlderRevision(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		client := initialize(t, s.URL, revision)
		ctx, leave := context.WithCancel(t.Context())
		response, events := client.open(ctx, legacyCall("1", "wait", "{}"))
		for events.next().data == "" { // the priming event of the newest of them
		}
		<-f.started
		leave()
		response.Body.Close()
		// The call is still there: its id is taken.
		client.post(legacyCall("1", "add", `{"a":1,"b":2}`)).contains(t, "-32600")
		select {
		case cause := <-f.cancelled:
			t.Errorf("%s: the call was cancelled: %v", revision, cause)
		default:
		}
		f.release <- struct{}{}
	}
}

func TestAClientOfAnOlderRevisionCancelsByNotification(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	s := f.serve(t, nil)
	client := initialize(t, s.URL, "2025-06-18")
	done := make(chan answer, 1)
	go func() {
		done <- client.post(legacyCall("1", "quiet", "{}"), "Accept: application/json, text/event-stream")
	}()
	<-f.started
	client.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-f.cancelled
	a := (<-done).expect(t, 200, eventType)
	if strings.Contains(a.body, `"result"`) || strings.Contains(a.body, `"error"`) {
		t.Errorf("a cancelled call was answered: %q", a.body)
	}
	go func() { done <- client.post(legacyCall("2", "quiet", "{}"), "Accept: application/json") }()
	<-f.started
	client.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	if a := <-done; a.StatusCode != 202 || a.body != "" {
		t.Errorf("got %d %q, want 202 for a client without event streams", a.StatusCode, a.body)
	}
}

func dial(t *testing.T, s *httptest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// rawPost writes a request on a connection of its own.
func rawPost(t *testing.T, s *httptest.Server, body string, header http.Header) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn := dial(t, s)
	if err := request(t, http.MethodPost, s.URL, header, body).Write(conn); err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}
