package hub

import (
	"fmt"
	"slices"
	"strings"
)

// Subscription gathers events for one waiter. All its fields but hub and wake are guarded by the hub's mutex.
type Subscription struct {
	hub  *Hub
	wake func()

	interests map[Topic]*interest
	pending   []*interest // in order of first occurrence; each at most once
	woken     bool        // wake was called, or is about to be, since the last Take
	counted   bool        // against Limits.Subscriptions
	closed    bool
}

// interest is one topic of one subscription.
type interest struct {
	subscription *Subscription
	topic        Topic
	index        int // in the hub's list of the topic's waiters
	pending      bool
	payload      []byte // of the first event since the last Take
}

// Take appends to dst what happened since the last Take, in order of first occurrence and each topic at most once, and
// forgets it. Of several events of one topic it holds the first: of two answers to one ask the second is late, and a change
// has no payload. After Close there is nothing.
func (s *Subscription) Take(dst []Event) []Event {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	for _, in := range s.pending {
		dst = append(dst, Event{Kind: in.topic.Kind, Key: in.topic.Key, Payload: in.payload})
		in.pending, in.payload = false, nil
	}
	clear(s.pending)
	s.pending = s.pending[:0]
	s.woken = false
	return dst
}

// Add makes the subscription wait for more topics; those that it has are left as they are. An error wraps ErrFull or
// ErrTopics, and then nothing was added. After Close it does nothing.
func (s *Subscription) Add(topics []Topic) error {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.closed {
		return nil
	}
	return s.add(topics)
}

// Remove ends the wait for topics; what gathered for them is forgotten. Topics that it does not have are ignored.
func (s *Subscription) Remove(topics []Topic) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	for _, t := range topics {
		in, has := s.interests[t]
		if !has {
			continue
		}
		delete(s.interests, t)
		s.hub.leave(in)
		if in.pending {
			at := slices.Index(s.pending, in)
			s.pending = slices.Delete(s.pending, at, at+1)
		}
	}
}

// Has reports whether the subscription waits for something of that kind.
func (s *Subscription) Has(kind Kind) bool {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	for t := range s.interests {
		if t.Kind == kind {
			return true
		}
	}
	return false
}

// Close ends the subscription and forgets what gathered. It may be called more than once.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	if s.counted {
		s.hub.subscriptions--
	}
	for _, in := range s.interests {
		s.hub.leave(in)
	}
	s.interests, s.pending = nil, nil
}

// add is Add for a caller that holds the hub's mutex.
func (s *Subscription) add(topics []Topic) error {
	limits := &s.hub.limits
	fresh := make(map[Topic]struct{}, min(len(topics), limits.Topics))
	cost := 0
	for _, t := range topics {
		if err := t.check(); err != nil {
			return err
		}
		_, has := s.interests[t]
		if _, twice := fresh[t]; has || twice {
			continue
		}
		if len(s.interests)+len(fresh) >= limits.Topics {
			return fmt.Errorf("%w: more than %d in one subscription; name fewer", ErrTopics, limits.Topics)
		}
		fresh[t] = struct{}{}
		cost += t.cost()
	}
	if cost > 0 && s.hub.bytes+cost > limits.Bytes {
		return fmt.Errorf("%w: their topics hold %d bytes of %d; close one or retry later", ErrFull, s.hub.bytes, limits.Bytes)
	}
	for t := range fresh {
		t.Key = strings.Clone(t.Key) // it may be a piece of a large message
		in := &interest{subscription: s, topic: t}
		s.interests[t] = in
		s.hub.join(in)
	}
	return nil
}
