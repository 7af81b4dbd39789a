// Package jsonrpc reads and writes single JSON-RPC 2.0 messages as MCP profiles them.
//
// It knows the envelope (requests, notifications, responses, batches), ids as their exact JSON
// text, and strict JSON: UTF-8 only, no duplicate members at any depth, case-sensitive names, no
// lone surrogates, no trailing bytes, bounded depth and size. [Message.Decode] finds all of it in
// one pass over the bytes, and with it the raw values of the few members of params and of
// params._meta that the caller named in an [Index]. Encoding appends to the caller's buffer.
//
// The road through the files: message.go holds what a decoded message is, decode.go the order of
// the checks, scan.go and scan_string.go the strict pass, names.go the search for duplicates,
// batch.go the arrays of 2025-03-26, append.go and append_string.go the way out. Strings are read and
// written by internal/jsonstring.
//
// This package does not know any MCP method, member of params or revision; it does not match
// responses to requests, frame messages on a stream, or read and write anything.
package jsonrpc
