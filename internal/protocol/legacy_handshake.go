package protocol

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// InitializeParams are the params of initialize.
type InitializeParams struct {
	Meta            json.RawMessage `json:"_meta,omitzero"`
	ProtocolVersion string          `json:"protocolVersion"`
	// Capabilities is the raw object; see DecodeCapabilities.
	Capabilities json.RawMessage `json:"capabilities"`
	ClientInfo   Implementation  `json:"clientInfo"`
}

// InitializeResult is the result of initialize.
type InitializeResult struct {
	ProtocolVersion string `json:"protocolVersion"`
	// Capabilities is the raw object; see DecodeServerCapabilities.
	Capabilities json.RawMessage `json:"capabilities"`
	ServerInfo   Implementation  `json:"serverInfo"`
	Instructions string          `json:"instructions,omitzero"`
	Stamps
}

// InitializeOf reads the params of initialize; the first thing that is wrong decides. Capabilities
// is a span of the message.
//
// 2025-11-25/basic/lifecycle#initialization: version, capabilities and client are required.
func InitializeOf(m *jsonrpc.Message) (p InitializeParams, fault *Fault) {
	version := m.Param(int(ParamProtocolVersion))
	if p.ProtocolVersion, fault = StringParam(m, ParamProtocolVersion); fault != nil {
		return p, BadParam(version, ParamProtocolVersion, "a string such as "+LatestLegacy().Name)
	}
	capabilities := m.Param(int(ParamCapabilities))
	if !isObject(capabilities) {
		return p, BadParam(capabilities, ParamCapabilities, "an object")
	}
	p.Capabilities = capabilities
	client := m.Param(int(ParamClientInfo))
	if !hasStrings(client, "name", "version") {
		return p, BadParam(client, ParamClientInfo, "an object with the strings name and version")
	}
	p.ClientInfo = DecodeImplementation(client)
	return p, nil
}

// AppendInitialize appends the whole result of initialize for the revision that was negotiated.
func AppendInitialize(dst []byte, r *Revision, s *ServerCapabilities, info Implementation, instructions string) []byte {
	o := object{dst: append(dst, '{')}
	o.text("protocolVersion", r.Name)
	o.name("capabilities")
	o.dst = s.AppendTo(o.dst, r)
	o.name("serverInfo")
	o.dst = info.For(r).AppendTo(o.dst)
	o.optional("instructions", instructions)
	return append(o.dst, '}')
}
