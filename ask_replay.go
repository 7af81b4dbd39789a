package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/bowline-go/mcp/internal/protocol"
)

const (
	maxRounds = 16
	maxKeys   = 32
)

// asking is what a call knows of its questions. For a modern client it is also the peer: it
// answers from what the client sent, and records what it must be asked.
type asking struct {
	call *Call

	mu     sync.Mutex
	round  int               // rounds before this one
	urls   map[string]string // ids of URL questions of a legacy client, by path
	life   time.Duration     // how long the client may take for what this pass asks
	handed string            // the state of the explicit form

	// What came with the request.
	retry    bool                       // anything at all
	stateful bool                       // sealed state
	open     map[string]string          // digests of the questions of the last round, by name
	given    map[string]json.RawMessage // answers, by name
	spendID  string                     // of the state, which can be used once; "" when it is not to be spent
	spendBy  time.Time

	// What goes into the next state.
	answers map[string]answer          // of this and earlier rounds, by name
	memory  map[string]json.RawMessage // results of Remember, by name

	// This pass.
	uses    map[string]int           // of each path of a question
	steps   map[string]int           // of each path of a step
	interim bool                     // it has no result: the client must come again
	asked   []protocol.InputQuestion // what the client is asked then
	digests map[string]string        // of those
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
		c.asks = &asking{
			call: c, life: c.session.server.options.StateLife,
			answers: map[string]answer{}, memory: map[string]json.RawMessage{},
			uses: map[string]int{}, steps: map[string]int{}, digests: map[string]string{},
		}
	}
	return c.asks
}

// knownAsking is asking for a call that may have to do with no questions: then it is nil.
func (c *Call) knownAsking() *asking {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asks
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
func (a *asking) find(name, digest string) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if earlier, ok := a.answers[name]; ok && string(earlier.Digest) == digest {
		return earlier.Raw, true
	}
	raw, ok := a.given[name]
	return raw, ok && (!a.stateful || a.open[name] == digest)
}

func (a *asking) keep(name, digest string, raw json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[name] = answer{[]byte(digest), raw}
}

// record puts a question into the next round. An answer that was given to another question
// of that name is of no use any more.
func (a *asking) record(q *question, digest string, correction error) error {
	wire, err := q.wire(correction, "")
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.answers, q.key)
	switch {
	case a.round >= maxRounds && correction != nil:
		return fmt.Errorf("%w; the last answer could not be used because: %w", errRounds, correction)
	case a.round >= maxRounds:
		return errRounds
	case len(a.answers)+len(a.asked) >= maxKeys:
		return fmt.Errorf("more than %d questions; put several into one form, or use Remember", maxKeys)
	}
	a.interim = true
	a.asked = append(a.asked, wire)
	a.digests[q.key] = digest
	return ErrInputRequired
}

var errRounds = errors.New("more than 16 rounds of questions; ask for more at a time, and for the same in every pass")

// forget takes back what this pass asked.
func (a *asking) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.interim, a.asked = false, nil
	clear(a.digests)
}

// isInterim reports whether this pass has no result because the client must come again.
func (a *asking) isInterim() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.interim
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
