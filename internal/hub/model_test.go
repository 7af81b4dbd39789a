package hub_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/bowline-go/mcp/internal/hub"
)

// model is the naive hub: every subscription keeps its topics and its events in slices and looks through them.
type model struct {
	topics []hub.Topic
	events []hub.Event
	woken  bool
	wakes  int
	closed bool
}

func (m *model) publish(e hub.Event) {
	same := func(have hub.Event) bool { return have.Kind == e.Kind && have.Key == e.Key }
	if m.closed || !slices.Contains(m.topics, hub.Topic{Kind: e.Kind, Key: e.Key}) || slices.ContainsFunc(m.events, same) {
		return
	}
	m.events = append(m.events, e)
	if !m.woken {
		m.woken = true
		m.wakes++
	}
}

func (m *model) add(topics []hub.Topic) {
	for _, t := range topics {
		if !slices.Contains(m.topics, t) {
			m.topics = append(m.topics, t)
		}
	}
}

func (m *model) remove(topics []hub.Topic) {
	gone := func(t hub.Topic) bool { return slices.Contains(topics, t) }
	m.topics = slices.DeleteFunc(m.topics, gone)
	m.events = slices.DeleteFunc(m.events, func(e hub.Event) bool { return gone(hub.Topic{Kind: e.Kind, Key: e.Key}) })
}

func (m *model) take() []hub.Event {
	events := m.events
	m.events, m.woken = nil, false
	return events
}

func (m *model) close() { m.closed, m.topics, m.events = true, nil, nil }

func equal(a, b hub.Event) bool {
	return a.Kind == b.Kind && a.Key == b.Key && string(a.Payload) == string(b.Payload)
}

// script drives a hub and the model with the same steps, two bytes each, and compares after every one.
func script(t *testing.T, steps []byte) {
	all := []hub.Topic{tools, prompts, resources, updated("x:世界"), updated("x:😀"), ask("1")}
	some := func(bits byte) (topics []hub.Topic) {
		for i, topic := range all {
			if bits&(1<<i) != 0 {
				topics = append(topics, topic)
			}
		}
		return topics
	}
	h := hub.New(hub.Limits{})
	var models []*model
	var subscriptions []*hub.Subscription
	var wakes []*int
	for n := 0; n+1 < len(steps); n += 2 {
		op, arg := steps[n]%8, steps[n+1]
		at := -1
		if len(models) > 0 {
			at = int(steps[n]>>3) % len(models)
		}
		switch {
		case op <= 2:
			topic := all[int(arg)%len(all)]
			e := hub.Event{Kind: topic.Kind, Key: topic.Key, Payload: []byte{arg}}
			h.Publish(e)
			for _, m := range models {
				m.publish(e)
			}
		case op == 3 || at < 0:
			if len(models) == 16 {
				continue
			}
			woken := new(int)
			m := &model{}
			m.add(some(arg))
			models = append(models, m)
			wakes = append(wakes, woken)
			subscriptions = append(subscriptions, subscribe(t, h, func() { *woken++ }, some(arg)...))
		case op == 4:
			if got, want := subscriptions[at].Take(nil), models[at].take(); !slices.EqualFunc(got, want, equal) {
				t.Fatalf("step %d: took %v, want %v", n/2, got, want)
			}
		case op == 5 && !models[at].closed:
			if err := subscriptions[at].Add(some(arg)); err != nil {
				t.Fatal(err)
			}
			models[at].add(some(arg))
		case op == 6:
			subscriptions[at].Remove(some(arg))
			models[at].remove(some(arg))
		case op == 7 && arg < 64:
			subscriptions[at].Close()
			models[at].close()
		}
		for i, m := range models {
			if *wakes[i] != m.wakes {
				t.Fatalf("step %d: subscription %d was woken %d times, want %d", n/2, i, *wakes[i], m.wakes)
			}
		}
	}
}

func TestHubAgreesWithTheNaiveModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		steps := make([]byte, 600)
		for i := range steps {
			steps[i] = byte(r.UintN(256))
		}
		script(t, steps)
	}
}

func FuzzHub(f *testing.F) {
	f.Add([]byte{3, 255, 3, 7, 0, 0, 0, 3, 4, 0, 6, 1, 12, 0, 7, 0})
	f.Fuzz(func(t *testing.T, steps []byte) { script(t, steps[:min(len(steps), 400)]) })
}

// Everything at once, for the race detector; and no event is lost: whoever was woken finds it.
func TestHubIsSafeForConcurrentUse(t *testing.T) {
	const rounds = 300
	h := hub.New(hub.Limits{})
	var publishers, waiters, ready sync.WaitGroup
	for i := range 4 {
		publishers.Go(func() {
			for j := range rounds {
				publish(h, updated(fmt.Sprint("x:", j%8)), tools)
				h.Publish(hub.Event{Kind: hub.AskAnswered, Key: fmt.Sprint(i), Payload: []byte("answer")})
			}
		})
		publishers.Go(func() { // comes and goes
			for j := range rounds {
				s := subscribe(t, h, func() {}, tools, updated(fmt.Sprint("x:", j%8)))
				if err := s.Add([]hub.Topic{prompts}); err != nil {
					t.Error(err)
				}
				s.Take(nil)
				s.Remove([]hub.Topic{tools})
				s.Close()
			}
		})
	}
	ready.Add(4)
	for range 4 {
		waiters.Go(func() {
			wake := make(chan struct{}, 1)
			s := subscribe(t, h, func() {
				select {
				case wake <- struct{}{}:
				default:
				}
			}, tools, ask("0"), ask("1"), updated("x:end"))
			defer s.Close()
			ready.Done()
			for range wake {
				for _, e := range s.Take(nil) {
					if e.Kind == hub.ResourceUpdated {
						return
					}
					if e.Kind == hub.AskAnswered && string(e.Payload) != "answer" {
						t.Errorf("took %q", e.Payload)
					}
				}
			}
		})
	}
	publishers.Wait()
	ready.Wait() // a waiter that is not there yet would miss the end
	publish(h, updated("x:end"))
	waiters.Wait()
}
