package mcptest

import (
	"context"
	"encoding/json"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Options configures a [Client]. Nil is the zero value.
type Options struct {
	// Revision is the dated name of the protocol revision to speak. Empty: the newest. See [Revisions].
	Revision string
	// ClientInfo is what the client says of itself. The zero value is mcptest, version 0.0.0.
	ClientInfo mcp.Implementation
	// Capabilities is the JSON object of what the client declares. Nil: what the functions below can answer.
	Capabilities json.RawMessage
	// LogLevel is the least severe level of log messages to ask for, such as "debug". Empty: the client
	// does not ask, which means none for the newest revision and the server's default for older ones.
	LogLevel string
	// OnNotification gets what the server tells: log messages, changes, and progress, which is asked for
	// when this is not nil. It runs on a goroutine that uses the client, before the method that it uses
	// returns, and may use the client itself.
	OnNotification func(n Notification)

	// Elicit answers when a tool asks the user. Nil: the client has no user.
	Elicit func(ctx context.Context, q Question) (Answer, error)
	// Sample answers when a tool asks the client's model; params and result are the JSON objects of
	// sampling/createMessage. Nil: the client has no model.
	Sample func(ctx context.Context, params json.RawMessage) (result json.RawMessage, err error)
	// Roots answers when a tool asks where it may work. Nil: the client has no roots.
	Roots func(ctx context.Context) ([]Root, error)
}

// Notification is a message of the server that wants no answer.
type Notification struct {
	// Method is that of the specification, such as "notifications/progress".
	Method string
	// Params is the raw JSON object, nil when there are none.
	Params json.RawMessage
}

// Question is what a server asks the user.
type Question struct {
	// Message is the text that the user sees.
	Message string
	// Schema describes the form that the user fills in; nil for a URL.
	Schema json.RawMessage
	// URL is where the user is sent; empty for a form.
	URL string
}

// Answer is what the user did.
type Answer struct {
	// Action is "accept", "decline" or "cancel". Empty: "accept".
	Action string
	// Content is what the user filled in: a struct, a map or raw JSON. It is sent when a form is accepted.
	Content any
}

// Root is a folder that the client lets the server work in.
type Root struct {
	// URI begins with file://.
	URI string
	// Name is for people.
	Name string
}

const defaultName, defaultVersion = "mcptest", "0.0.0"

// core is the options as the client's half of the protocol has them.
func (o *Options) core(r *protocol.Revision, level protocol.Level) client.Options {
	info := protocol.Implementation{Name: o.ClientInfo.Name, Title: o.ClientInfo.Title, Version: o.ClientInfo.Version}
	if info.Name == "" {
		info = protocol.Implementation{Name: defaultName, Version: defaultVersion}
	}
	core := client.Options{
		Revision: r, Info: info, Capabilities: o.Capabilities, LogLevel: level,
		Progress: o.OnNotification != nil, Sample: o.Sample,
	}
	if o.OnNotification != nil {
		core.Notified = func(_ context.Context, method string, params json.RawMessage) {
			o.OnNotification(Notification{method, params})
		}
	}
	if o.Elicit != nil {
		core.Elicit = o.elicit
	}
	if o.Roots != nil {
		core.Roots = o.roots
	}
	return core
}

func (o *Options) elicit(ctx context.Context, p protocol.ElicitParams) (result protocol.ElicitResult, err error) {
	answer, err := o.Elicit(ctx, Question{Message: p.Message, Schema: p.RequestedSchema, URL: p.URL})
	if err != nil {
		return result, err
	}
	result.Action = answer.Action
	if result.Action == "" {
		result.Action = protocol.ActionAccept
	}
	if answer.Content != nil && result.Action == protocol.ActionAccept && p.URL == "" {
		result.Content, err = protocol.Append(nil, answer.Content)
	}
	return result, err
}

func (o *Options) roots(ctx context.Context) ([]protocol.Root, error) {
	roots, err := o.Roots(ctx)
	wire := make([]protocol.Root, len(roots))
	for i, root := range roots {
		wire[i] = protocol.Root{URI: root.URI, Name: root.Name}
	}
	return wire, err
}
