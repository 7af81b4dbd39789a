package mcphttp

import "net/http"

// originGate refuses requests of web pages that are not known to belong to this server.
//
// basic/transports/streamable-http#security-&-endpoint: an Origin that is present and invalid is 403.
func originGate(x *exchange) refusal {
	lines, present := x.r.Header["Origin"]
	if len(x.front.guard.cors) > 0 {
		x.w.Header().Add("Vary", "Origin")
	}
	if !present {
		return refusal{}
	}
	if len(lines) == 1 {
		if from, ok := parseOrigin(lines[0]); ok && x.allows(from) {
			if from.isIn(x.front.guard.cors) {
				x.openToPage(lines[0])
			}
			return refusal{}
		}
	}
	return refusal{http.StatusForbidden, "the Origin header names a web page that the server does not allow"}
}

func (x *exchange) allows(from origin) bool {
	g := &x.front.guard
	switch {
	case from.isIn(g.origins), from.isIn(g.cors):
		return true
	case !from.isWeb():
		return false
	case x.local && from.isLoopback():
		return true
	}
	return from.isOf(x.host) && (x.host.isLoopback() || x.host.isIn(g.hosts))
}
