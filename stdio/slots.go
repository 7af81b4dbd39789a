package stdio

import (
	"sync"
	"time"
)

// retryAfter is what a refused client is told to wait.
const retryAfter = 100 * time.Millisecond

type slotState int

const (
	slotFree slotState = iota
	slotQueued
	slotRefused
)

// slots counts the calls that run beside the reader, and holds those that wait because too many do.
// Invariant: if something waits, then taken >= most.
type slots struct {
	most int // slots
	room int // bytes that may wait

	mu    sync.Mutex
	taken int
	bytes int // of waiting messages
	queue []*task
	first int // index in queue of the one that waits longest
}

// occupy takes a slot for a goroutine that was the reader until now. There is a free one when it was serving; when it
// was writing there may be none: then there is one more until it ends.
func (s *slots) occupy() {
	s.mu.Lock()
	s.taken++
	s.mu.Unlock()
}

// enqueue lets t wait, unless a slot is free or the queue has no room.
func (s *slots) enqueue(t *task) slotState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken < s.most {
		return slotFree
	}
	if s.bytes+t.size() > s.room {
		return slotRefused
	}
	s.bytes += t.size()
	s.queue = append(s.queue, t)
	return slotQueued
}

// next returns what has waited longest, for the calling goroutine and its slot. When nothing waits, or there are more
// goroutines than slots, it gives the slot back and returns nil.
func (s *slots) next() *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == len(s.queue) || s.taken > s.most {
		s.taken--
		return nil
	}
	t := s.queue[s.first]
	s.queue[s.first] = nil
	s.first++
	s.bytes -= t.size()
	if s.first == len(s.queue) {
		s.queue, s.first = s.queue[:0], 0
	}
	return t
}
