package mcp

import (
	"errors"
	"hash/maphash"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/seal"
)

// Server is a set of tools, resources and prompts, and how they are served. Register on it
// first, then give it to a transport, or to several. All methods are safe for concurrent use
// once it serves; registration is not.
type Server struct {
	name, version string
	options       Options
	middleware    []func(next Handler) Handler
	building      *registry
	silent        *slog.Logger // where nobody gave one

	// Settled by freeze, read-only afterwards.
	freezeOnce sync.Once
	frozen     atomic.Bool
	freezeErr  error
	keys       *seal.Ring
	opened     openedTokens
	serve      Handler
	published  *hub.Hub
	index      *jsonrpc.Index
	brief      []byte // the server as every modern result names it
	pools

	snapshot  atomic.Pointer[snapshot]
	inFlight  atomic.Int64
	incidents atomic.Uint64
	ended     endedSessions
	changing  sync.Mutex // held while a Change is made
	forms     sync.Map   // of formKey to *form: the forms that handlers ask
}

// NewServer makes a server without tools, resources or prompts. name is for programs
// (Options.Title is for people); both name and version are required, which Check reports.
// Nil options are safe defaults.
func NewServer(name, version string, options *Options) *Server {
	return &Server{name: name, version: version, options: options.withDefaults(), building: &registry{}, silent: slog.New(slog.DiscardHandler)}
}

// Use adds middleware: next is what serves the request, and the first middleware added is
// the outermost. It sees every pass of every request that is not refused beforehand, as one for
// an unknown tool is: a request whose handler asks takes several. An error of a handler comes
// to it as the handler returned it, before it becomes a result. Lists, discovery, handshakes
// and subscriptions have ready-made results, which are opaque. A middleware may answer by
// itself, with one of the result types of this package or an error; then nothing behind it
// runs, and no subscription is opened. Use panics once the server serves.
func (s *Server) Use(middleware ...func(next Handler) Handler) {
	s.mustBuild()
	if slices.ContainsFunc(middleware, func(m func(next Handler) Handler) bool { return m == nil }) {
		s.building.mistake(placed("server", s.name), "a middleware is nil; give Use functions")
	}
	s.middleware = append(s.middleware, middleware...)
}

// Check reports every mistake that was made in the registration so far, joined, each with
// its place in the source, the rule and what to do. Transports report the same error before
// they serve anything.
func (s *Server) Check() error {
	if s.frozen.Load() {
		return s.freezeErr
	}
	_, err := s.checkOptions()
	_, compileErr := s.compile(s.building.copyWithMistakes())
	return errors.Join(err, compileErr)
}

func (s *Server) registry() *registry {
	s.mustBuild()
	return s.building
}

func (s *Server) mustBuild() {
	if s.frozen.Load() {
		panic("mcp: the server is serving already, so its registry is fixed; register before the first session, or set Options.Dynamic and use Server.Change")
	}
}

// freeze ends the registration. It is what the first session does.
func (s *Server) freeze() error {
	s.freezeOnce.Do(func() {
		s.frozen.Store(true)
		keys, err := s.checkOptions()
		first, compileErr := s.compile(s.building)
		if s.freezeErr = errors.Join(err, compileErr); s.freezeErr != nil {
			return
		}
		s.keys = keys
		s.opened.seed = maphash.MakeSeed()
		s.published = hub.New(hub.Limits{})
		s.index = protocol.Index()
		s.brief = s.implementation().Brief().AppendTo(nil)
		s.snapshot.Store(first)
		s.building = nil // snapshots hold the entries from now on, and let go of those that a Change removes
		s.serve = dispatch
		for i := len(s.middleware) - 1; i >= 0; i-- {
			s.serve = s.middleware[i](s.serve)
		}
	})
	return s.freezeErr
}

// limits are those of every message.
func (s *Server) limits() jsonrpc.Limits {
	return jsonrpc.Limits{Depth: s.options.MaxDepth, Bytes: s.options.MaxMessageBytes}
}

// capabilities are what the server declares where nothing is in its way.
//
// basic/versioning#protocol-version-negotiation: only what is there is advertised.
func (s *Server) capabilities(snap *snapshot) protocol.ServerCapabilities {
	dynamic := s.options.Dynamic
	return protocol.ServerCapabilities{
		Tools:                dynamic || len(snap.tools) > 0,
		Resources:            dynamic || len(snap.resources)+len(snap.templates) > 0,
		Prompts:              dynamic || len(snap.prompts) > 0,
		Completions:          snap.completes,
		Logging:              !s.options.DisableLogging,
		ResourcesSubscribe:   s.options.ResourceUpdates,
		ToolsListChanged:     dynamic,
		ResourcesListChanged: dynamic,
		PromptsListChanged:   dynamic,
	}
}

// capabilities are what the server offers to the client of the call. A legacy client of which
// nothing is remembered cannot be told of changes.
func (c *Call) capabilities() *protocol.ServerCapabilities {
	if c.revision.Modern || c.session.server.options.Legacy != LegacySessionless {
		return &c.view.capabilities
	}
	without := c.view.capabilities.WithoutPush()
	return &without
}

// implementation is the server as discovery and the handshake present it.
func (s *Server) implementation() protocol.Implementation {
	return protocol.Implementation{
		Name: s.name, Title: s.options.Title, Version: s.version,
		Description: s.options.Description, WebsiteURL: s.options.WebsiteURL, Icons: s.options.Icons,
	}
}
