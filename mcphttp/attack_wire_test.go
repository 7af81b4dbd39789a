package mcphttp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/mcphttp"
)

// onWire is a request as bytes, most of which no HTTP client would send. {body} stands for a call of add, {length} for its
// length, {chunk} for that in hexadecimal, and {mirror} for the header lines that a POST of it needs.
type onWire struct {
	name   string
	text   string
	status int // of the first answer
	runs   int64
}

const mirrorLines = "Content-Type: application/json\r\nMcp-Protocol-Version: " + modernRevision + "\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\n"

var wireAttacks = []onWire{
	{"a good request", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 200, 1},
	{"an absolute target of this server", "POST http://localhost/mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 200, 1},
	{"an absolute target of another server is its host", "POST http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 403, 0},
	{"two Host lines", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"no Host line", "POST /mcp HTTP/1.1\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"an empty Host line", "POST /mcp HTTP/1.1\r\nHost: \r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 403, 0},
	{"HTTP/1.0 without a Host", "POST /mcp HTTP/1.0\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 403, 0},
	{"a host with a user", "POST /mcp HTTP/1.1\r\nHost: localhost@evil.example\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"a blank before the colon", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin : http://evil.example\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"a folded header line", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin:\r\n http://evil.example\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 403, 0},
	{"an origin in another case of the header", "POST /mcp HTTP/1.1\r\nHost: localhost\r\noRIGIN: http://evil.example\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 403, 0},
	{"an origin that is empty", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin:\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 403, 0},
	{"two names of the tool", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-NAME: huge\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"two content types", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-type: text/plain\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 415, 0},
	{"a control character in a header", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: a\x01b\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"a bare line feed in the target", "POST /mcp\n HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, 0},
	{"a carriage return in the target", "POST /mcp\r?x HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"two lengths", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\nContent-Length: 1\r\n\r\n{body}", 400, 0},
	{"a negative length", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: -1\r\n\r\n{body}", 400, 0},
	{"a length with a sign", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: +{length}\r\n\r\n{body}", 400, 0},
	{"a length beyond 64 bits", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: 18446744073709551617\r\n\r\n{body}", 400, 0},
	{"a length beyond what is taken", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: 9223372036854775807\r\n\r\n{body}", 413, 0},
	{"chunks and a coding that is unknown", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, 0},
	{"two codings", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", 501, 0},
	{"chunks beside a length, which does not count", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}\r\n{body}\r\n0\r\n\r\n", 200, 1},
	{"a chunk with a bad size", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Transfer-Encoding: chunked\r\n\r\nzz\r\n{body}\r\n0\r\n\r\n", 400, 0},
	{"a chunk beyond 64 bits", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{body}\r\n0\r\n\r\n", 400, 0},
	{"no body", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}\r\n", 400, 0},
	{"a compressed body", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 415, 0},
	{"an override of the method", "GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-HTTP-Method-Override: POST\r\nAccept: text/event-stream\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 400, 0},
	{"headers without an end", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("a", 100<<10) + "\r\n\r\n", 431, 0},
	{"many headers", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: aaaaaaaaaaaaaaaa\r\n", 5000) + "\r\n", 431, 0},
	{"CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n", 404, 0},
	{"CONNECT with a path", "CONNECT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, 0},
	{"TRACE", "TRACE /mcp HTTP/1.1\r\nHost: localhost\r\nCookie: secret\r\n\r\n", 405, 0},
	{"HEAD", "HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, 0},
	{"OPTIONS", "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nAccess-Control-Request-Method: POST\r\n\r\n", 405, 0},
	{"a method in lower case", "post /mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 405, 0},
	{"a method with a line break", "POST\r\nX: y /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, 0},
	{"a path with a dot segment", "POST /x/../mcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 404, 0},
	{"an encoded path", "POST /%6dcp HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 200, 1},
	{"a path with a null", "POST /mcp%00 HTTP/1.1\r\nHost: localhost\r\n{mirror}Content-Length: {length}\r\n\r\n{body}", 404, 0},
	{"HTTP/0.9", "GET /mcp\r\n", 400, 0},
	{"HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404, 0},
}

func TestBytesThatNoClientSendsAreRefusedAndRunNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	base, stop := f.listen(t, mcphttp.Options{})
	address := strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/mcp")
	body := call("1", "add", `{"a":1,"b":2}`, "")
	fill := strings.NewReplacer("{body}", body, "{length}", fmt.Sprint(len(body)), "{mirror}", mirrorLines, "{chunk}", fmt.Sprintf("%x", len(body)))
	for _, attack := range wireAttacks {
		before := f.calls.Load()
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.WriteString(conn, fill.Replace(attack.text)) }() // it may be answered before all is read
		status, text := 0, ""
		method, _, _ := strings.Cut(attack.text, " ")
		if response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method}); err == nil {
			status = response.StatusCode
			all, _ := io.ReadAll(response.Body)
			text = string(all)
		}
		conn.Close()
		if status != attack.status {
			t.Errorf("%s: got %d %q, want %d", attack.name, status, text, attack.status)
		}
		if ran := f.calls.Load() - before; ran != attack.runs {
			t.Errorf("%s: the tool ran %d times, want %d", attack.name, ran, attack.runs)
		}
		if strings.Contains(text, "goroutine ") || strings.Contains(text, "panic") || strings.Contains(text, "secret") {
			t.Errorf("%s: the answer tells too much: %q", attack.name, text)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
