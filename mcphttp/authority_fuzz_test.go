package mcphttp

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// FuzzOrigin holds the parser of origins to net/url: what ours takes, that one takes for the same host and for nothing more.
func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{
		"http://localhost", "https://LOCALHOST.:443", "http://[::1]:8080", "http://127.0.0.1", "null", "", "http://a@b", "http://[::1]evil",
		"http://localhost:99@evil.example", "weird://localhost", "http://世界", "http://a/", "http://a?b", "http://a#b", "http://[::1%25lo]", "a://b:c", "http://a:", "://", "http://0x7f.1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, ok := parseOrigin(text)
		for i := range len(text) { // truncated anywhere, it must not panic
			parseOrigin(text[:i])
		}
		if !ok {
			return
		}
		u, err := url.Parse(text)
		if err != nil {
			t.Fatalf("%q: taken, but net/url says %v", text, err)
		}
		if u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
			t.Fatalf("%q: taken, but there is more in it than an origin: %#v", text, u)
		}
		host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
			host = ip.String()
		}
		if o.host != host || o.port != u.Port() || o.scheme != u.Scheme {
			t.Fatalf("%q: got %+v, net/url has scheme %q, host %q, port %q", text, o, u.Scheme, host, u.Port())
		}
		if o.isLoopback() && host != "localhost" && !o.ip.Unmap().IsLoopback() {
			t.Fatalf("%q: taken for a loopback name", text)
		}
	})
}
