package mcphttp

import (
	"net/http"
	"time"

	"github.com/bowline-go/mcp"
)

// codeInvalidRequest is the JSON-RPC code of what a gate refuses.
const codeInvalidRequest = -32600

// comeAgain is what a client is told to wait for which there is no room.
const comeAgain = time.Second

// A gate looks at a request before its message is read. What it finds out it leaves in the exchange.
type gate struct {
	name  string
	check func(*exchange) refusal
}

// refusal is why a request is turned away; the zero value lets it pass.
type refusal struct {
	status int
	text   string
}

// route is what happens to requests of one method: the gates in their order, then the work.
type route struct {
	gates []gate
	serve func(*exchange)
}

// enter passes x through the gates, and serves it if all let it pass.
func (r *route) enter(x *exchange) {
	for i := range r.gates {
		if refused := r.gates[i].check(x); refused.status != 0 {
			x.refuse(refused)
			return
		}
	}
	r.serve(x)
}

// refuse answers with a status and, unless the URL or the method is wrong, an error without an id. A client that probes for
// the endpoint of an older transport must not take a 404 or 405 for the answer of a server of this one.
//
// basic/transports/streamable-http#security-&-endpoint: a body may be an error response that has no id.
func (x *exchange) refuse(why refusal) {
	switch why.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		x.w.WriteHeader(why.status)
		x.written = true
		return
	case http.StatusRequestTimeout, http.StatusRequestEntityTooLarge:
		x.hangUp()
	case http.StatusServiceUnavailable:
		x.refuseWith(why.status, x.front.session.Busy(why.text, comeAgain))
		return
	}
	x.refuseWith(why.status, &mcp.Error{Code: codeInvalidRequest, Message: why.text})
}

// refuseWith answers with an error without an id, under a status of ours.
func (x *exchange) refuseWith(status int, err *mcp.Error) {
	x.status, x.accept = status, accepted{json: true}
	x.front.session.Refuse(err, x).Serve()
}

func pathGate(x *exchange) refusal {
	if path := x.front.guard.path; path != "" && x.r.URL.Path != path {
		return refusal{status: http.StatusNotFound}
	}
	return refusal{}
}

// noMethod is the last gate of the methods that are not served.
func noMethod(allow string) gate {
	return gate{"method", func(x *exchange) refusal {
		x.w.Header().Set("Allow", allow)
		return refusal{status: http.StatusMethodNotAllowed}
	}}
}

// sizeGate refuses what is declared too large before any of it is read.
func sizeGate(x *exchange) refusal {
	if x.r.ContentLength > int64(x.front.maxBytes) {
		return x.front.tooLarge()
	}
	return refusal{}
}

// roomGate counts the request, until the exchange is given back.
func roomGate(x *exchange) refusal {
	if x.front.draining.Load() {
		x.w.Header().Set("Connection", "close")
		return refusal{http.StatusServiceUnavailable, "the server is shutting down"}
	}
	x.counted = true
	if x.front.requests.Add(1) > int64(x.front.options.MaxRequests) {
		return refusal{http.StatusServiceUnavailable, "too many requests are being served"}
	}
	return refusal{}
}
