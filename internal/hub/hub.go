package hub

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
)

var (
	// ErrFull is wrapped by the error for a hub that has reached a limit: the same request may succeed later.
	ErrFull = errors.New("too many subscriptions")
	// ErrTopics is wrapped by the error for topics that this hub never takes: too many for one subscription, or malformed.
	ErrTopics = errors.New("topics refused")
)

// Limits bound what clients can make a hub hold. Zero, or less, means the default. What a server waits for by itself, such as
// the answer to an ask, finds room whatever they have taken: it is as many as the calls that run.
type Limits struct {
	Subscriptions int // open at a time; default 16,384
	Topics        int // of one subscription; default 1,024
	Bytes         int // of the resources of all subscriptions, each its URI's length plus 64; default 64 MiB
}

const topicCost = 64

// cost is what a topic takes of Limits.Bytes. Who waits for lists pays with the subscription: those who name many resources
// must not keep the others out.
func (t Topic) cost() int {
	if t.Kind != ResourceUpdated {
		return 0
	}
	return topicCost + len(t.Key)
}

// isOwn reports topics that no client can name.
func isOwn(topics []Topic) bool {
	return len(topics) > 0 && !slices.ContainsFunc(topics, func(t Topic) bool { return t.Kind <= ResourceUpdated })
}

// Hub knows who waits for what. All its methods, and those of its subscriptions, are safe for concurrent use.
type Hub struct {
	limits Limits

	mu            sync.Mutex
	waiters       map[Topic][]*interest // invariant: waiters[t][i].index == i, and no list is empty
	subscriptions int
	bytes         int
}

// New makes a hub.
func New(limits Limits) *Hub {
	limits.Subscriptions = orDefault(limits.Subscriptions, 16<<10)
	limits.Topics = orDefault(limits.Topics, 1<<10)
	limits.Bytes = orDefault(limits.Bytes, 64<<20)
	return &Hub{limits: limits, waiters: make(map[Topic][]*interest)}
}

func orDefault(value, fallback int) int {
	return cmp.Or(max(value, 0), fallback)
}

// Publish records e for everybody who waits for its kind and key and wakes those that had nothing to take before. It never
// waits for a waiter, except that wake functions run on the calling goroutine, after the hub has been let go.
func (h *Hub) Publish(e Event) {
	var few [8]func()
	for _, wake := range h.record(e, few[:0]) {
		wake()
	}
}

// record stores e with its waiters and appends the wake functions that are due.
func (h *Hub) record(e Event, wakes []func()) []func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, in := range h.waiters[Topic{e.Kind, e.Key}] {
		if in.pending {
			continue
		}
		in.pending = true
		in.payload = e.Payload
		s := in.subscription
		s.pending = append(s.pending, in)
		if !s.woken && s.wake != nil {
			wakes = append(wakes, s.wake)
		}
		s.woken = true
	}
	return wakes
}

// Subscribe makes a subscription to topics; one that is named twice counts once, and none at all is fine. wake is called
// when there is something to take, once until the next Take. It runs on a publisher's goroutine, must not block or
// panic, and may still come once while or just after Take or Close runs; nil: nobody is woken. An error wraps ErrFull or
// ErrTopics.
func (h *Hub) Subscribe(topics []Topic, wake func()) (*Subscription, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := isOwn(topics)
	if !own && h.subscriptions >= h.limits.Subscriptions {
		return nil, fmt.Errorf("%w: %d are open, the limit; close one or retry later", ErrFull, h.subscriptions)
	}
	s := &Subscription{hub: h, wake: wake, interests: make(map[Topic]*interest, min(len(topics), h.limits.Topics))}
	if err := s.add(topics); err != nil {
		return nil, err
	}
	if s.counted = !own; s.counted {
		h.subscriptions++
	}
	return s, nil
}

// join enters in into the waiters of its topic.
func (h *Hub) join(in *interest) {
	list := h.waiters[in.topic]
	in.index = len(list)
	h.waiters[in.topic] = append(list, in)
	h.bytes += in.topic.cost()
}

// leave takes in out of the waiters of its topic; the last waiter of the topic takes its place.
func (h *Hub) leave(in *interest) {
	list := h.waiters[in.topic]
	last := len(list) - 1
	list[in.index] = list[last]
	list[in.index].index = in.index
	list[last] = nil
	if last == 0 {
		delete(h.waiters, in.topic)
	} else {
		h.waiters[in.topic] = list[:last]
	}
	h.bytes -= in.topic.cost()
}
