package drive

import (
	"io"
	"net"
	"strings"
	"testing"
)

func TestAnswersAreReadWithAnyFraming(t *testing.T) {
	long := strings.Repeat("y", 20<<10)
	near, far := net.Pipe()
	go func() {
		io.WriteString(far, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\nhello"+
			"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nMcp-Session-Id: s1\r\n\r\n"+
			"12;x=y\r\nevent: m\ndata: {}\n\r\n5001\r\n\n"+long+"\r\n0\r\n\r\n"+
			"HTTP/1.1 202 Accepted\r\n\r\n"+
			"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		far.Close()
	}()
	c := newConn(near)
	c.buf = make([]byte, 64)
	for i, want := range []answer{
		{status: 200, body: []byte("hello")},
		{status: 200, events: true, session: "s1", body: []byte("event: m\ndata: {}\n\n" + long)},
		{status: 202},
		{status: 200, close: true},
	} {
		got, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		if got.status != want.status || got.events != want.events || got.close != want.close || got.session != want.session || string(got.body) != string(want.body) {
			t.Errorf("answer %d: %d %v %v %q and %d bytes", i, got.status, got.events, got.close, got.session, len(got.body))
		}
	}
	if _, err := c.read(); err != io.EOF {
		t.Errorf("after the last answer: %v", err)
	}
}

func TestABrokenHeadIsAnError(t *testing.T) {
	for _, text := range []string{
		"", "HTTP/1.1 200", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
	} {
		near, far := net.Pipe()
		go func() {
			io.WriteString(far, text)
			far.Close()
		}()
		if got, err := newConn(near).read(); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}
