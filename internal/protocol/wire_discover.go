package protocol

import "encoding/json"

// DiscoverResult is the result of server/discover.
type DiscoverResult struct {
	// SupportedVersions are what a client may send as the version of its requests.
	SupportedVersions []string `json:"supportedVersions"`
	// Capabilities is the raw object; see DecodeServerCapabilities.
	Capabilities json.RawMessage `json:"capabilities"`
	// ServerInfo is the server in full. The final schema has it in _meta only; clients of release
	// candidates look here.
	ServerInfo   *Implementation `json:"serverInfo,omitzero"`
	Instructions string          `json:"instructions,omitzero"`
	Stamps
}

// AppendDiscover appends the members of a server/discover result, from '{' on and without stamps and
// closing brace.
//
// server/discover#response: versions, capabilities and identity.
func AppendDiscover(dst []byte, s *ServerCapabilities, info Implementation, instructions string) []byte {
	o := object{dst: append(dst, '{')}
	o.texts("supportedVersions", SupportedNames())
	o.name("capabilities")
	o.dst = s.AppendTo(o.dst, Modern())
	o.name("serverInfo")
	o.dst = info.AppendTo(o.dst)
	o.optional("instructions", instructions)
	return o.dst
}
