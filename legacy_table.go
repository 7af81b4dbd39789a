package mcp

import (
	linked "container/list"
	"strings"
	"time"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/protocol"
)

// clientTable is what the legacy clients of a shared session have left, within bounds. Whoever
// can begin sessions can fill it, so that what is cheapest to lose makes room for others: first a
// log level, whose client hears from info up again; then subscriptions that nobody listens
// to, whose session ends, so that its client notices, as long as ends find room. An open
// stream is not taken from its client.
//
// The session's mu guards all of it.
type clientTable struct {
	left    map[string]*client // by key
	soonest time.Time          // when the first of left may expire, at the earliest
	spare   [ranks]linked.List // those of left that can make room, longest unchanged first
	ended   *endedSessions     // the server's
}

const maxClients = 10_000

// What a client without a stream has left, cheapest to lose first.
const (
	levelled = iota
	subscribed
	ranks
)

func newClientTable(ended *endedSessions) clientTable {
	return clientTable{left: make(map[string]*client), ended: ended}
}

// remember keeps a client of a shared session because it leaves something, and returns the one to
// set it on; settle must follow once it has. mu is held.
func (s *Session) remember(k *client) (*client, *protocol.Fault) {
	if !s.shared {
		return k, nil
	}
	t := &s.table
	if t.ended.has(k.key) { // by a DELETE that overtook this request
		return nil, protocol.UnknownSession()
	}
	if left := t.left[k.key]; left != nil {
		return left, nil
	}
	if !t.makeRoom(s.server.options.Clock()) {
		return nil, protocol.Busy("too many sessions have streams or subscriptions", retryAfter)
	}
	own := *k                      // the one of the token is shared by other requests
	own.key = strings.Clone(k.key) // without the token
	t.left[own.key] = &own
	if own.expires.Before(t.soonest) {
		t.soonest = own.expires
	}
	return &own, nil
}

// makeRoom makes room for one more client, if need be at the expense of another.
func (t *clientTable) makeRoom(now time.Time) bool {
	if len(t.left) < maxClients {
		return true
	}
	if t.expire(now); len(t.left) < maxClients {
		return true
	}
	if cheapest := t.spare[levelled].Front(); cheapest != nil {
		t.forget(cheapest.Value.(*client))
		return true
	}
	next := t.spare[subscribed].Front()
	if next == nil {
		return false
	}
	if unheard := next.Value.(*client); !t.end(unheard, now) {
		t.forget(unheard)
	}
	return true
}

// expire drops clients whose tokens have expired. It looks at them only when one may have: a full
// table would otherwise be gone through for every client that finds no room in it.
func (t *clientTable) expire(now time.Time) {
	if now.Before(t.soonest) {
		return
	}
	t.soonest = now.Add(sessionLife)
	for _, old := range t.left {
		switch {
		case now.After(old.expires):
			t.forget(old)
		case old.expires.Before(t.soonest):
			t.soonest = old.expires
		}
	}
}

// settle takes note of what a client has left after a change. Most clients open a stream and are
// never heard of again: of those that have nothing set any more, nothing stays.
func (t *clientTable) settle(k *client) {
	if t.left[k.key] != k {
		return
	}
	t.unplace(k)
	switch {
	case k.stream != nil:
	case k.changes != nil && k.changes.Has(hub.ResourceUpdated):
		k.place = t.spare[subscribed].PushBack(k)
	case k.level != protocol.LevelInfo:
		k.place = t.spare[levelled].PushBack(k)
	default:
		t.forget(k)
	}
}

func (t *clientTable) unplace(k *client) {
	if k.place == nil {
		return
	}
	for i := range t.spare {
		t.spare[i].Remove(k.place)
	}
	k.place = nil
}

// forget drops what a client has left.
func (t *clientTable) forget(k *client) {
	t.unplace(k)
	k.silence()
	k.changes = nil // a request that is on its way may have the client remembered again
	delete(t.left, k.key)
}

// end ends a client's session until its token expires. It reports false, and ends nothing, when
// there is no room to remember that.
func (t *clientTable) end(k *client, now time.Time) bool {
	if !t.ended.add(k, now) {
		return false
	}
	if left := t.left[k.key]; left != nil {
		t.forget(left)
	}
	return true
}
