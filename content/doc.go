// Package content knows what a result is made of: the content blocks of the
// protocol, the contents of a resource, and the renderers that turn a Go value
// into blocks.
//
// Text, Image, Audio, Link, Embedded and Raw are the blocks; Prepared is one of
// them that was encoded ahead. A [Dialect] says
// what the client's revision understands; a block that is appended for an older
// client loses the fields, or takes the shape, that the older revision asks for.
//
// A [Body] is JSON text under construction. It may hold sources: byte slices
// and strings that are too large to be copied, and readers. A source is encoded
// while the body is written, so a body of any size is written with the memory of
// two buffers. What is sent again and again is encoded once, by [Prepare].
//
// # Readers
//
// A block with a reader belongs to whoever appends it: the reader is read once,
// while the body is written, and is closed exactly once when it is an
// [io.Closer], whether the body is written, fails or is dropped. Blocks that
// never reach a body are released with [Discard].
//
// This package does not dispatch messages, choose a revision, read a clock,
// start a goroutine or do I/O of its own.
package content
