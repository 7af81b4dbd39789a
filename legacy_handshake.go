package mcp

import (
	"slices"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/protocol"
)

// handshake is what a legacy client said in initialize, and what it set afterwards.
type handshake struct {
	revision     *protocol.Revision
	clientInfo   []byte
	capabilities []byte
	has          protocol.CapabilitySet
	level        protocol.Level
	ready        bool // notifications/initialized has come
}

// admitLegacy admits a request without modern _meta.
func (s *Session) admitLegacy(c *Call) *protocol.Fault {
	method := protocol.MethodNamed(c.msg.Method)
	mode := s.server.options.Legacy
	switch {
	case mode == LegacyOff && method != nil && method.ID == protocol.Initialize:
		return protocol.HandshakeOff()
	case mode == LegacyOff:
		return c.admitMeta(method)
	case method != nil && method.ID == protocol.Initialize:
		c.method = method
		return s.initialize(c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.client != nil:
		c.revision = s.client.revision
		c.meta = protocol.Meta{
			Revision: s.client.revision, ClientInfo: s.client.clientInfo,
			Capabilities: s.client.capabilities, Has: s.client.has, LogLevel: s.client.level,
		}
	case mode == LegacySessionless:
		c.revision = protocol.HeaderDefault()
		c.meta = protocol.Meta{Revision: c.revision}
	case method != nil && method.ID == protocol.Ping:
		// 2025-11-25/basic/lifecycle#initialization: pings are allowed before the handshake.
		c.revision = protocol.LatestLegacy()
	default:
		return protocol.OutsideEras()
	}
	if fault := protocol.AdmitLegacyMeta(c.msg, &c.meta); fault != nil {
		return fault
	}
	return s.admitMethod(c)
}

// initialize opens the legacy era of the session. The state moves here, before the next
// message is admitted, so that a client may send requests without waiting for the answer.
//
// 2025-11-25/basic/lifecycle#initialization.
func (s *Session) initialize(c *Call) *protocol.Fault {
	c.revision = protocol.LatestLegacy()
	request, fault := protocol.InitializeOf(c.msg)
	if fault != nil {
		return fault
	}
	c.revision = protocol.Negotiate(request.ProtocolVersion)
	c.view = s.server.view()
	if s.server.options.Legacy == LegacySessionless {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return protocol.AlreadyInitialized()
	}
	s.client = &handshake{
		revision:     c.revision,
		clientInfo:   slices.Clone(c.msg.Param(int(protocol.ParamClientInfo))),
		capabilities: slices.Clone([]byte(request.Capabilities)),
		has:          protocol.DecodeCapabilities(request.Capabilities),
		level:        protocol.LevelInfo,
	}
	return s.listen()
}

// listen makes the session hear of what a server tells legacy clients by itself. mu is held.
func (s *Session) listen() *protocol.Fault {
	if !s.server.options.Dynamic {
		return nil
	}
	err := s.subscribe(hub.Topic{Kind: hub.ToolsChanged}, hub.Topic{Kind: hub.PromptsChanged}, hub.Topic{Kind: hub.ResourcesChanged})
	if err != nil {
		return protocol.Busy(err.Error(), retryAfter)
	}
	return nil
}

// initialized takes notifications/initialized: from here on the client answers questions.
func (s *Session) initialized() {
	s.mu.Lock()
	if s.client != nil {
		s.client.ready = true
	}
	wake := s.wake
	s.mu.Unlock()
	if wake != nil {
		wake()
	}
}
