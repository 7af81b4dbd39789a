package client

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Error is a JSON-RPC error: what a server answered, or what a function of [Options] answers with.
type Error struct {
	// Code is the JSON-RPC code.
	Code int
	// Message says what is wrong.
	Message string
	// Data is raw JSON, nil for none.
	Data json.RawMessage
}

// Error returns the message with its code.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// ErrClosed is what calls end with when the client is closed without a reason.
var ErrClosed = errors.New("the client is closed")
