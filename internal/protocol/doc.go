// Package protocol is the wire model of the Model Context Protocol, read from both ends.
//
// It knows the revisions (one row a dated revision, one column a behaviour), the methods (one row a
// method), the per-request _meta, the mirrored HTTP headers, the capabilities of both sides, the log
// levels, every fault that the protocol prescribes with its code, text and HTTP status, and the
// shapes of params and results, which encode and decode alike.
//
// Everything here is a value or a pure function over values. Tables are read-only; all functions may
// be called concurrently.
//
// This package does not run handlers, keep sessions, read or write connections, or decide who is served.
package protocol
