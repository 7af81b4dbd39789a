package mcphttp

import (
	"context"
	"net/http"

	"github.com/bowline-go/mcp"
)

// Handler serves one MCP server over Streamable HTTP, to clients of all revisions at once. It is an [http.Handler] for any
// mux, middleware and server, HTTP/2 and TLS included, and an [io.Closer]. Its methods are safe for concurrent use.
type Handler struct {
	*front
	logs *legacyLogs

	post, get, del, probe, other route
}

// NewHandler makes a handler; nil options are the defaults. It freezes the server's registry. The error lists every mistake
// in the registration, as Server.Check does, or every entry of the options that can never match.
func NewHandler(server *mcp.Server, o *Options) (*Handler, error) {
	f, err := newFront(server, o)
	if err != nil {
		return nil, err
	}
	h := &Handler{front: f, logs: newLegacyLogs(f.options.ResumeWindow, f.options.ResumeBytes, f.maxBytes)}
	h.lay()
	return h, nil
}

// lay lays out the gates of each method. A gate that authenticates would stand behind the one of Origin; until there is one,
// that is the place of middleware.
func (h *Handler) lay() {
	path, host, origin := gate{"path", pathGate}, gate{"host", hostGate}, gate{"origin", originGate}
	room := gate{"room", roomGate}
	allow := "GET, POST, DELETE"
	if !hasSessions(h.session) {
		allow = "POST"
	}
	h.other.gates = []gate{path, noMethod(allow)}
	h.post = route{
		[]gate{path, host, origin, {"content-type", typeGate}, {"accept", acceptGate}, {"size", sizeGate}, room},
		servePost,
	}
	// basic/transports/streamable-http#earlier-streamable-http-revisions: GET and DELETE are 405 without sessions.
	h.get, h.del, h.probe = h.other, h.other, h.other
	if allow != "POST" {
		h.get = route{[]gate{path, host, origin, {"accept", eventsGate}, room}, h.serveGet}
		h.del = route{[]gate{path, host, origin, room}, h.serveDelete}
	}
	if len(h.guard.cors) > 0 {
		h.probe = route{[]gate{path, host, origin}, func(x *exchange) { x.preflight(allow) }}
	}
}

// ServeHTTP serves one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := h.begin(w, r)
	defer h.end(x)
	x.logs = h.logs
	h.routeOf(r.Method).enter(x)
}

func (h *Handler) routeOf(method string) *route {
	switch method {
	case http.MethodPost:
		return &h.post
	case http.MethodGet:
		return &h.get
	case http.MethodDelete:
		return &h.del
	case http.MethodOptions:
		return &h.probe
	}
	return &h.other
}

// Drain refuses new requests with 503 and ends open subscriptions with their result and legacy streams, then waits for what
// is running, and closes the handler. When ctx ends earlier, the error says how many requests it has given up.
func (h *Handler) Drain(ctx context.Context) error {
	h.draining.Store(true)
	h.session.Drain()
	err := h.wait(ctx)
	h.Close()
	return err
}

// Close refuses new requests and ends open streams, and cancels the calls of legacy clients, those that outlived their
// connections too. A call of a current client ends with its connection, so close the http.Server as well. Close does not
// wait, and returns nil.
func (h *Handler) Close() error {
	h.draining.Store(true)
	h.session.Close()
	h.logs.close()
	return nil
}
