package mcp

import (
	linked "container/list"
	"context"
	"slices"
	"time"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/protocol"
)

// client is a legacy client: what it said in initialize, and what it set afterwards.
type client struct {
	key          string // tells the clients of a shared session apart
	revision     *protocol.Revision
	info         []byte
	capabilities []byte
	has          protocol.CapabilitySet
	expires      time.Time // shared only

	// Guarded by the session's mu.
	level   protocol.Level
	readied chan struct{}     // closed when notifications/initialized comes; nil: ready from the start
	changes *hub.Subscription // nil unless it hears of changes
	stream  *Call             // its standalone stream, shared only
	place   *linked.Element   // among those that can make room, shared only
}

// clientOf is the legacy client that a message comes from, nil when it says nothing of a
// session.
//
// 2025-11-25/basic/transports#session-management: an unknown or ended session is 404.
func (s *Session) clientOf(ctx context.Context, headers protocol.Headers) (*client, *protocol.Fault) {
	if !s.shared {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.client, nil
	}
	if s.server.options.Legacy != LegacySessions {
		return nil, nil
	}
	sealed, given := headers.SessionID()
	if !given {
		return nil, nil
	}
	known, genuine := s.server.known(ctx, sealed)
	if !genuine {
		return nil, protocol.UnknownSession()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.table.ended.has(known.key) {
		return nil, protocol.UnknownSession()
	}
	if left := s.table.left[known.key]; left != nil {
		return left, nil
	}
	return known, nil
}

// isReady reports whether a client can be told things.
func (k *client) isReady() bool {
	if k.readied == nil {
		return true
	}
	select {
	case <-k.readied:
		return true
	default:
		return false
	}
}

// silence ends what a client hears of. mu is held.
func (k *client) silence() {
	if k.changes != nil {
		k.changes.Close()
	}
}

// subscribe makes a client hear of topics. mu is held.
func (s *Session) subscribe(k *client, topics ...hub.Topic) (err error) {
	if k.changes != nil {
		return k.changes.Add(topics)
	}
	wake := s.wake
	if s.shared {
		wake = func() { s.wakeStream(k) }
	}
	if wake == nil {
		return nil
	}
	k.changes, err = s.server.published.Subscribe(topics, wake)
	return err
}

// wakeStream tells the transport that the standalone stream of a client has something to say.
// What comes while there is none waits for the next one, if the client is remembered until then.
func (s *Session) wakeStream(k *client) {
	s.mu.Lock()
	stream := k.stream
	s.mu.Unlock()
	if stream != nil {
		stream.sink.Wake()
	}
}

// listTopics are the changes that every legacy client is told of.
func (s *Server) listTopics() []hub.Topic {
	if !s.options.Dynamic {
		return nil
	}
	return []hub.Topic{{Kind: hub.ToolsChanged}, {Kind: hub.PromptsChanged}, {Kind: hub.ResourcesChanged}}
}

// newClient is the client of an initialize request. Nothing in it aliases the message.
func newClient(said *protocol.Meta) *client {
	return &client{
		revision: said.Revision, info: slices.Clone(said.ClientInfo), capabilities: slices.Clone(said.Capabilities),
		has: said.Has, level: protocol.LevelInfo, readied: make(chan struct{}),
	}
}
