package mcphttp_test

import (
	"net/http"
	"testing"

	"github.com/bowline-go/mcp/mcphttp"
)

func TestTheHostMustNameThisServer(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	closed := f.handler(t, nil)
	opened := f.handler(t, &mcphttp.Options{AllowedHosts: []string{"Api.Example.com", "exact.example:8443", "tls.example:443", "[2001:db8::1]"}})
	const loopback, remote = "127.0.0.1", "192.0.2.7"
	for _, tc := range []struct {
		name    string
		handler http.Handler
		arrival string
		host    string
		want    int
	}{
		{"localhost", closed, loopback, "localhost", 200},
		{"localhost in capitals with a port", closed, loopback, "LOCALHOST:8080", 200},
		{"localhost with the dot of the root", closed, loopback, "localhost.:8080", 200},
		{"the loopback address", closed, loopback, "127.0.0.1:1234", 200},
		{"another loopback address", closed, loopback, "127.8.9.10", 200},
		{"IPv6", closed, "::1", "[::1]:8080", 200},
		{"IPv6 in full", closed, "::1", "[0:0:0:0:0:0:0:1]", 200},
		{"IPv4 mapped into IPv6", closed, "::ffff:127.0.0.1", "[::ffff:127.0.0.1]:1", 200},
		{"a rebound name", closed, loopback, "evil.example:8080", 403},
		{"a rebound name on IPv6", closed, "::1", "evil.example", 403},
		{"a name that begins with localhost", closed, loopback, "localhost.evil.example", 403},
		{"a name that ends with localhost", closed, loopback, "evil.localhost", 403},
		{"a user before the host", closed, loopback, "localhost@evil.example", 403},
		{"a host before a user", closed, loopback, "evil.example@localhost", 403},
		{"a path behind the host", closed, loopback, "localhost/evil", 403},
		{"a zone", closed, "::1", "[::1%25lo]", 403},
		{"IPv6 without brackets", closed, "::1", "::1", 403},
		{"a decimal address", closed, loopback, "2130706433", 403},
		{"a short address", closed, loopback, "127.1", 403},
		{"octal", closed, loopback, "0177.0.0.1", 403},
		{"the unspecified address", closed, loopback, "0.0.0.0:8080", 403},
		{"an empty port", closed, loopback, "localhost:", 403},
		{"a port that is no number", closed, loopback, "localhost:80x", 403},
		{"no host", closed, loopback, "", 403},
		{"not ASCII", closed, loopback, "löcalhost", 403},
		{"a name of the list is not in an empty list", closed, loopback, "api.example.com", 403},

		{"from afar any name, without a list", closed, remote, "whatever.example", 200},
		{"from afar no name at all, without a list", closed, remote, "", 200},
		{"a name of the list", opened, loopback, "api.example.com", 200},
		{"a name of the list with any port", opened, remote, "API.example.com:999", 200},
		{"a name of the list with its port", opened, remote, "exact.example:8443", 200},
		{"another port than that of the list", opened, remote, "exact.example:8444", 403},
		{"no port where the list has another", opened, remote, "exact.example", 403},
		{"no port where the list has the default", opened, remote, "tls.example", 200},
		{"IPv6 of the list in another spelling", opened, remote, "[2001:DB8:0::1]:1", 200},
		{"a name that is not in the list, from afar", opened, remote, "evil.example", 403},
		{"a loopback name beside the list", opened, loopback, "localhost:8080", 200},
		{"a subdomain of a name of the list", opened, remote, "x.api.example.com", 403},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := record(tc.handler, addRequest(t, tc.arrival, "Host: "+tc.host))
			if got.Code != tc.want {
				t.Errorf("got %d %s, want %d", got.Code, got.Body, tc.want)
			}
		})
	}
}
