package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/bowline-go/mcp/internal/protocol"
)

const (
	maxRounds   = 16
	maxKeys     = 32
	maxKeyBytes = 128
	askLife     = time.Hour // a human answers
)

// asking is what a call knows of its questions. For a modern client it is also the peer: it
// answers from what the client sent, and records what it must be asked.
type asking struct {
	call *Call

	mu       sync.Mutex
	uses     map[string]int             // of each key in this pass
	round    int                        // rounds before this one
	retry    bool                       // the request came with answers or state
	stateful bool                       // the request came with state
	open     map[string]string          // digests of the questions of the last round
	given    map[string]json.RawMessage // what the client sent with this request
	answers  map[string]answer          // of this and earlier rounds
	memory   map[string]json.RawMessage // results of Remember
	asked    []protocol.InputQuestion   // in this pass
	digests  map[string]string          // of those
	state    string                     // of the explicit form
	life     time.Duration              // of the state that this pass makes
	urls     map[string]string          // ids of URL questions, by key
}

// answer is an answer with the digest of its question.
type answer struct {
	Digest []byte          `json:"d"`
	Raw    json.RawMessage `json:"r"`
}

// asking is made when a call first needs it: most never ask.
func (c *Call) asking() *asking {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asks == nil {
		c.asks = newAsking(c)
	}
	return c.asks
}

func newAsking(c *Call) *asking {
	return &asking{
		call: c, uses: map[string]int{}, answers: map[string]answer{}, memory: map[string]json.RawMessage{},
		digests: map[string]string{}, life: c.session.server.options.StateLife,
	}
}

// nextPass forgets what belongs to one pass of the handler.
func (a *asking) nextPass() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.uses)
	a.round++
}

type scopeKey struct{}

// name makes the name of the n-th use of a key within what is being remembered.
func (a *asking) name(ctx context.Context, key string) (string, error) {
	if scope, inside := ctx.Value(scopeKey{}).(string); inside {
		key = scope + "/" + key
	}
	if key == "" || len(key) > maxKeyBytes {
		return key, fmt.Errorf("a key has 1 to %d bytes; choose another", maxKeyBytes)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.uses[key]++
	if n := a.uses[key]; n > 1 {
		key += "#" + strconv.Itoa(n)
	}
	return key, nil
}

// ask answers a question from what the client sent, or records it for the next round.
func (a *asking) ask(_ context.Context, q *question) error {
	digest, err := q.digest()
	if err != nil {
		return err
	}
	raw, known := a.find(q.key, digest)
	var correction error
	if known {
		err := q.take(raw)
		invalid, again := errors.AsType[*invalidAnswer](err)
		if !again {
			a.keep(q.key, digest, raw)
			return err
		}
		correction = invalid.err
	}
	return a.record(q, digest, correction)
}

// find looks for the answer to a question: one of an earlier round, or one that came with
// this request for a question that is open. Without state the client may have answered
// before it was asked, as in a first round.
//
// basic/patterns/mrtr#error-handling: answers that nothing asked for are ignored.
func (a *asking) find(key, digest string) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if earlier, ok := a.answers[key]; ok && string(earlier.Digest) == digest {
		return earlier.Raw, true
	}
	raw, ok := a.given[key]
	return raw, ok && (!a.stateful || a.open[key] == digest)
}

func (a *asking) keep(key, digest string, raw json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[key] = answer{[]byte(digest), raw}
}

// record puts a question into the next round.
func (a *asking) record(q *question, digest string, correction error) error {
	wire, err := q.wire(correction)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.round >= maxRounds:
		return fmt.Errorf("more than %d rounds of questions; ask for more at a time", maxRounds)
	case len(a.answers)+len(a.asked) >= maxKeys:
		return fmt.Errorf("more than %d questions; put several into one form, or use Remember", maxKeys)
	}
	a.asked = append(a.asked, wire)
	a.digests[q.key] = digest
	return ErrInputRequired
}

// asks reports whether this pass recorded a question.
func (a *asking) asks() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asked) > 0
}

// ExpireState sets how long the client may take to answer what this request asks, instead of
// [Options.StateLife]. Outside a request it is a no-op.
func ExpireState(ctx context.Context, after time.Duration) {
	c := callFrom(ctx)
	if c == nil || after <= 0 {
		return
	}
	a := c.asking()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.life = after
}
