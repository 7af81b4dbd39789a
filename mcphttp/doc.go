// Package mcphttp serves an MCP server over Streamable HTTP: one [Handler] for every revision of the protocol, on one URL.
//
//	err := mcphttp.ListenAndServe(ctx, "127.0.0.1:8080", server, nil) // serves /mcp
//
// or, on a mux of your own, behind your own middleware, TLS and HTTP/2:
//
//	handler, err := mcphttp.NewHandler(server, nil)
//	mux.Handle("/mcp", handler)
//
// # What it knows
//
// Guards: every request passes a list of gates before a message is read; each refuses with a status of its own. They are,
// for a POST: path (404), method (405), Host (403), Origin (403), Content-Type (415), Accept (406), size (413), room (503).
// A GET or DELETE has a shorter list. The defaults are those of a server on the machine of its user: a web page cannot
// reach it, not even by DNS rebinding. [Options] opens what a public server needs.
//
// Answers: the first thing that a call sends decides. A notification opens an event stream, a reply alone is a JSON object.
// A call that is quiet for Options.KeepAlive gets its event stream, and comments that keep it alive, if the client
// accepts one.
//
// Connections: a client of the current revision that disconnects cancels its request at once. One of an older revision does
// not: its call goes on, and the client may resume the event stream, as long as the window and the memory of
// [Options] last. No client waits for another one: each write has a deadline, and what a slow one misses of changes is
// merged.
//
// Streams that stay open: where [ListenAndServe] or [Serve] serves, HTTP/1.1 is spoken and there is no Options.Wrap,
// subscriptions, standalone streams and streams that are resumed leave net/http once they have begun, and cost a quarter of
// the memory. The response says so by Connection: close.
//
// Sessions of older revisions stand in their sealed ids. Of those that have an open stream, have subscribed or have set a log
// level, 10,000 are remembered, and when there are more, the cheapest loss makes room: the log level that was set
// longest ago, then the subscriptions of a client without a stream, whose session is 404 from then on. Open streams are
// never taken, so that one more is answered 503. A session that its client has ended is 404 until its id would have
// expired, a day at most; 32,768 of these are remembered, and where there is no room for one more, its DELETE is answered
// 405 and the session goes on. Those that have ended take no room from the others. A change of a list is told on the
// stream that a client has open, or on the next one if it comes within Options.ResumeWindow; a client that stays away
// longer has to list again.
//
// The end: [Handler.Drain] and [Handler.Close], and for [ListenAndServe] the context.
//
// A server of your own around the handler should set http.Server.ReadHeaderTimeout and IdleTimeout. It should leave
// ReadTimeout and WriteTimeout at zero, because both end calls and event streams in the middle; the handler has limits of
// its own for bodies and writes.
//
// This package does not know any method or decide anything about the protocol; it does not authenticate: put that in
// middleware, which hands the caller on with mcp.WithCaller. It does not compress, and it logs only to a logger that it is
// given.
package mcphttp
