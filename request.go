package mcp

import (
	"context"
	"encoding/json"

	"github.com/bowline-go/mcp/internal/protocol"
)

// Request is what a handler or a middleware may want to know about the request it serves.
// See [RequestFrom]. Outside a request every method but Caller returns its zero value. The raw
// JSON that it returns is valid until the request has been answered.
type Request struct {
	call   *Call
	caller Caller // where there is no call
}

// RequestFrom is the request that ctx belongs to. It is never nil.
func RequestFrom(ctx context.Context) *Request {
	if c := callFrom(ctx); c != nil {
		return &c.request
	}
	return &Request{caller: callerOf(ctx)}
}

// Method is the method of the specification, such as "tools/call".
func (r *Request) Method() string {
	if r.call == nil || r.call.method == nil {
		return ""
	}
	return r.call.method.Name
}

// Name is the tool or prompt by name, or the resource by URI; empty for other methods.
func (r *Request) Name() string {
	if r.call == nil {
		return ""
	}
	return r.call.name
}

// ID is the JSON text of the request's id, such as 7 or "seven" with its quotes.
func (r *Request) ID() string {
	if r.call == nil {
		return ""
	}
	return r.call.id.Text()
}

// Arguments is the JSON object of arguments as the client sent it; {} when it sent none, nil
// for methods that have none.
func (r *Request) Arguments() json.RawMessage {
	return r.raw(func(c *Call) []byte { return c.arguments })
}

// Meta is one member of the request's _meta as raw JSON, nil when it is absent: one of the
// specification's keys, such as traceparent, or a vendor's own.
func (r *Request) Meta(key string) json.RawMessage {
	return r.raw(func(c *Call) []byte { return protocol.MetaMember(c.msg, key) })
}

// Client is what the client says of itself. It is not verified: show it, log it, but do not
// decide by it.
func (r *Request) Client() Implementation {
	raw := r.raw(func(c *Call) []byte { return c.meta.ClientInfo })
	if raw == nil {
		return Implementation{}
	}
	wire := protocol.DecodeImplementation(raw)
	return Implementation{Name: wire.Name, Title: wire.Title, Version: wire.Version}
}

// Supports reports whether the client declared a capability.
func (r *Request) Supports(capability Capability) bool {
	want, known := capability.bits()
	return r.call != nil && known && r.call.meta.Has.Has(want)
}

// Caller is who the request comes from, as the program's own authentication said with
// [WithCaller], from there on. The zero Caller is nobody in particular.
func (r *Request) Caller() Caller {
	if r.call == nil {
		return r.caller
	}
	return callerOf(r.call.parent)
}

// Revision is the dated revision of the protocol that the request is served in.
func (r *Request) Revision() string {
	if r.call == nil || r.call.revision == nil {
		return ""
	}
	return r.call.revision.Name
}

// Transport is what the transport calls itself, such as "stdio".
func (r *Request) Transport() string {
	if r.call == nil {
		return ""
	}
	return r.call.session.transport
}

// raw reads the message, which belongs to the transport again once the call is answered.
func (r *Request) raw(read func(c *Call) []byte) json.RawMessage {
	if r.call == nil {
		return nil
	}
	r.call.mu.Lock()
	defer r.call.mu.Unlock()
	if r.call.msg == nil {
		return nil
	}
	return read(r.call)
}

// Implementation names a client.
type Implementation struct{ Name, Title, Version string }

// Caller is an authenticated caller.
type Caller struct {
	// ID identifies the caller, whatever credential it used. It must not be empty or a secret.
	ID string
}

type callerKey struct{}

func callerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}

// WithCaller says who the requests that arrive with ctx come from. The middleware that
// authenticates a connection or an HTTP request calls it before the transport is reached.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// Capability is something that a client can be asked for.
//
// Source: schema#clientcapabilities.
type Capability string

// The capabilities of clients.
const (
	CapabilityElicitation     Capability = "elicitation"
	CapabilityElicitationURL  Capability = "elicitation.url"
	CapabilitySampling        Capability = "sampling"
	CapabilitySamplingTools   Capability = "sampling.tools"
	CapabilitySamplingContext Capability = "sampling.context"
	CapabilityRoots           Capability = "roots"
)

func (c Capability) bits() (set protocol.CapabilitySet, known bool) {
	switch c {
	case CapabilityElicitation:
		return protocol.CanElicitForm, true
	case CapabilityElicitationURL:
		return protocol.CanElicitURL, true
	case CapabilitySampling:
		return protocol.CanSample, true
	case CapabilitySamplingTools:
		return protocol.CanSample | protocol.CanSampleTools, true
	case CapabilitySamplingContext:
		return protocol.CanSample | protocol.CanSampleContext, true
	case CapabilityRoots:
		return protocol.CanListRoots, true
	}
	return 0, false
}

// capabilitySet joins what a tool needs.
func capabilitySet(r *registry, at place, needs []Capability) (set protocol.CapabilitySet) {
	for _, need := range needs {
		bits, known := need.bits()
		if !known {
			r.mistake(at, "Needs names the unknown capability %q; use one of the Capability constants", need)
		}
		set |= bits
	}
	return set
}
