package mcphttp

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

// Reconnect ends the connection of a call whose stream can be resumed.
func (x *exchange) Reconnect(after time.Duration) {
	if x.stream != nil {
		x.stream.Reconnect(after)
	}
}

// Reconnect ends the connection but not the stream, if its client knows how to come back.
//
// 2025-11-25/basic/transports#sending-messages-to-the-server: a retry field comes before the connection is closed.
func (s *legacyStream) Reconnect(after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.primes || s.over || s.to == nil || !s.open() || !s.logs.keeps(s) {
		return
	}
	s.write(func(x *exchange) {
		x.writeOut(append(strconv.AppendInt(append(x.out[:0], "retry: "...), max(after.Milliseconds(), 0), 10), "\n\n"...))
		x.letGo()
	})
	s.lose()
}

// letGo ends the response while its call runs on. On a goroutine of its own the call does not hold it; else the connection is
// taken from net/http, the response ended as it would, and the connection closed. mu is held.
func (x *exchange) letGo() {
	if x.ownGoroutine || x.failed != nil {
		return
	}
	conn, _, err := x.controller().Hijack()
	if err != nil {
		return // the call keeps it open, and the stream can be resumed all the same
	}
	defer conn.Close()
	x.fail(http.ErrHijacked)
	if x.r.ProtoAtLeast(1, 1) {
		_ = conn.SetWriteDeadline(time.Now().Add(x.front.options.WriteTimeout))
		_, _ = io.WriteString(conn, lastChunk)
	}
}

// canHijack reports whether the connection can be taken from net/http, as that of HTTP/1 can.
func canHijack(w http.ResponseWriter) bool {
	for {
		switch inner := w.(type) {
		case http.Hijacker:
			return true
		case interface{ Unwrap() http.ResponseWriter }:
			w = inner.Unwrap()
		default:
			return false
		}
	}
}
