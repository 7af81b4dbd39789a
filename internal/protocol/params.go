package protocol

import "github.com/bowline-go/mcp/internal/jsonrpc"

// Param is a member of params that the server looks at, and its place in the index that a message is decoded with.
type Param int

// The members of params. NoParam stands for none.
const (
	NoParam Param = iota
	ParamName
	ParamURI
	ParamArguments
	ParamCursor
	ParamLevel
	ParamRef
	ParamArgument
	ParamContext
	ParamNotifications
	ParamRequestID
	ParamReason
	ParamInputResponses
	ParamRequestState
	ParamProtocolVersion
	ParamCapabilities
	ParamClientInfo

	paramCount
)

var paramNames = [paramCount]string{
	NoParam:              "",
	ParamName:            "name",
	ParamURI:             "uri",
	ParamArguments:       "arguments",
	ParamCursor:          "cursor",
	ParamLevel:           "level",
	ParamRef:             "ref",
	ParamArgument:        "argument",
	ParamContext:         "context",
	ParamNotifications:   "notifications",
	ParamRequestID:       "requestId",
	ParamReason:          "reason",
	ParamInputResponses:  "inputResponses",
	ParamRequestState:    "requestState",
	ParamProtocolVersion: "protocolVersion",
	ParamCapabilities:    "capabilities",
	ParamClientInfo:      "clientInfo",
}

// String returns the name of the member, "" for NoParam.
func (p Param) String() string {
	if p < 0 || p >= paramCount {
		return ""
	}
	return paramNames[p]
}

// Keys of _meta that the protocol reserves.
//
// basic/index#meta: the reserved keys.
const (
	KeyProgressToken      = "progressToken"
	KeyProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	KeyClientInfo         = "io.modelcontextprotocol/clientInfo"
	KeyClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	KeyLogLevel           = "io.modelcontextprotocol/logLevel"
	KeyServerInfo         = "io.modelcontextprotocol/serverInfo"
	KeySubscriptionID     = "io.modelcontextprotocol/subscriptionId"
	KeyTraceparent        = "traceparent"
	KeyTracestate         = "tracestate"
	KeyBaggage            = "baggage"
)

// MetaKey is a member of params._meta that the server looks at, and its place in the index.
type MetaKey = int

// The members of params._meta.
const (
	MetaProtocolVersion MetaKey = iota
	MetaClientInfo
	MetaClientCapabilities
	MetaLogLevel
	MetaProgressToken
	MetaTraceparent
	MetaTracestate
	MetaBaggage

	metaCount
)

var metaNames = [metaCount]string{
	MetaProtocolVersion:    KeyProtocolVersion,
	MetaClientInfo:         KeyClientInfo,
	MetaClientCapabilities: KeyClientCapabilities,
	MetaLogLevel:           KeyLogLevel,
	MetaProgressToken:      KeyProgressToken,
	MetaTraceparent:        KeyTraceparent,
	MetaTracestate:         KeyTracestate,
	MetaBaggage:            KeyBaggage,
}

// Index makes the index that every message is decoded with. Make it once and keep it.
func Index() *jsonrpc.Index { return jsonrpc.NewIndex(paramNames[:], metaNames[:]) }

// StringParam reads a parameter that must be there and be a string.
func StringParam(m *jsonrpc.Message, p Param) (string, *Fault) {
	raw := m.Param(int(p))
	text, ok := stringOf(raw)
	if !ok {
		return "", BadParam(raw, p, "a string")
	}
	return text, nil
}

// TextParam is StringParam without a copy where there are no escapes: the text belongs to the message.
func TextParam(m *jsonrpc.Message, p Param) ([]byte, *Fault) {
	raw := m.Param(int(p))
	if isString(raw) {
		if text, ok := jsonrpc.Unquote(raw); ok {
			return text, nil
		}
	}
	return nil, BadParam(raw, p, "a string")
}

// ArgumentsParam returns the raw arguments of a call: an object, "{}" when there are none.
//
// server/tools#error-handling: a request that does not satisfy the schema is a protocol error.
func ArgumentsParam(m *jsonrpc.Message) ([]byte, *Fault) {
	raw := m.Param(int(ParamArguments))
	switch {
	case len(raw) == 0:
		return []byte("{}"), nil
	case !isObject(raw):
		return nil, BadParam(raw, ParamArguments, "an object")
	}
	return raw, nil
}

// CursorParam reads the cursor of a list request; an empty string is a cursor.
func CursorParam(m *jsonrpc.Message) (cursor string, given bool, fault *Fault) {
	raw := m.Param(int(ParamCursor))
	if len(raw) == 0 {
		return "", false, nil
	}
	cursor, ok := stringOf(raw)
	if !ok {
		return "", true, BadCursor()
	}
	return cursor, true, nil
}

// LevelParam reads the level of logging/setLevel.
//
// 2025-11-25/server/utilities/logging#error-handling: an invalid level is invalid params.
func LevelParam(m *jsonrpc.Message) (Level, *Fault) {
	raw := m.Param(int(ParamLevel))
	level, ok := LevelFromJSON(raw)
	if !ok {
		return LevelNone, BadParam(raw, ParamLevel, levelList)
	}
	return level, nil
}

// levelList names the levels for messages.
const levelList = "one of debug, info, notice, warning, error, critical, alert, emergency"

// MetaMember returns the raw value of a member of _meta, of the protocol or a vendor's own,
// nil when it is absent.
func MetaMember(m *jsonrpc.Message, key string) []byte {
	for i, name := range metaNames {
		if name == key {
			return m.Meta(i)
		}
	}
	return memberOf(m.MetaRaw(), key)
}
