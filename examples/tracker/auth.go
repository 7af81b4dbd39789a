package main

import (
	"crypto/sha256"
	"net/http"
	"strings"

	"github.com/bowline-go/mcp"
)

// tokens are the callers by the hash of their token, so that looking one up takes the same time for every wrong token.
type tokens map[[sha256.Size]byte]string

func (k tokens) add(caller, token string) { k[sha256.Sum256([]byte(token))] = caller }

// require lets in requests with a bearer token that is known, and says who they come from.
func (k tokens) require(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		caller, known := k[sha256.Sum256([]byte(token))]
		if !known {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "send a token that this server knows, as in Authorization: Bearer …", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(mcp.WithCaller(r.Context(), mcp.Caller{ID: caller})))
	})
}
