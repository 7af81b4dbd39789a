package mcphttp

import (
	"slices"
	"time"
)

// What waits here is a stream without a connection: its call runs on for a client that may come back, or has ended and can
// be read again. After the window both are over.

// await lets a stream wait for its client. ended says that its call has been answered.
func (l *legacyLogs) await(s *legacyStream, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.log.ended = s.log.ended || ended
	switch {
	case s.log.gone || l.closed: // whoever forgot it has seen to its call
	case s.log.ended && s.log.name == "":
		l.drop(s) // nobody could ask for it
	case s.log.place == nil:
		s.log.since = time.Now()
		s.log.place = l.waiting.PushBack(s)
		l.arm(l.window)
	}
}

// returned takes a stream out of those that wait. It reports false if it has been forgotten.
func (l *legacyLogs) returned(s *legacyStream) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.log.place != nil {
		l.waiting.Remove(s.log.place)
		s.log.place = nil
	}
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
	var over []*legacyStream
	for front := l.waiting.Front(); front != nil; front = l.waiting.Front() {
		s := front.Value.(*legacyStream)
		if left := l.window - time.Since(s.log.since); left > 0 {
			l.arm(left)
			break
		}
		if !s.log.ended {
			over = append(over, s)
		}
		l.drop(s)
	}
	l.mu.Unlock()
	for _, s := range over {
		s.call.Cancel()
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
