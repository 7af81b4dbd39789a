package mcphttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/mcphttp"
)

func TestAnOriginThatIsPresentMustBelongHere(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	closed := f.handler(t, nil)
	opened := f.handler(t, &mcphttp.Options{
		AllowedHosts:   []string{"api.example.com"},
		AllowedOrigins: []string{"https://App.example.com", "http://other.example:8080", "vscode-webview://abc-1"},
	})
	const loopback, remote = "127.0.0.1", "192.0.2.7"
	for _, tc := range []struct {
		name    string
		handler http.Handler
		arrival string
		host    string
		origin  string
		want    int
	}{
		{"a loopback page", closed, loopback, "localhost:8080", "http://localhost:5173", 200},
		{"a loopback page over TLS in capitals", closed, loopback, "localhost:8080", "HTTPS://LocalHost", 200},
		{"a page of the loopback address", closed, loopback, "localhost:8080", "http://127.0.0.1", 200},
		{"a loopback page of IPv6", closed, loopback, "localhost:8080", "http://[::1]:8080", 200},
		{"a foreign page", closed, loopback, "localhost:8080", "http://evil.example", 403},
		{"the page of a rebound name is stopped at the host", closed, loopback, "evil.example", "http://evil.example", 403},
		{"null", closed, loopback, "localhost:8080", "null", 403},
		{"empty", closed, loopback, "localhost:8080", " ", 403},
		{"a user", closed, loopback, "localhost:8080", "http://localhost@evil.example", 403},
		{"a user that looks like a port", closed, loopback, "localhost:8080", "http://localhost:99@evil.example", 403},
		{"a path", closed, loopback, "localhost:8080", "http://localhost/", 403},
		{"a query", closed, loopback, "localhost:8080", "http://localhost?x", 403},
		{"a fragment", closed, loopback, "localhost:8080", "http://localhost#x", 403},
		{"a backslash", closed, loopback, "localhost:8080", `http://localhost\evil`, 403},
		{"text behind brackets", closed, loopback, "localhost:8080", "http://[::1]evil", 403},
		{"a domain behind brackets", closed, loopback, "localhost:8080", "http://[::1].evil.example", 403},
		{"brackets without an end", closed, loopback, "localhost:8080", "http://[::1", 403},
		{"another scheme of a loopback name", closed, loopback, "localhost:8080", "weird://localhost", 403},
		{"no scheme", closed, loopback, "localhost:8080", "localhost", 403},
		{"a name that begins with localhost", closed, loopback, "localhost:8080", "http://localhost.evil.example", 403},
		{"two origins in one line", closed, loopback, "localhost:8080", "http://localhost http://evil.example", 403},

		{"from afar a loopback page is foreign", closed, remote, "api.example.com", "http://localhost:5173", 403},
		{"from afar the page of an unknown host", closed, remote, "api.example.com", "http://api.example.com", 403},
		{"the page of a mapped port of this machine", closed, remote, "localhost:8080", "http://localhost:8080", 200},
		{"another port of this machine from afar", closed, remote, "localhost:8080", "http://localhost:8081", 403},

		{"the page of an allowed host", opened, remote, "api.example.com", "https://api.example.com", 200},
		{"the same with a default port", opened, remote, "api.example.com:443", "https://api.example.com", 200},
		{"the same with another port", opened, remote, "api.example.com:8443", "https://api.example.com", 403},
		{"a page of the list", opened, remote, "api.example.com", "https://app.example.com", 200},
		{"a page of the list with its default port", opened, remote, "api.example.com", "https://app.example.com:443", 200},
		{"a page of the list with another scheme", opened, remote, "api.example.com", "http://app.example.com", 403},
		{"a page of the list with a port", opened, remote, "api.example.com", "http://other.example:8080", 200},
		{"a page of the list without its port", opened, remote, "api.example.com", "http://other.example", 403},
		{"a desktop application of the list", opened, remote, "api.example.com", "vscode-webview://abc-1", 200},
		{"another desktop application", opened, remote, "api.example.com", "vscode-webview://abc-2", 403},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := addRequest(t, tc.arrival, "Host: "+tc.host)
			r.Header["Origin"] = []string{strings.TrimSpace(tc.origin)}
			got := record(tc.handler, r)
			if got.Code != tc.want {
				t.Errorf("got %d %s, want %d", got.Code, got.Body, tc.want)
			}
			if got.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Error("CORS is off, but its header was sent")
			}
		})
	}
}

func TestTwoOriginLinesAreRefused(t *testing.T) {
	t.Parallel()
	r := addRequest(t, "127.0.0.1", "Host: localhost")
	r.Header["Origin"] = []string{"http://localhost", "http://localhost"}
	if got := record(newFixture(nil).handler(t, nil), r); got.Code != 403 {
		t.Errorf("got %d, want 403", got.Code)
	}
}

func TestABrowserPageWithAGoodHostIsRefusedOnEveryMethod(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, nil)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		r := arrive(t, "127.0.0.1", method, "/", http.Header{"Accept": {eventType}, "Content-Type": {jsonType}}, "", "Origin: https://evil.example", "Host: localhost")
		if got := record(h, r); got.Code != 403 {
			t.Errorf("%s: got %d, want 403", method, got.Code)
		}
	}
}
