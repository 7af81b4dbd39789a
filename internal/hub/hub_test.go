package hub_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/hub"
)

var (
	tools     = hub.Topic{Kind: hub.ToolsChanged}
	prompts   = hub.Topic{Kind: hub.PromptsChanged}
	resources = hub.Topic{Kind: hub.ResourcesChanged}
)

func updated(uri string) hub.Topic { return hub.Topic{Kind: hub.ResourceUpdated, Key: uri} }
func ask(id string) hub.Topic      { return hub.Topic{Kind: hub.AskAnswered, Key: id} }

func publish(h *hub.Hub, topics ...hub.Topic) {
	for _, t := range topics {
		h.Publish(hub.Event{Kind: t.Kind, Key: t.Key})
	}
}

func subscribe(t testing.TB, h *hub.Hub, wake func(), topics ...hub.Topic) *hub.Subscription {
	t.Helper()
	s, err := h.Subscribe(topics, wake)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantTaken(t testing.TB, s *hub.Subscription, want ...hub.Topic) {
	t.Helper()
	var got []hub.Topic
	for _, e := range s.Take(nil) {
		got = append(got, hub.Topic{Kind: e.Kind, Key: e.Key})
	}
	if !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
}

func TestEachTopicIsTakenOnceInOrderOfFirstOccurrence(t *testing.T) {
	h := hub.New(hub.Limits{})
	s := subscribe(t, h, nil, tools, prompts, updated("x:世界"), updated("x:😀"), tools)
	publish(h, updated("x:😀"), tools, updated("x:世界"), tools, updated("x:😀"), resources, updated("x:other"))
	wantTaken(t, s, updated("x:😀"), tools, updated("x:世界"))
	wantTaken(t, s)
	publish(h, tools)
	wantTaken(t, s, tools)
}

func TestTakeAppends(t *testing.T) {
	h := hub.New(hub.Limits{})
	s := subscribe(t, h, nil, tools)
	publish(h, tools)
	got := s.Take([]hub.Event{{Kind: hub.AskAnswered, Key: "s"}})
	if len(got) != 2 || got[0].Key != "s" || got[1].Kind != hub.ToolsChanged {
		t.Errorf("took %v", got)
	}
}

func TestTheFirstAnswerToAnAskCounts(t *testing.T) {
	h := hub.New(hub.Limits{})
	s := subscribe(t, h, nil, ask("1"))
	for _, answer := range []string{"世界", "late"} {
		h.Publish(hub.Event{Kind: hub.AskAnswered, Key: "1", Payload: []byte(answer)})
	}
	if got := s.Take(nil); len(got) != 1 || !bytes.Equal(got[0].Payload, []byte("世界")) {
		t.Errorf("took %q", got)
	}
	publish(h, ask("1"))
	if got := s.Take(nil); len(got) != 1 || got[0].Payload != nil {
		t.Errorf("took %q: an old payload came back", got)
	}
}

func TestEventsThatNobodyWaitedForAreNotKept(t *testing.T) {
	h := hub.New(hub.Limits{})
	publish(h, tools)
	wantTaken(t, subscribe(t, h, nil, tools))
}

func TestKeysAreMatchedExactly(t *testing.T) {
	h := hub.New(hub.Limits{})
	s := subscribe(t, h, nil, updated("x:A"), ask("k"))
	publish(h, updated("x:a"), updated("x:A/"), updated("k"), ask("x:A"))
	wantTaken(t, s)
}

func TestWakeComesOnceUntilTheNextTake(t *testing.T) {
	h := hub.New(hub.Limits{})
	woken := 0
	s := subscribe(t, h, func() { woken++ }, tools, prompts)
	for _, step := range []struct {
		rule string
		do   func()
		want int
	}{
		{"no event: no wake", func() {}, 0},
		{"another topic: no wake", func() { publish(h, resources) }, 0},
		{"the first event wakes", func() { publish(h, tools) }, 1},
		{"a repeated one does not", func() { publish(h, tools) }, 1},
		{"nor does another topic", func() { publish(h, prompts) }, 1},
		{"after Take the next one does", func() { s.Take(nil); publish(h, tools) }, 2},
		{"an event taken away still counts as a wake", func() { s.Remove([]hub.Topic{tools}); publish(h, prompts) }, 2},
		{"an empty Take is a Take", func() { s.Take(nil); s.Take(nil); publish(h, prompts) }, 3},
		{"after Close nothing wakes", func() { s.Take(nil); s.Close(); publish(h, prompts) }, 3},
	} {
		if step.do(); woken != step.want {
			t.Errorf("%s: woken %d times, want %d", step.rule, woken, step.want)
		}
	}
}

func TestOnlyWaitersOfTheTopicAreWoken(t *testing.T) {
	h := hub.New(hub.Limits{})
	woken := map[string]int{}
	for i := range 100 {
		key := fmt.Sprint("x:", i)
		subscribe(t, h, func() { woken[key]++ }, updated(key), tools)
	}
	publish(h, updated("x:7"))
	if len(woken) != 1 || woken["x:7"] != 1 {
		t.Errorf("woken: %v", woken)
	}
	publish(h, tools)
	if len(woken) != 100 || woken["x:7"] != 1 {
		t.Errorf("woken: %v", woken)
	}
}

// Every call below would hang if wake ran under the hub's mutex.
func TestWakeMayCallTheHub(t *testing.T) {
	h := hub.New(hub.Limits{})
	var s *hub.Subscription
	var got []hub.Event
	s = subscribe(t, h, func() {
		got = s.Take(got)
		publish(h, prompts)
		if err := s.Add([]hub.Topic{resources}); err != nil {
			t.Error(err)
		}
		s.Close()
	}, tools)
	publish(h, tools)
	if len(got) != 1 {
		t.Errorf("took %v", got)
	}
}

func TestAddAndRemove(t *testing.T) {
	h := hub.New(hub.Limits{})
	s, other := subscribe(t, h, nil, tools), subscribe(t, h, nil, tools, updated("x:a"))
	if err := s.Add([]hub.Topic{updated("x:a"), tools, updated("x:a")}); err != nil {
		t.Fatal(err)
	}
	publish(h, updated("x:a"), tools)
	s.Remove([]hub.Topic{updated("x:a"), updated("x:never")})
	publish(h, updated("x:a"))
	wantTaken(t, s, tools)
	wantTaken(t, other, updated("x:a"), tools)
}

func TestClose(t *testing.T) {
	h := hub.New(hub.Limits{Subscriptions: 1})
	s := subscribe(t, h, nil, tools)
	publish(h, tools)
	s.Close()
	s.Close()
	wantTaken(t, s)
	if err := s.Add([]hub.Topic{tools}); err != nil {
		t.Errorf("Add after Close: %v", err)
	}
	s.Remove([]hub.Topic{tools})
	publish(h, tools)
	wantTaken(t, s)
	subscribe(t, h, nil, tools)
	if _, err := h.Subscribe(nil, nil); !errors.Is(err, hub.ErrFull) {
		t.Errorf("closing twice gave two places back: %v", err)
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		rule   string
		limits hub.Limits
		have   []hub.Topic
		want   []hub.Topic
		err    error
		text   string
	}{
		{"subscriptions of a hub", hub.Limits{Subscriptions: 1}, nil, nil, hub.ErrFull, "too many subscriptions: 1 are open, the limit; close one or retry later"},
		{"topics of a subscription", hub.Limits{Topics: 2}, nil, []hub.Topic{tools, prompts, resources}, hub.ErrTopics, "topics refused: more than 2 in one subscription; name fewer"},
		{"a topic named twice counts once", hub.Limits{Topics: 1}, nil, []hub.Topic{tools, tools}, nil, ""},
		{"bytes of a hub", hub.Limits{Bytes: 2200}, []hub.Topic{updated(long)}, []hub.Topic{updated(long), updated(long + "y")}, hub.ErrFull, "their topics hold 1064 bytes of 2200; close one or retry later"},
		{"an equal topic of another subscription counts again", hub.Limits{Bytes: 2000}, []hub.Topic{updated(long)}, []hub.Topic{updated(long)}, hub.ErrFull, "their topics hold 1064"},
		{"bytes up to the limit", hub.Limits{Bytes: 2128}, []hub.Topic{updated(long)}, []hub.Topic{updated(long)}, nil, ""},
		{"lists take no bytes", hub.Limits{Bytes: 1064}, []hub.Topic{updated(long)}, []hub.Topic{tools, prompts, resources}, nil, ""},
		{"an answer takes no bytes", hub.Limits{Bytes: 1064}, []hub.Topic{updated(long)}, []hub.Topic{ask(long)}, nil, ""},
		{"who waits for an answer finds room", hub.Limits{Subscriptions: 1}, []hub.Topic{tools}, []hub.Topic{ask("a")}, nil, ""},
		{"who waits for an answer takes no room", hub.Limits{Subscriptions: 1}, []hub.Topic{ask("a")}, []hub.Topic{tools}, nil, ""},
		{"who waits for a list beside an answer needs room", hub.Limits{Subscriptions: 1}, []hub.Topic{tools}, []hub.Topic{ask("a"), tools}, hub.ErrFull, "too many subscriptions"},
		{"the length of a key", hub.Limits{}, nil, []hub.Topic{updated(strings.Repeat("x", hub.MaxKey+1))}, hub.ErrTopics, "a key has 8193 bytes, at most 8192 are allowed"},
		{"the longest key", hub.Limits{}, nil, []hub.Topic{updated(strings.Repeat("x", hub.MaxKey))}, nil, ""},
		{"a kind below the first", hub.Limits{}, nil, []hub.Topic{{}}, hub.ErrTopics, "unknown kind 0; use one of the constants"},
		{"a kind behind the last", hub.Limits{}, nil, []hub.Topic{{Kind: hub.AskAnswered + 1, Key: "x"}}, hub.ErrTopics, "unknown kind 6"},
		{"a list with a key", hub.Limits{}, nil, []hub.Topic{{Kind: hub.ToolsChanged, Key: "世"}}, hub.ErrTopics, `kind 1 has no key, but got "世"; leave it empty`},
		{"a resource without a key", hub.Limits{}, nil, []hub.Topic{{Kind: hub.ResourceUpdated}}, hub.ErrTopics, "kind 4 needs a key"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hub.New(c.limits)
			subscribe(t, h, nil, c.have...)
			s, err := h.Subscribe(c.want, nil)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || (s == nil) != (err != nil) {
				t.Fatalf("%v, %v; want %v", s, err, c.err)
			}
			if err != nil && !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v; want %s", err, c.text)
			}
		})
	}
}

