package protocol

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// EmptyParams are the params of requests and notifications that have nothing but a _meta.
type EmptyParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
}

// EmptyResult is a result without members of its own.
type EmptyResult struct {
	Stamps
}

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
	o.name("supportedVersions")
	o.dst = append(o.dst, '[')
	for i, name := range SupportedNames() {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = jsonrpc.AppendString(o.dst, name)
	}
	o.dst = append(o.dst, ']')
	o.name("capabilities")
	o.dst = s.AppendTo(o.dst, Modern())
	o.name("serverInfo")
	o.dst = info.AppendTo(o.dst)
	o.optional("instructions", instructions)
	return o.dst
}
