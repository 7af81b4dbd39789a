package mcp

import (
	"sync"
	"time"
)

// endedSessions are the sessions of legacy clients that are over although their tokens are still
// good, on every endpoint of a server: a client must not come back into a session that it has
// ended, so none is dropped before its token expires. When there are too many, no session
// can be ended any more, which DELETE answers with 405, and nothing else is refused for it.
type endedSessions struct {
	mu      sync.Mutex
	until   map[endedKey]int64 // when their tokens expire, in Unix seconds
	soonest int64              // the first of these, at the earliest
}

const maxEnded = 1 << 15 // about 2 MiB

// endedKey is a client's key without the token that it is a part of.
type endedKey [22]byte

func endedKeyOf(key string) (k endedKey) {
	copy(k[:], key)
	return k
}

// has reports a session that has ended.
func (e *endedSessions) has(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ended := e.until[endedKeyOf(key)]
	return ended
}

// add remembers the end of a session, if there is room.
func (e *endedSessions) add(k *client, now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	key, expires := endedKeyOf(k.key), k.expires.Unix()
	if len(e.until) >= maxEnded {
		e.expire(now.Unix())
	}
	if len(e.until) >= maxEnded {
		return false
	}
	if e.until == nil {
		e.until = make(map[endedKey]int64)
	}
	e.until[key] = expires
	e.soonest = min(e.soonest, expires)
	return true
}

// expire forgets sessions whose tokens have expired. It looks at them only when one may have. mu
// is held.
func (e *endedSessions) expire(now int64) {
	if now <= e.soonest {
		return
	}
	e.soonest = now + int64(sessionLife/time.Second)
	for key, expires := range e.until {
		if now > expires {
			delete(e.until, key)
			continue
		}
		e.soonest = min(e.soonest, expires)
	}
}
