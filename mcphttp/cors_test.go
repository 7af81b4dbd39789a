package mcphttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

const page = "https://inspector.example"

func preflight(t *testing.T, h http.Handler, changes ...string) (status int, header http.Header) {
	t.Helper()
	changes = append([]string{"Host: localhost", "Access-Control-Request-Method: POST"}, changes...)
	w := record(h, arrive(t, "127.0.0.1", http.MethodOptions, "/", http.Header{}, "", changes...))
	return w.Code, w.Header()
}

func TestAPageOfTheListMayUseTheServer(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, &mcphttp.Options{CORSOrigins: []string{page}})
	status, header := preflight(t, h, "Origin: "+page, "Access-Control-Request-Headers: content-type,mcp-param-region, x-evil")
	if status != http.StatusNoContent || header.Get("Access-Control-Allow-Origin") != page || header.Get("Access-Control-Allow-Methods") != "GET, POST, DELETE" {
		t.Errorf("got %d %v", status, header)
	}
	allowed := strings.ToLower(header.Get("Access-Control-Allow-Headers"))
	for _, name := range []string{"content-type", "authorization", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "last-event-id", "mcp-param-region"} {
		if !strings.Contains(allowed, name) {
			t.Errorf("header %s is not allowed: %s", name, allowed)
		}
	}
	if strings.Contains(allowed, "x-evil") {
		t.Errorf("any header is allowed: %s", allowed)
	}
	w := record(h, addRequest(t, "127.0.0.1", "Origin: "+page))
	if w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != page || w.Header().Get("Vary") != "Origin" ||
		!strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
	if w := record(h, addRequest(t, "127.0.0.1", "Origin: "+page, "Content-Type: text/plain")); w.Code != 415 || w.Header().Get("Access-Control-Allow-Origin") != page {
		t.Errorf("the page must be able to read why: %d %v", w.Code, w.Header())
	}
}

func TestOtherPagesMayNot(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, &mcphttp.Options{CORSOrigins: []string{page}, AllowedOrigins: []string{"https://app.example"}})
	for _, tc := range []struct{ name, origin string }{
		{"a foreign page", "https://evil.example"},
		{"the same page without TLS", "http://inspector.example"},
		{"a page that is allowed, but not to a browser", "https://app.example"},
		{"a loopback page", "http://localhost:3000"},
	} {
		status, header := preflight(t, h, "Origin: "+tc.origin)
		if status != 403 || header.Get("Access-Control-Allow-Origin") != "" || header.Get("Access-Control-Allow-Methods") != "" {
			t.Errorf("%s: got %d %v, want 403 and no permission", tc.name, status, header)
		}
	}
	if status, _ := preflight(t, h); status != 403 {
		t.Errorf("without an origin: got %d, want 403", status)
	}
	if status, _ := preflight(t, h, "Origin: "+page, "Host: evil.example"); status != 403 {
		t.Errorf("to a rebound host: got %d, want 403", status)
	}
}

func TestCORSIsOffByDefault(t *testing.T) {
	t.Parallel()
	if status, header := preflight(t, newFixture(nil).handler(t, nil), "Origin: http://localhost"); status != 405 || header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("got %d %v, want 405", status, header)
	}
}

func TestAPreflightNamesTheMethodsThatThereAre(t *testing.T) {
	t.Parallel()
	h := newFixture(&mcp.Options{Legacy: mcp.LegacyOff}).handler(t, &mcphttp.Options{CORSOrigins: []string{page}})
	if _, header := preflight(t, h, "Origin: "+page); header.Get("Access-Control-Allow-Methods") != "POST" {
		t.Errorf("got %v", header)
	}
}

func TestOptionsThatCanNeverMatchAreMistakes(t *testing.T) {
	t.Parallel()
	_, err := mcphttp.NewHandler(newFixture(nil).server, &mcphttp.Options{
		Path:           "mcp",
		AllowedHosts:   []string{"https://example.com", "*", "example.com/x", "ok.example"},
		AllowedOrigins: []string{"null", "*", "https://ok.example"},
		CORSOrigins:    []string{"*", "https://page.example/", "example.com"},
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{
		`Options.Path "mcp"`, `AllowedHosts entry "https://example.com"`, `AllowedHosts entry "*"`, `AllowedHosts entry "example.com/x"`,
		`AllowedOrigins entry "null"`, `AllowedOrigins entry "*"`,
		`CORSOrigins entry "*"`, `CORSOrigins entry "https://page.example/"`, `CORSOrigins entry "example.com"`,
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not name %s: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), "ok.example") {
		t.Errorf("the error names an entry that is right: %v", err)
	}
}

func TestMistakesOfTheRegistrationAreReported(t *testing.T) {
	t.Parallel()
	if _, err := mcphttp.NewHandler(nil, nil); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("a nil server: %v", err)
	}
	if _, err := mcphttp.NewHandler(mcp.NewServer("", "", nil), nil); err == nil {
		t.Error("a server without a name is served")
	}
}
