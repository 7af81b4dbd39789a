package protocol

import "github.com/bowline-go/mcp/internal/jsonrpc"

// Meta is what the _meta of one request settles. Its byte slices are spans of the message.
type Meta struct {
	// Revision is the row that the request is served by.
	Revision *Revision
	// ClientInfo is the raw object that names the client, nil when it did not say. See DecodeImplementation.
	ClientInfo []byte
	// Capabilities is the raw object of what the client can do.
	Capabilities []byte
	// Has is the known part of Capabilities.
	Has CapabilitySet
	// LogLevel is the least severe log message that the client wants with this request; LevelNone: none.
	LogLevel Level
	// ProgressToken is the raw token, a string or an integer, nil when progress was not asked for.
	ProgressToken []byte
}

// IsModern says whether the message carries its version in its _meta, in whatever type.
func IsModern(m *jsonrpc.Message) bool { return m.HasMeta() && m.Meta(MetaProtocolVersion) != nil }

// AdmitMeta checks the _meta of a modern request and fills dst. Checks run in a fixed order and the
// first that fails decides: the required members, the version, then what is optional. It does not
// allocate for requests that are in order.
func AdmitMeta(m *jsonrpc.Message, dst *Meta) *Fault {
	if fault := requiredMeta(m, dst); fault != nil {
		return fault
	}
	if fault := supportedVersion(m, dst); fault != nil {
		return fault
	}
	return optionalMeta(m, dst)
}

// AdmitHTTP is AdmitMeta for a request that came with headers, method being its row or nil. It adds
// the comparison of the headers that mirror the body, each in its place in the order.
//
// basic/transports/streamable-http#server-validation: a missing or differing header is refused.
func AdmitHTTP(m *jsonrpc.Message, method *Method, h Headers, dst *Meta) *Fault {
	version, fault := h.version()
	if fault != nil {
		return fault
	}
	if fault := requiredMeta(m, dst); fault != nil {
		return fault
	}
	if !stringIs(m.Meta(MetaProtocolVersion), version) {
		return differs(headerVersion, version, m.Meta(MetaProtocolVersion))
	}
	if fault := supportedVersion(m, dst); fault != nil {
		return fault
	}
	if fault := optionalMeta(m, dst); fault != nil {
		return fault
	}
	if fault := h.checkMethod(m.Method); fault != nil {
		return fault
	}
	if method == nil || method.NamedBy == NoParam {
		return nil
	}
	return h.checkName(m.Param(int(method.NamedBy)), method.NamedBy)
}

// requiredMeta checks the members that every modern request carries.
//
// basic/index#meta: a request missing a required member is malformed, invalid params.
func requiredMeta(m *jsonrpc.Message, dst *Meta) *Fault {
	*dst = Meta{}
	if !m.HasMeta() {
		return MissingMeta()
	}
	if raw := m.Meta(MetaProtocolVersion); !isString(raw) {
		return badMetaMember(raw, KeyProtocolVersion, "a string")
	}
	raw := m.Meta(MetaClientCapabilities)
	if !isObject(raw) {
		return badMetaMember(raw, KeyClientCapabilities, "an object")
	}
	dst.Capabilities = raw
	return nil
}

// supportedVersion settles the revision.
//
// basic/versioning#protocol-version-negotiation: a version that is unknown, or known and not
// served this way, is answered with the list of those that are.
func supportedVersion(m *jsonrpc.Message, dst *Meta) *Fault {
	raw := m.Meta(MetaProtocolVersion)
	if modern := Modern(); stringIs(raw, modern.Name) {
		dst.Revision = modern
		return nil
	}
	requested, _ := stringOf(raw)
	return UnsupportedVersion(requested)
}

// optionalMeta checks what a request may leave out.
func optionalMeta(m *jsonrpc.Message, dst *Meta) *Fault {
	if raw := m.Meta(MetaClientInfo); raw != nil {
		if !isObject(raw) {
			return badMetaMember(raw, KeyClientInfo, "an object with name and version")
		}
		dst.ClientInfo = raw
	}
	if raw := m.Meta(MetaLogLevel); raw != nil {
		level, ok := LevelFromJSON(raw)
		if !ok {
			return badMetaMember(raw, KeyLogLevel, levelList)
		}
		dst.LogLevel = level
	}
	if fault := progressToken(m, dst); fault != nil {
		return fault
	}
	if raw := m.Param(int(ParamInputResponses)); raw != nil && !isObject(raw) {
		return BadParam(raw, ParamInputResponses, "an object")
	}
	if raw := m.Param(int(ParamRequestState)); raw != nil && !isString(raw) {
		return BadParam(raw, ParamRequestState, "a string")
	}
	dst.Has = DecodeCapabilities(dst.Capabilities)
	return nil
}

// progressToken takes the token of either era.
//
// basic/patterns/progress#progress-flow: progress tokens are strings or integers.
func progressToken(m *jsonrpc.Message, dst *Meta) *Fault {
	raw := m.Meta(MetaProgressToken)
	if raw == nil {
		return nil
	}
	if !jsonrpc.IsIntegerOrString(raw) {
		return badMetaMember(raw, KeyProgressToken, "a string or an integer")
	}
	dst.ProgressToken = raw
	return nil
}
