package mcphttp

import (
	"net/http"
	"strings"
)

const (
	corsMaxAge  = "7200" // seconds; browsers cap it
	corsExposed = "Mcp-Session-Id, Retry-After, WWW-Authenticate"
)

// corsHeaders are the request headers that pages may send, besides those that mirror parameters of tools.
func corsHeaders() []string {
	return []string{
		"Accept", "Authorization", "Content-Type", "Last-Event-ID",
		"Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id",
	}
}

const mirrorPrefix = "mcp-param-"

// openToPage lets the page of an origin read the answer.
func (x *exchange) openToPage(origin string) {
	header := x.w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Expose-Headers", corsExposed)
}

// preflight answers what a browser asks before it lets a page send a request. It stands behind the gates, so that
// Access-Control-Allow-Origin is set if and only if the page may.
func (x *exchange) preflight(allow string) {
	header := x.w.Header()
	x.written = true
	if header.Get("Access-Control-Allow-Origin") == "" || x.r.Header.Get("Access-Control-Request-Method") == "" {
		x.w.WriteHeader(http.StatusForbidden)
		return
	}
	header.Set("Access-Control-Allow-Methods", allow)
	header.Set("Access-Control-Allow-Headers", strings.Join(allowedHeaders(x.r.Header["Access-Control-Request-Headers"]), ", "))
	header.Set("Access-Control-Max-Age", corsMaxAge)
	header.Add("Vary", "Access-Control-Request-Headers")
	x.w.WriteHeader(http.StatusNoContent)
}

// allowedHeaders are the fixed headers and those asked for that mirror a parameter.
func allowedHeaders(asked []string) []string {
	allowed := corsHeaders()
	for _, line := range asked {
		for name := range strings.SplitSeq(line, ",") {
			name = strings.ToLower(strings.TrimSpace(name))
			if strings.HasPrefix(name, mirrorPrefix) && isHostName(name) {
				allowed = append(allowed, name)
			}
		}
	}
	return allowed
}
