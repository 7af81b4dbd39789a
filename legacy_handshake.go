package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/protocol"
)

// admitLegacy admits a request without modern _meta.
func (s *Session) admitLegacy(c *Call) *protocol.Fault {
	method := protocol.MethodNamed(c.msg.Method)
	opens := method != nil && method.ID == protocol.Initialize
	switch {
	case s.server.options.Legacy == LegacyOff && c.headers != nil:
		return c.headers.MissingVersion()
	case s.server.options.Legacy == LegacyOff && opens:
		return protocol.HandshakeOff()
	case s.server.options.Legacy == LegacyOff:
		return protocol.AdmitMeta(c.msg, &c.meta)
	case opens:
		c.method = method
		return s.initialize(c)
	}
	if fault := s.identify(c, method); fault != nil {
		return fault
	}
	if fault := protocol.AdmitLegacyMeta(c.msg, &c.meta); fault != nil {
		return fault
	}
	return s.admitMethod(c)
}

// identify settles which client a legacy message comes from, and so its revision. method is
// nil for a notification or an answer.
func (s *Session) identify(c *Call, method *protocol.Method) *protocol.Fault {
	from, fault := s.clientOf(c, c.headers)
	if fault != nil {
		return fault
	}
	revision := protocol.HeaderDefault()
	if c.headers != nil {
		// 2025-11-25/basic/transports#protocol-version-header: an unsupported version is 400.
		if revision, fault = c.headers.LegacyRevision(); fault != nil {
			return fault
		}
	}
	switch {
	case from != nil:
		s.mu.Lock()
		c.meta = protocol.Meta{
			Revision: from.revision, ClientInfo: from.info,
			Capabilities: from.capabilities, Has: from.has, LogLevel: from.level,
		}
		s.mu.Unlock()
		c.client, c.revision = from, from.revision
	case s.server.options.Legacy == LegacySessionless:
		c.revision = revision
		c.meta = protocol.Meta{Revision: revision}
	case method != nil && method.ID == protocol.Ping:
		// 2025-11-25/basic/lifecycle#initialization: pings are allowed before the handshake.
		c.revision = protocol.LatestLegacy()
	default:
		return protocol.OutsideEras()
	}
	return nil
}

// initialize opens the legacy era for a client. The state moves here, before the next message
// is admitted, so that a client may send requests without waiting for the answer.
//
// 2025-11-25/basic/lifecycle#initialization.
func (s *Session) initialize(c *Call) *protocol.Fault {
	c.revision = protocol.LatestLegacy()
	request, fault := protocol.InitializeOf(c.msg)
	if fault != nil {
		return fault
	}
	c.revision = protocol.Negotiate(request.ProtocolVersion)
	c.meta = protocol.Meta{
		Revision: c.revision, ClientInfo: c.msg.Param(int(protocol.ParamClientInfo)), Capabilities: request.Capabilities,
		Has: protocol.DecodeCapabilities(request.Capabilities).Within(c.revision),
	}
	c.view = s.server.view()
	if s.server.options.Legacy == LegacySessionless {
		return nil
	}
	fresh := newClient(&c.meta)
	if s.shared {
		c.token = s.server.mint(c, fresh)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return protocol.AlreadyInitialized()
	}
	if topics := s.server.listTopics(); topics != nil {
		if err := s.subscribe(fresh, topics...); err != nil {
			return subscriptionFault(err)
		}
	}
	s.client = fresh
	return nil
}

// initialized takes notifications/initialized: from here on the client can be told things.
func (s *Session) initialized() {
	s.mu.Lock()
	if s.client != nil && !s.client.isReady() {
		close(s.client.readied)
	}
	s.mu.Unlock()
	if s.wake != nil {
		s.wake()
	}
}

// answerHandshake serves initialize, whose state Admit has settled.
func answerHandshake(_ context.Context, c *Call) (Result, error) {
	s := c.session.server
	text := protocol.AppendInitialize(nil, c.revision, c.capabilities(), s.implementation(), s.options.Instructions)
	return &encoded{append(text, '}')}, nil
}

// answerPing serves ping.
//
// 2025-11-25/basic/utilities/ping#behavior-requirements: the answer is empty.
func answerPing(context.Context, *Call) (Result, error) { return emptyResult{}, nil }