func TestARefusedAddAddsNothing(t *testing.T) {
	h := hub.New(hub.Limits{Topics: 2})
	s := subscribe(t, h, nil, tools)
	for _, more := range [][]hub.Topic{{prompts, resources}, {prompts, updated("")}} {
		if err := s.Add(more); !errors.Is(err, hub.ErrTopics) {
			t.Errorf("Add %v: %v", more, err)
		}
		publish(h, prompts, resources)
		wantTaken(t, s)
	}
	if err := s.Add([]hub.Topic{tools, prompts}); err != nil {
		t.Errorf("a topic that it has counted again: %v", err)
	}
}

func TestClosedSubscriptionsGiveTheirBytesBack(t *testing.T) {
	h := hub.New(hub.Limits{Bytes: 1000})
	for range 100 {
		s := subscribe(t, h, nil, updated(strings.Repeat("x", 800)))
		s.Remove([]hub.Topic{updated(strings.Repeat("x", 800))})
		if err := s.Add([]hub.Topic{updated(strings.Repeat("y", 800))}); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
}

func TestPublishDoesNotAllocate(t *testing.T) {
	h := hub.New(hub.Limits{})
	s := subscribe(t, h, func() {}, tools, updated("x:a"))
	dst := make([]hub.Event, 0, 4)
	if n := testing.AllocsPerRun(100, func() {
		publish(h, updated("x:a"), tools, updated("x:none"))
		dst = s.Take(dst[:0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPublish(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		h := hub.New(hub.Limits{})
		var one *hub.Subscription
		for i := range n {
			one = subscribe(b, h, func() {}, updated(fmt.Sprint("x:", i)), tools)
		}
		e := hub.Event{Kind: hub.ResourceUpdated, Key: fmt.Sprint("x:", n-1)}
		b.Run(fmt.Sprintf("one-waiter/subscriptions=%d", n), func(b *testing.B) {
			var dst []hub.Event
			b.ReportAllocs()
			for b.Loop() {
				h.Publish(e)
				dst = one.Take(dst[:0])
			}
		})
	}
}

func BenchmarkSubscribeAndClose(b *testing.B) {
	h := hub.New(hub.Limits{})
	for range 10_000 {
		subscribe(b, h, nil, tools, prompts, resources)
	}
	topics := []hub.Topic{tools, prompts, resources, updated("x:a")}
	b.ReportAllocs()
	for b.Loop() {
		s, err := h.Subscribe(topics, nil)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func TestHasTellsTheKindsThatAreWaitedFor(t *testing.T) {
	h := hub.New(hub.Limits{})
	s := subscribe(t, h, nil, tools, updated("x://世界"))
	has := func(want ...bool) {
		t.Helper()
		if got := []bool{s.Has(hub.ToolsChanged), s.Has(hub.ResourceUpdated)}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	has(true, true)
	s.Remove([]hub.Topic{updated("x://世界")})
	has(true, false)
	s.Close()
	has(false, false)
}
