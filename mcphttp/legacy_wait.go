package mcphttp

import (
	"slices"
	"time"

	"github.com/bowline-go/mcp"
)

// What waits here is a stream without a connection: its call runs on for a client that may come back, or has ended and can
// be read again. After the window both are over.

// maxVacant is how many standalone streams wait, of all sessions. Opening one and leaving costs a client next to nothing, and
// unlike calls nothing else bounds them.
const maxVacant = 1024

// await lets a stream wait for its client. ended says that its call has been answered.
func (l *legacyLogs) await(s *legacyStream, ended bool) {
	if pushedOut := l.enter(s, ended); pushedOut != nil {
		pushedOut.Cancel()
	}
}

// enter is await, without the call that is to be cancelled because its stream has waited longest where there are too many.
func (l *legacyLogs) enter(s *legacyStream, ended bool) (pushedOut *mcp.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ended {
		s.log.ended, s.log.call = true, nil
	}
	switch {
	case s.log.gone || l.closed: // whoever forgot it has seen to its call
	case s.log.ended && s.log.name == "":
		l.drop(s) // nobody could ask for it
	case s.log.place == nil:
		s.log.since = time.Now()
		s.log.place = l.waiting.PushBack(s)
		l.arm(l.window)
		if s.standalone && !s.log.ended {
			s.log.vacancy = l.vacant.PushBack(s)
		}
	}
	if l.vacant.Len() > maxVacant {
		oldest := l.vacant.Front().Value.(*legacyStream)
		pushedOut = oldest.log.call
		l.drop(oldest)
	}
	return pushedOut
}

// unplace takes a stream out of those that wait. mu is held.
func (l *legacyLogs) unplace(s *legacyStream) {
	if s.log.place != nil {
		l.waiting.Remove(s.log.place)
	}
	if s.log.vacancy != nil {
		l.vacant.Remove(s.log.vacancy)
	}
	s.log.place, s.log.vacancy = nil, nil
}

// returned takes a stream out of those that wait. It reports false if it has been forgotten.
func (l *legacyLogs) returned(s *legacyStream) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unplace(s)
	return !s.log.gone
}

func (l *legacyLogs) arm(after time.Duration) {
	if l.armed {
		return
	}
	l.armed = true
	if l.timer == nil {
		l.timer = time.AfterFunc(after, l.expire)
		return
	}
	l.timer.Reset(after)
}

// expire ends the streams whose window is over.
func (l *legacyLogs) expire() {
	l.mu.Lock()
	l.armed = false
	var over []*mcp.Call
	for front := l.waiting.Front(); front != nil; front = l.waiting.Front() {
		s := front.Value.(*legacyStream)
		if left := l.window - time.Since(s.log.since); left > 0 {
			l.arm(left)
			break
		}
		if s.log.call != nil {
			over = append(over, s.log.call)
		}
		l.drop(s)
	}
	l.mu.Unlock()
	for _, call := range over {
		call.Cancel()
	}
}

// endSession forgets the streams of a session.
func (l *legacyLogs) endSession(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range slices.Clone(l.sessions[key]) {
		l.drop(s)
	}
}

// close forgets every stream and keeps none from now on.
func (l *legacyLogs) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, s := range l.named {
		l.drop(s)
	}
	for front := l.waiting.Front(); front != nil; front = l.waiting.Front() {
		l.drop(front.Value.(*legacyStream))
	}
	if l.timer != nil {
		l.timer.Stop()
	}
}
