package mcp

import (
	"errors"
	"fmt"
	"time"
)

// JSON-RPC error codes that a handler may send with an [Error].
//
// Source: basic/index#error-codes.
const (
	CodeInvalidParams = -32602
	CodeInternalError = -32603
)

// Error is a JSON-RPC error: the one shape in which an error leaves this module.
//
// A handler that returns an *Error (wrapped or not) answers the request with that
// error instead of an in-band tool result. Codes that the specification reserves
// (-32020 to -32099, -32002, -32042 and the JSON-RPC codes other than
// CodeInvalidParams and CodeInternalError) are sent as CodeInternalError: they have
// one meaning each, and only the library may use them.
type Error struct {
	// Code is the JSON-RPC code. Codes of an application's own lie outside
	// -32768 to -32000.
	Code int
	// Message is one concise sentence, shown to the client.
	Message string
	// Data is sent as the error's data member when it is not nil. It must be
	// encodable as JSON.
	Data any

	foreign    bool          // the client answered a question with it; it is no error of the request in hand
	retryAfter time.Duration // above 0: there was no room; see [Session.Busy]
}

// Error returns the message with its code.
func (e *Error) Error() string { return fmt.Sprintf("mcp: %s (%d)", e.Message, e.Code) }

// ErrNotFound is what a resource or template handler returns (wrapped or not) when the
// URI names nothing. The client gets the error that its revision prescribes.
//
// Source: server/resources#error-handling.
var ErrNotFound = errors.New("mcp: resource not found")

// ErrCallEnded is what [Call.Flush] returns when an open call has ended.
var ErrCallEnded = errors.New("mcp: the call has ended")

// NotFound is [ErrNotFound] for a URI other than the requested one.
func NotFound(uri string) error { return &notFoundError{uri} }

type notFoundError struct{ uri string }

func (e *notFoundError) Error() string   { return "mcp: resource not found: " + e.uri }
func (e *notFoundError) Is(t error) bool { return t == ErrNotFound }

// UserErrorf makes an error whose text is meant for the client: [Options.RedactErrors]
// leaves it as it is. Like any other error it becomes an in-band tool result, which a
// model can read and correct itself from. It formats like [fmt.Errorf], %w included.
func UserErrorf(format string, args ...any) error {
	return &userError{fmt.Errorf(format, args...)}
}

type userError struct{ err error }

func (e *userError) Error() string { return e.err.Error() }
func (e *userError) Unwrap() error { return e.err }
