package jsonrpc

import "github.com/bowline-go/mcp/internal/jsonstring"

// AppendString appends s as a JSON string. Non-ASCII text leaves as raw UTF-8, only what JSON must
// have escaped is escaped, and each byte that is not UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte { return jsonstring.AppendQuoted(dst, s) }
