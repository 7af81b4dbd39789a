// Package stdio serves an MCP server over a pair of byte streams: the standard streams of the process, a socket, a pipe.
//
//	err := stdio.Serve(ctx, server, nil)
//
// # What it knows
//
// Framing: one message a line, or a Content-Length header before each message when the client begins with one. Input
// that is no message is answered with an error, and the stream goes on behind it.
//
// Goroutines: the goroutine that reads also serves, as long as that is quick. A call that takes longer than some 50 to
// 100 microseconds keeps its goroutine, and another one reads on, so a cancellation or an answer reaches a call that
// runs. Up to Options.MaxConcurrent calls run at a time; more wait in a queue that is bounded in bytes. Open
// subscriptions take neither a goroutine nor a slot.
//
// Writing: there is one writer at a time, and it takes along what others have to send. Notifications of a call come
// before its reply. Replies of quick calls share a write with those of up to 63 calls that were read together with
// them; the reply or notification of a slow call waits for nobody. A client that does not read stops the server's
// reading once 8 MiB wait for it; nothing is dropped.
//
// The end: see [ServeStream].
//
// This package does not know any method or decide anything about the protocol; it does not start or restart processes,
// listen on sockets, or handle SIGINT and SIGTERM: end the context for that (signal.NotifyContext).
package stdio
