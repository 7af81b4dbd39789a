package mcphttp

import (
	"container/list"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bowline-go/mcp"
)

const (
	maxLoggedEvents  = 1024 // of one stream
	maxLoggedStreams = 64   // of one session
	logOverhead      = 512  // bytes that a kept stream costs beside its messages
	eventOverhead    = 48   // the same for an event
)

// legacyLogs keeps the last messages of event streams, so that clients can resume them, within bounds: events and bytes of a
// stream, streams of a session, bytes of all. What is over them makes room first where nobody is connected any more and
// the answer has been given.
type legacyLogs struct {
	window    time.Duration
	mostBytes int    // of all streams
	mostEach  int    // bytes of one stream
	prefix    string // of stream names, so that ids of another process are never taken for ours

	mu       sync.Mutex
	closed   bool
	named    map[string]*legacyStream
	sessions map[string][]*legacyStream // by session key, oldest first
	waiting  list.List                  // of *legacyStream without a connection, longest first
	vacant   list.List                  // those of them that are standalone and have not ended
	bytes    int
	count    uint64
	timer    *time.Timer
	armed    bool
}

// eventLog is the part of a stream that legacyLogs.mu guards.
type eventLog struct {
	name   string   // "" until the stream is kept
	events [][]byte // invariant: events[i] has number first+i
	first  uint64
	bytes  int
	call   *mcp.Call // what ends if the client does not come back; nil once it has ended
	ended  bool      // nothing more is sent
	gone   bool      // forgotten: nothing is kept any more

	since   time.Time     // when it came to those that wait
	place   *list.Element // in waiting, or nil
	vacancy *list.Element // in vacant, or nil
}

func newLegacyLogs(window time.Duration, mostBytes, mostEach int) *legacyLogs {
	return &legacyLogs{
		window: window, mostBytes: mostBytes, mostEach: min(mostEach, mostBytes), prefix: rand.Text()[:10],
		named: map[string]*legacyStream{}, sessions: map[string][]*legacyStream{},
	}
}

// keep gives a stream its name and a place in its session, if there is room.
func (l *legacyLogs) keep(s *legacyStream) {
	if pushedOut := l.place(s); pushedOut != nil {
		pushedOut.Cancel()
	}
}

// place is keep, without the call that is to be cancelled because its stream has made room.
func (l *legacyLogs) place(s *legacyStream) (pushedOut *mcp.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.mostBytes < 0 || s.log.gone {
		return nil
	}
	if session := l.sessions[s.key]; len(session) >= maxLoggedStreams {
		at := slices.IndexFunc(session, (*legacyStream).canMakeRoom)
		if at < 0 {
			return nil
		}
		pushedOut = session[at].log.call
		l.drop(session[at])
	}
	if !l.makeRoom(logOverhead) {
		return pushedOut
	}
	s.key = strings.Clone(s.key) // without the token that it is a part of
	l.count++
	l.bytes += logOverhead
	s.log.name = l.prefix + strconv.FormatUint(l.count, 36)
	s.log.first = 1
	l.named[s.log.name] = s
	l.sessions[s.key] = append(l.sessions[s.key], s)
	return pushedOut
}

// canMakeRoom reports a stream that another one of its session may take the place of: the answer has been given, or it is a
// standalone one that nobody is connected to. logs.mu is held.
func (s *legacyStream) canMakeRoom() bool { return s.log.ended || s.log.vacancy != nil }

// keeps reports whether a stream can be resumed.
func (l *legacyLogs) keeps(s *legacyStream) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.log.name != ""
}

// add keeps one message and returns its id, "" when the stream is not kept. A message that is too large for the log leaves
// nothing that could be resumed before it. nil stands for one that was not gathered for that reason.
func (l *legacyLogs) add(s *legacyStream, message []byte) (id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.log.name == "" {
		return ""
	}
	cost := len(message) + eventOverhead
	for len(s.log.events) >= maxLoggedEvents || len(s.log.events) > 0 && s.log.bytes+cost > l.mostEach {
		l.dropFirst(s)
	}
	number := s.log.first + uint64(len(s.log.events))
	id = eventID(s.log.name, number)
	if message == nil || cost > l.mostEach || !l.makeRoomFor(s, cost) {
		l.skip(s)
		return id
	}
	s.log.events = append(s.log.events, message)
	s.log.bytes += cost
	l.bytes += cost
	return id
}

func eventID(stream string, number uint64) string {
	return stream + "-" + strconv.FormatUint(number, 10)
}

// skip leaves out the next message, and with it what came before. mu is held.
func (l *legacyLogs) skip(s *legacyStream) {
	for len(s.log.events) > 0 {
		l.dropFirst(s)
	}
	s.log.first++
}

func (l *legacyLogs) dropFirst(s *legacyStream) {
	cost := len(s.log.events[0]) + eventOverhead
	s.log.events[0] = nil
	s.log.events = s.log.events[1:]
	s.log.first++
	s.log.bytes -= cost
	l.bytes -= cost
}

// makeRoom forgets streams that have ended, longest without a connection first. mu is held.
func (l *legacyLogs) makeRoom(cost int) bool {
	for at := l.waiting.Front(); at != nil && l.bytes+cost > l.mostBytes; {
		s := at.Value.(*legacyStream)
		at = at.Next()
		if s.log.ended {
			l.drop(s)
		}
	}
	return l.bytes+cost <= l.mostBytes
}

// makeRoomFor also takes what the stream itself has kept. mu is held.
func (l *legacyLogs) makeRoomFor(s *legacyStream, cost int) bool {
	if l.makeRoom(cost) {
		return true
	}
	for len(s.log.events) > 0 && l.bytes+cost > l.mostBytes {
		l.dropFirst(s)
	}
	return l.bytes+cost <= l.mostBytes
}

// drop forgets a stream. mu is held.
func (l *legacyLogs) drop(s *legacyStream) {
	l.unplace(s)
	s.log.gone, s.log.call = true, nil
	if s.log.name == "" {
		return
	}
	l.bytes -= s.log.bytes + logOverhead
	delete(l.named, s.log.name)
	s.log.name, s.log.events, s.log.bytes = "", nil, 0
	session := slices.DeleteFunc(l.sessions[s.key], func(other *legacyStream) bool { return other == s })
	if l.sessions[s.key] = session; len(session) == 0 {
		delete(l.sessions, s.key)
	}
}

// find is the stream and the number that an event id names, if it is one of that session.
func (l *legacyLogs) find(key, id string) (*legacyStream, uint64, bool) {
	name, digits, _ := strings.Cut(id, "-")
	number, err := strconv.ParseUint(digits, 10, 64)
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.named[name]
	if err != nil || s == nil || s.key != key {
		return nil, 0, false
	}
	return s, number, true
}

// after is what a stream has kept behind an event; ok is false when the event is unknown, or when something behind it is not
// kept any more.
func (l *legacyLogs) after(s *legacyStream, number uint64) (stream string, events [][]byte, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := s.log.first + uint64(len(s.log.events))
	if s.log.name == "" || number == 0 || number+1 < s.log.first || number >= next {
		return "", nil, false
	}
	return s.log.name, slices.Clone(s.log.events[number+1-s.log.first:]), true
}
