package client

import (
	"context"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Transport carries messages to the server. What comes back goes to [Client.Receive].
type Transport interface {
	// Send takes one message on its way. It does not wait for an answer, and may be called
	// concurrently. Where closing a stream is how a request is cancelled, it does that when it gets
	// notifications/cancelled. An error means that the message has not arrived.
	Send(ctx context.Context, message Outgoing) error
}

// Outgoing is one message to the server, with what a transport may want to know of it.
type Outgoing struct {
	// Text is the whole message, one line without its end. It belongs to the transport.
	Text []byte
	// Method is the row of the method; nil for an answer.
	Method *protocol.Method
	// ID is that of a request or of the question that is answered; zero for a notification.
	ID jsonrpc.ID
	// Params is the raw object; nil for an answer and for none.
	Params []byte
	// Revision is what the message is written for.
	Revision *protocol.Revision
}
