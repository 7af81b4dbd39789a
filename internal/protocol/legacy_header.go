package protocol

import "strings"

// LegacyRevision returns the revision that the version header of a legacy request names:
// HeaderDefault without one. With a session the session's own revision decides instead, and only the
// fault matters. Do not ask for initialize, which ignores the header.
//
// 2025-11-25/basic/transports#protocol-version-header: an invalid or unsupported version is 400.
func (h Headers) LegacyRevision() (*Revision, *Fault) {
	value, given, fault := h.single(headerVersion)
	switch {
	case fault != nil:
		return nil, malformed(CodeInvalidRequest, "invalid request: "+strings.TrimPrefix(fault.Message, headerMismatch))
	case !given:
		return HeaderDefault(), nil
	}
	r := Lookup(value)
	if r == nil {
		return nil, malformed(CodeInvalidRequest, "invalid request: unsupported MCP-Protocol-Version "+quoted(value)+
			"; expected one of "+strings.Join(append(LegacyNames(), SupportedNames()...), ", "))
	}
	if r.Modern {
		return nil, MissingMeta()
	}
	return r, nil
}

// SessionID returns the session that a legacy request belongs to. Lines that differ name none.
func (h Headers) SessionID() (id string, given bool) {
	id, given, _ = h.only(headerSession)
	return id, given
}
