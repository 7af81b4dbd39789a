package protocol

import (
	"strconv"
	"strings"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// BadMessage is the answer to bytes that are no message of the profile.
func BadMessage(f *jsonrpc.Fault) *Fault { return malformed(f.Code, f.Text) }

// MissingMeta is the answer to a modern request whose params have no _meta object.
//
// basic/index#meta: a request that lacks a required member is malformed, invalid params.
func MissingMeta() *Fault {
	return malformed(CodeInvalidParams, "invalid params: missing _meta; every request carries an object with "+
		strconv.Quote(KeyProtocolVersion)+" and "+strconv.Quote(KeyClientCapabilities))
}

// badMetaMember is the answer to a required _meta member that is missing or of the wrong type.
func badMetaMember(raw []byte, key, want string) *Fault {
	verb := "mistyped"
	if len(raw) == 0 {
		verb = "missing"
	}
	return malformed(CodeInvalidParams, "invalid params: "+verb+" _meta["+strconv.Quote(key)+"]: expected "+want)
}

// UnsupportedVersion is the answer to a modern request of a version that this library does not implement.
//
// basic/versioning#protocol-version-negotiation: the error lists the supported versions and repeats the requested one.
func UnsupportedVersion(requested string) *Fault {
	f := malformed(CodeUnsupportedVersion, "unsupported protocol version")
	f.Data = versionData(requested)
	return f
}

func versionData(requested string) []byte {
	o := object{dst: []byte{'{'}}
	o.texts("supported", SupportedNames())
	o.text("requested", clipped(requested))
	return append(o.dst, '}')
}

// OutsideEras is the answer to a request that is neither modern nor part of a legacy session.
func OutsideEras() *Fault {
	return malformed(CodeInvalidParams, "invalid params: the request carries no per-request _meta and belongs to no session. "+
		"Either put "+strconv.Quote(KeyProtocolVersion)+" ("+strings.Join(SupportedNames(), ", ")+") and "+
		strconv.Quote(KeyClientCapabilities)+" into params._meta, or send initialize first ("+strings.Join(LegacyNames(), ", ")+")")
}

// HandshakeOff is the answer to initialize when legacy clients are not served.
//
// basic/versioning#backward-compatibility-with-initialization-based-versions: name the supported versions.
func HandshakeOff() *Fault {
	f := refused(CodeMethodNotFound, "method not found: initialize. This server is stateless and has no handshake; "+
		"send requests with per-request _meta. Supported protocol versions: "+strings.Join(SupportedNames(), ", "))
	f.Data = versionData("initialize")
	return f
}

// UnknownMethod is the answer to a request whose method does not exist in the revision, or needs a
// capability that the server does not declare.
func UnknownMethod(name string) *Fault {
	return refused(CodeMethodNotFound, "method not found: "+clipped(name))
}

// MissingCapability is the answer to a request that needs capabilities of the client which it did not declare.
// what names the asker, such as `tool "deploy"`.
//
// basic/index#meta: data.requiredCapabilities lists the missing capabilities.
func MissingCapability(what string, want, declared CapabilitySet) *Fault {
	f := refused(CodeMissingCapability, clipped(what)+" requires the client capability "+declared.Missing(want).String()+
		"; declare it in _meta["+strconv.Quote(KeyClientCapabilities)+"]")
	f.Data = append(declared.AppendRequired([]byte(`{"requiredCapabilities":`), want), '}')
	return f
}

// AlreadyInitialized is the answer to a second initialize on a connection.
//
// 2025-11-25/basic/lifecycle#initialization: initialization is the first interaction.
func AlreadyInitialized() *Fault {
	return refused(CodeInvalidRequest, "invalid request: the connection is already initialized; initialize may be sent once")
}

// DuplicateID is the answer to a request whose id belongs to a request that is still running.
//
// basic/index#requests: an id must not match that of a request without a response.
func DuplicateID() *Fault {
	return refused(CodeInvalidRequest, "invalid request: the id belongs to a request that is still running; use a new one")
}

// NoBatches is the answer to an array where the revision has none.
func NoBatches() *Fault {
	return malformed(CodeInvalidRequest, "invalid request: expected one JSON object; batches belong to protocol version "+
		HeaderDefault().Name+" only")
}

// NotInBatch is the answer to an element that may not stand in a batch: initialize, or a modern request.
//
// 2025-03-26/basic/lifecycle#initialization: initialize must not be part of a batch.
func NotInBatch(method string) *Fault {
	return refused(CodeInvalidRequest, "invalid request: "+clipped(method)+" cannot be part of a batch; send it alone")
}
