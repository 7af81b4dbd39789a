package mcphttp

import (
	"net"
	"net/http"
)

// hostGate refuses a request for a name that is not this server's. A web page whose name was rebound to this machine's
// address still sends its own name.
func hostGate(x *exchange) refusal {
	x.local = arrivedOnLoopback(x.r)
	ok := x.readHost()
	switch {
	case !x.local && len(x.front.guard.hosts) == 0:
		return refusal{}
	case ok && (x.host.isLoopback() || x.host.isIn(x.front.guard.hosts)):
		return refusal{}
	}
	return refusal{http.StatusForbidden, "the Host header does not name this server; name localhost or a host that the server allows"}
}

// readHost reads the host that the request names, and reports that it is one. An exchange remembers the last: nearly all
// requests name the same one, and reading it is a hundredth of a small call.
func (x *exchange) readHost() (ok bool) {
	if x.named != "" && x.named == x.r.Host {
		return true
	}
	x.named = ""
	if x.host, ok = parseAuthority(x.r.Host); ok {
		x.named = x.r.Host
	}
	return ok
}

// arrivedOnLoopback reports a connection to an address that only this machine can reach. A request without a known local
// address did not come through net/http's server, so no browser sent it here directly.
func arrivedOnLoopback(r *http.Request) bool {
	switch local := r.Context().Value(http.LocalAddrContextKey).(type) {
	case *net.TCPAddr:
		return local.IP.IsLoopback()
	case *net.UDPAddr:
		return local.IP.IsLoopback()
	}
	return false
}
