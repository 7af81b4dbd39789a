package mcphttp

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"

	"github.com/bowline-go/mcp"
)

// SSEHandler serves an MCP server over HTTP+SSE, the transport of revision 2024-11-05: a GET opens an event stream, whose
// first event names the URL that messages are posted to. The same URL serves both. It is an [http.Handler] and an [io.Closer].
//
// Whoever knows the id in that URL can send messages in the session, so it is unguessable, and good only for the caller that
// opened the stream (mcp.WithCaller); it stands in the query, and so in access logs, because the transport puts it there.
// Prefer [Handler], which also serves clients of that revision that speak Streamable HTTP.
type SSEHandler struct {
	*front
	server *mcp.Server

	get, post, probe, other route

	mu       sync.Mutex
	sessions map[string]*sseSession
}

// NewSSEHandler makes a handler for the transport of 2024-11-05; nil options are the defaults. Its errors are those of
// [NewHandler].
//
// Deprecated: the protocol has replaced this transport by Streamable HTTP in revision 2025-03-26. It is here for clients that
// know nothing else.
func NewSSEHandler(server *mcp.Server, o *Options) (*SSEHandler, error) {
	f, err := newFront(server, o)
	if err != nil {
		return nil, err
	}
	h := &SSEHandler{front: f, server: server, sessions: map[string]*sseSession{}}
	path, host, origin := gate{"path", pathGate}, gate{"host", hostGate}, gate{"origin", originGate}
	room := gate{"room", roomGate}
	h.get = route{[]gate{path, host, origin, {"accept", eventsGate}, room}, h.open}
	h.post = route{[]gate{path, host, origin, {"content-type", typeGate}, {"size", sizeGate}, room}, h.take}
	h.other.gates = []gate{path, noMethod("GET, POST")}
	h.probe = h.other
	if len(f.guard.cors) > 0 {
		h.probe = route{[]gate{path, host, origin}, func(x *exchange) { x.preflight("GET, POST") }}
	}
	return h, nil
}

// ServeHTTP serves one request.
func (h *SSEHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := h.begin(w, r)
	defer h.end(x)
	switch r.Method {
	case http.MethodGet:
		h.get.enter(x)
	case http.MethodPost:
		h.post.enter(x)
	case http.MethodOptions:
		h.probe.enter(x)
	default:
		h.other.enter(x)
	}
}

// open holds a stream until either side ends it.
func (h *SSEHandler) open(x *exchange) {
	x.kept = true
	ctx := x.r.Context()
	s := &sseSession{x: x, ctx: ctx, caller: mcp.RequestFrom(ctx).Caller(), woken: make(chan struct{}, 1), most: h.maxBytes}
	session, err := h.server.Connect(mcp.ConnectOptions{Transport: "http", Wake: func() { signal(s.woken) }})
	if err != nil {
		x.refuse(refusal{http.StatusServiceUnavailable, "the server cannot be connected to"})
		return
	}
	s.session = session
	defer session.Close()
	id := rand.Text()
	if !h.enter(id, s) {
		x.refuse(refusal{http.StatusServiceUnavailable, "too many streams are open"})
		return
	}
	defer h.leave(id)
	x.stay()
	s.start(h.endpoint(x.r) + "?sessionId=" + id)
	s.hold()
}

func (h *SSEHandler) enter(id string, s *sseSession) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining.Load() || len(h.sessions) >= h.options.MaxSSESessions {
		return false
	}
	h.sessions[id] = s
	return true
}

func (h *SSEHandler) leave(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, id)
}

// endpoint is the URL for messages. RequestURI is the target as it came, before a mux or middleware took anything off.
func (h *SSEHandler) endpoint(r *http.Request) string {
	if h.options.SSEEndpoint != "" {
		return h.options.SSEEndpoint
	}
	path, _, _ := strings.Cut(r.RequestURI, "?")
	if !strings.HasPrefix(path, "/") {
		path = r.URL.EscapedPath()
	}
	return "/" + strings.TrimLeft(path, `/\`) // two slashes, of either kind, would name another host
}

// take takes a posted message. Its answer goes to the stream.
func (h *SSEHandler) take(x *exchange) {
	x.accept = accepted{json: true}
	s := h.sessionOf(x.r)
	if s == nil {
		x.refuseWith(http.StatusNotFound, &mcp.Error{Code: codeInvalidRequest, Message: "the sessionId names no open stream; open one with GET"})
		return
	}
	if refused := x.read(); refused.status != 0 {
		x.refuse(refused)
		return
	}
	message := x.message
	x.message = nil // it belongs to the call from now on
	if err := s.accept(x.r.Context(), message); err != nil {
		x.refuseWith(http.StatusBadRequest, err)
		return
	}
	x.w.WriteHeader(http.StatusAccepted)
}

// sessionOf is the session that a request is for, nil if there is none or another caller has opened it: the id stands in access
// logs, and an answer would go to whoever holds the stream.
func (h *SSEHandler) sessionOf(r *http.Request) *sseSession {
	h.mu.Lock()
	s := h.sessions[r.URL.Query().Get("sessionId")]
	h.mu.Unlock()
	if s == nil || s.caller != mcp.RequestFrom(r.Context()).Caller() {
		return nil
	}
	return s
}

// Drain refuses new streams and messages, waits for running calls and then ends the streams. When ctx ends earlier, the
// error says how many streams and requests it has given up.
func (h *SSEHandler) Drain(ctx context.Context) error {
	h.draining.Store(true)
	for _, s := range h.all() {
		s.drain(ctx)
	}
	h.Close()
	return h.wait(ctx)
}

// Close ends the streams and cancels their calls. It does not wait, and returns nil.
func (h *SSEHandler) Close() error {
	h.draining.Store(true)
	h.session.Close()
	for _, s := range h.all() {
		s.session.Close()
		s.x.Wake()
	}
	return nil
}

func (h *SSEHandler) all() []*sseSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*sseSession, 0, len(h.sessions))
	for _, s := range h.sessions {
		all = append(all, s)
	}
	return all
}
