package mcphttp_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func TestWrapStandsBeforeEverythingAndSaysWhoCalls(t *testing.T) {
	t.Parallel()
	base, stop := newFixture(nil).listen(t, mcphttp.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer 世" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r.WithContext(mcp.WithCaller(r.Context(), mcp.Caller{ID: "ann"})))
		})
	}})
	if a := do(t, toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "")); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("without credentials: got %d, want 401", a.StatusCode)
	}
	do(t, toolCall(t, base+"/mcp", "1", "add", `{"a":1,"b":2}`, "", "Authorization: Bearer 世")).expect(t, 200, jsonType).contains(t, `"text":"3"`)
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// net/http serves its default mux where there is no handler, and with it what other packages have put there, such as profiles.
func TestAWrapThatReturnsNothingServesNothing(t *testing.T) {
	t.Parallel()
	o := &mcphttp.Options{
		Wrap:     func(http.Handler) http.Handler { return nil },
		OnListen: func(net.Addr) { t.Error("it serves") },
	}
	err := mcphttp.ListenAndServe(t.Context(), "127.0.0.1:0", newFixture(nil).server, o)
	if err == nil || !strings.Contains(err.Error(), "Options.Wrap returned no handler") {
		t.Errorf("got %v", err)
	}
}
