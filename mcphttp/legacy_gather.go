package mcphttp

import (
	"errors"
	"slices"

	"github.com/bowline-go/mcp"
)

// gather sends an answer on the open stream. The whole answer is read before the stream is held, because a source may be
// slow and the client may come back meanwhile; only one that is larger than the log takes goes out in parts.
func (s *legacyStream) gather(reply *mcp.Reply) {
	g := gathering{stream: s}
	defer g.letGo()
	if size := reply.Size(); 0 < size && size <= s.logs.mostEach {
		g.text = make([]byte, 0, size)
	}
	_, _ = reply.WriteTo(&g) // an error of a source is none of ours: the message says so itself
	if g.passing {
		g.finish()
		return
	}
	joinLines(g.text)
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.logs.add(s, slices.Clip(g.text))
	s.write(func(x *exchange) { _ = x.writeEvent(id, g.text) })
}

// gathering is the writer of gather. Once it passes on, it holds the stream's mu and that of the connection.
type gathering struct {
	stream  *legacyStream
	text    []byte
	passing bool
	body    bodyWriter
}

var errNobody = errors.New("mcphttp: the answer is too large to be kept, and its client has left")

// Write gathers a part, or passes it on.
func (g *gathering) Write(part []byte) (int, error) {
	if !g.passing {
		if len(g.text)+len(part) <= max(g.stream.logs.mostEach, 0) {
			g.text = append(g.text, part...)
			return len(part), nil
		}
		g.pass()
	}
	if g.body.x == nil {
		return 0, errNobody
	}
	return g.body.Write(part)
}

// pass begins to write the event, the gathered part first.
func (g *gathering) pass() {
	s := g.stream
	s.mu.Lock()
	g.passing = true
	id := s.logs.add(s, nil)
	x := s.to
	if x == nil {
		return
	}
	x.mu.Lock()
	g.body = bodyWriter{x: x, oneLine: true}
	x.writeOut(appendEventHead(x.out[:0], id))
	_, _ = g.body.Write(g.text) // the next part finds out
	g.text = nil
}

// finish ends the event.
func (g *gathering) finish() {
	if x := g.body.x; x != nil {
		x.writeOut(append(x.out[:0], "\n\n"...))
	}
}

// letGo gives back what pass has taken, even when a source has ended the goroutine.
func (g *gathering) letGo() {
	if !g.passing {
		return
	}
	s, x := g.stream, g.body.x
	defer s.mu.Unlock()
	if x == nil {
		return
	}
	failed := x.failed != nil
	x.mu.Unlock()
	if failed {
		s.lose()
	}
}
