package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Admit takes the next message in order of arrival and settles everything that must happen
// in that order: it decodes the message, chooses its era, checks its _meta, moves the state
// of a handshake, and enters a request into the in-flight table. It never blocks and never
// runs a handler. message must stay untouched until [Call.Serve] has returned, or until
// Admit has when it returns no call.
//
// The result is a call to serve; or nothing, for a notification or an answer, which are
// dealt with; or an error, for a malformed message to which no answer is possible. A
// malformed or unwelcome request is a call like any other, and serving it answers the error.
//
// headers are those that mirror the body, nil where the transport has no header layer.
func (s *Session) Admit(ctx context.Context, message []byte, sink Sink, headers Headers) (*Call, *Error) {
	if jsonrpc.IsBatch(message) {
		return s.admitBatch(ctx, message, sink, headers)
	}
	return s.admitOne(s.newCall(ctx, sink), message, headers)
}

// Headers are the header lines of an HTTP request under their canonical names, as net/http
// has them.
type Headers map[string][]string

// MayStayOpen reports, before the message has been read, that its call may stay open behind
// [Call.Serve], so that a transport can prepare for that. Only the header says so: what Serve
// returns is what holds.
func (h Headers) MayStayOpen() bool { return protocol.Headers(h).Names(protocol.SubscriptionsListen) }

func (s *Session) admitOne(c *Call, message []byte, headers Headers) (*Call, *Error) {
	c.headers = protocol.Headers(headers)
	if fault := c.msg.Decode(message, s.server.index, s.server.limits()); fault != nil {
		if fault.Notification {
			c.release()
			return nil, &Error{Code: fault.Code, Message: fault.Text}
		}
		c.id = fault.ID
		c.fault = protocol.BadMessage(fault)
		return c, nil
	}
	if c.msg.Kind == jsonrpc.Request {
		c.id = c.msg.ID
		if c.fault = s.admitRequest(c); c.fault == nil {
			c.fault = s.enter(c)
		}
		return c, nil
	}
	if c.fault = s.admitOneWay(c); c.fault != nil {
		return c, nil
	}
	c.release()
	return nil, nil
}

// admitRequest chooses the era of a request and checks what the era demands of it.
//
// basic/versioning#backward-compatibility-with-initialization-based-versions: a request with
// modern _meta is served statelessly, whatever came before it.
func (s *Session) admitRequest(c *Call) *protocol.Fault {
	if c.inBatch && !c.mayBeInBatch() {
		return protocol.NotInBatch(string(c.msg.Method))
	}
	if !protocol.IsModern(c.msg) {
		return s.admitLegacy(c)
	}
	c.revision = protocol.Modern()
	if fault := c.admitMeta(protocol.MethodNamed(c.msg.Method)); fault != nil {
		return fault
	}
	return s.admitMethod(c)
}

func (c *Call) admitMeta(method *protocol.Method) *protocol.Fault {
	if c.headers == nil {
		return protocol.AdmitMeta(c.msg, &c.meta)
	}
	return protocol.AdmitHTTP(c.msg, method, c.headers, &c.meta)
}

// admitMethod looks up the method among those of the call's revision that the server offers.
//
// schema#methodnotfounderror: a method behind a capability that was not advertised is unknown.
func (s *Session) admitMethod(c *Call) *protocol.Fault {
	c.view = s.server.view()
	method := protocol.MethodNamed(c.msg.Method)
	if !method.ServedBy(c.revision) || method.Notification || !c.capabilities().Offers(method.Needs) {
		return protocol.UnknownMethod(string(c.msg.Method))
	}
	c.method = method
	return nil
}

// admitOneWay takes a notification or an answer. Whatever it says, there is no answer to it,
// and no notification runs a tool; but HTTP has a status for one that comes from nowhere.
func (s *Session) admitOneWay(c *Call) *protocol.Fault {
	if !s.shared {
		s.mu.Lock()
		c.client = s.client
		s.mu.Unlock()
	} else if !protocol.IsModern(c.msg) {
		if s.server.options.Legacy == LegacyOff {
			return c.headers.MissingVersion()
		}
		if fault := s.identify(c, nil); fault != nil {
			return fault
		}
	}
	method := protocol.MethodNamed(c.msg.Method)
	if c.msg.Kind == jsonrpc.Response {
		s.answeredBy(c)
		return nil
	}
	if method == nil {
		return nil
	}
	switch method.ID {
	case protocol.Cancelled:
		if id, reason, ok := protocol.CancelledOf(c.msg); ok {
			s.cancelRequest(c, id, reason)
		}
	case protocol.Initialized:
		s.initialized()
	}
	return nil
}
