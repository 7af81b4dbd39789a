package client

import (
	"context"
	"encoding/json"

	"github.com/bowline-go/mcp/internal/protocol"
)

// Options configures a [Client].
type Options struct {
	// Revision is what the client speaks. Nil: the modern one. A server may answer a handshake
	// with another legacy revision, which then holds.
	Revision *protocol.Revision
	// Info is what the client says of itself.
	Info protocol.Implementation
	// Capabilities is the raw object of what the client declares. Nil: what the functions below
	// can answer.
	Capabilities json.RawMessage
	// LogLevel is the least severe log message that the client wants. LevelNone: it does not say.
	LogLevel protocol.Level
	// Progress asks for progress with every request; its token is the request's id.
	Progress bool
	// Notified gets what the server tells without being asked, in order of arrival. Nil: nothing is
	// kept. It may run concurrently with itself when calls do.
	Notified func(ctx context.Context, method string, params json.RawMessage)
	// Elicit asks the user. Nil: no user can be asked.
	Elicit func(ctx context.Context, question protocol.ElicitParams) (protocol.ElicitResult, error)
	// Sample asks a model: params and result are those of sampling/createMessage. Nil: there is none.
	Sample func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)
	// Roots names what the server may work on. Nil: the client has no roots.
	Roots func(ctx context.Context) ([]protocol.Root, error)
}

// capabilities is the raw object that is declared.
func (o *Options) capabilities(r *protocol.Revision) json.RawMessage {
	if o.Capabilities != nil {
		return o.Capabilities
	}
	var set protocol.CapabilitySet
	if o.Elicit != nil {
		set |= protocol.CanElicitForm | protocol.CanElicitURL
	}
	if o.Sample != nil {
		set |= protocol.CanSample | protocol.CanSampleTools
	}
	if o.Roots != nil {
		set |= protocol.CanListRoots
	}
	return set.AppendTo(nil, r)
}
