// Package client is the client's half of the protocol, of every revision: it makes requests, gives
// them ids and the _meta or the handshake that their revision asks for, matches answers to them,
// and answers what the server asks back, be it by a request of its own or by a result that wants
// the request again with answers.
//
// A program that has a [Transport] gives it to [New], hands every message that comes back to
// [Client.Receive], and calls [Client.Connect] and then [Client.Call]. Receive only sorts what it
// gets: notifications and questions wait in an inbox and are handled, in order of arrival, on the
// goroutines that wait in Call or that call [Client.Flush]. So no function of the user ever runs on a
// transport's goroutine, and may itself use the client.
//
// The road through the files: call.go is the way of a request, inbox.go that of a message which comes
// in, rounds.go the questions inside results; what only old revisions need stands in legacy*.go.
//
// This package does not frame or carry messages, start goroutines, read a clock, or check what a
// server sends against schemas.
package client
