package protocol

import (
	"bytes"
	"strconv"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// CacheHint says how long, and for whom, a client may keep a result.
type CacheHint struct {
	// TTLMs is a time in milliseconds, zero or more; less counts as zero.
	TTLMs int64
	// Public: anybody may be served the same result. Default: only the client that asked.
	Public bool
}

// Scope returns the value of cacheScope.
func (c CacheHint) Scope() string {
	if c.Public {
		return "public"
	}
	return "private"
}

// Stamp is what the protocol adds to one result.
type Stamp struct {
	// Cache is set on complete results of cacheable methods.
	Cache *CacheHint
	// ResultType is ResultComplete when empty.
	ResultType string
	// Meta is the handler's own raw _meta object, nil for none.
	Meta []byte
	// ServerInfo is the raw object that names the server; see Implementation.AppendTo and Brief. Nil for none.
	ServerInfo []byte
}

// AppendStamps appends to a result under construction what every result gets last: the cache hint,
// the result type and the _meta with the server's name, each where revision r has it. dst ends behind
// the '{' of the result or a member; the caller appends the closing brace.
//
// basic/index#result-responses: a result must say its type.
// server/utilities/caching#cacheable-results: complete results of cacheable methods must carry hints.
// basic/index#meta: servers should name themselves in every result.
func AppendStamps(dst []byte, r *Revision, s Stamp) []byte {
	o := object{dst: dst}
	if s.Cache != nil && r.CacheHints {
		o.name("ttlMs")
		o.dst = strconv.AppendInt(o.dst, max(0, s.Cache.TTLMs), 10)
		o.name("cacheScope")
		o.dst = append(append(append(o.dst, '"'), s.Cache.Scope()...), '"')
	}
	if r.ResultType {
		resultType := s.ResultType
		if resultType == "" {
			resultType = ResultComplete
		}
		o.text("resultType", resultType)
	}
	if !r.ServerInfoStamp {
		s.ServerInfo = nil
	}
	return o.meta(s.Meta, s.ServerInfo)
}

// meta appends the _meta member: the handler's own members, then the server's name unless they have one.
func (o *object) meta(own, serverInfo []byte) []byte {
	if isObject(own) && memberOf(own, KeyServerInfo) != nil {
		serverInfo = nil
	}
	switch {
	case len(serverInfo) == 0:
		o.raw("_meta", own)
		return o.dst
	case !isObject(own):
		o.name("_meta")
		o.dst = append(o.dst, '{')
	default:
		o.name("_meta")
		o.dst = jsonrpc.AppendRaw(o.dst, bytes.TrimRight(own[:len(own)-1], blanks))
	}
	o.raw(KeyServerInfo, serverInfo)
	o.dst = append(o.dst, '}')
	return o.dst
}
