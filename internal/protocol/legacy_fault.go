package protocol

// UnknownSession is the answer to a session id that is forged, expired or ended.
//
// 2025-11-25/basic/transports#session-management: 404, so that the client opens a new session.
func UnknownSession() *Fault {
	f := malformed(CodeInvalidRequest, "invalid request: the session is unknown or has ended; send initialize to open a new one")
	f.status = statusNotFound
	return f
}

// MissingSession is the answer to a request that needs a session and names none.
//
// 2025-11-25/basic/transports#session-management: 400.
func MissingSession() *Fault {
	return malformed(CodeInvalidRequest, "invalid request: the Mcp-Session-Id header is missing; send initialize to open a session")
}

// NoSessions is the answer to what only a server with sessions does.
func NoSessions() *Fault {
	f := malformed(CodeInvalidRequest, "invalid request: this server has no sessions to listen to or to end")
	f.status = statusMethodNotAllowed
	return f
}
