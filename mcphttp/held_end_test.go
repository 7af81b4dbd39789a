package mcphttp_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/bowline-go/mcp/mcphttp"
)

// net/http takes a client that half-closes its connection for one that is gone, and ends the response all the same. A client of
// a stream that is held sees no difference.
func TestAClientThatSendsNothingAnyMoreSeesTheWholeStream(t *testing.T) {
	wrap := func(next http.Handler) http.Handler { return next }
	for name, o := range map[string]mcphttp.Options{"held": {}, "with net/http": {Wrap: wrap}} {
		url := newFixture(dynamic).listenToTheEnd(t, o)
		header := initializeWith(t, testClient, url, priming2025)
		for of, r := range map[string]*http.Request{
			"a subscription":      listenRequest(t, url, `"世界😀"`),
			"a standalone stream": request(t, http.MethodGet, url, header, "", "Accept: text/event-stream"),
		} {
			conn, err := net.Dial("tcp", r.URL.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := r.Write(conn); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(bufio.NewReader(conn), r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := response.Body.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(response.Body); err != nil {
				t.Errorf("%s, %s: %v", name, of, err)
			}
		}
	}
}
