package mcp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/seal"
)

// sealedState is what travels in requestState: the answers so far, and what is open.
type sealedState struct {
	Round    int                        `json:"n"`
	Open     map[string][]byte          `json:"o,omitempty"`
	Answers  map[string]answer          `json:"a,omitempty"`
	Memory   map[string]json.RawMessage `json:"m,omitempty"`
	Explicit string                     `json:"s,omitempty"`
	Expires  int64                      `json:"e"`
}

// resolveAnswers reads the answers and the state that a modern request carries. State that
// does not open for this very request is refused, and nothing runs.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: requestState is attacker-controlled
// and must be rejected if it fails verification.
func (c *Call) resolveAnswers() *protocol.Fault {
	if !c.revision.InputRequired {
		return nil
	}
	responses, state := c.msg.Param(int(protocol.ParamInputResponses)), c.msg.Param(int(protocol.ParamRequestState))
	if responses == nil && state == nil {
		return nil
	}
	a := c.asking()
	a.retry = true
	if responses != nil && protocol.Decode(responses, &a.given) != nil {
		return protocol.BadParam(responses, protocol.ParamInputResponses, "an object of answers")
	}
	if state == nil {
		return nil
	}
	text, fault := protocol.StringParam(c.msg, protocol.ParamRequestState)
	if fault != nil {
		return fault
	}
	if c.session.server.options.PlainState {
		a.state = text
		return nil
	}
	return a.restore(text)
}

// restore opens the state of the rounds before.
func (a *asking) restore(token string) *protocol.Fault {
	c := a.call
	server := c.session.server
	plain, err := server.keys.Open(seal.State, token, c.stateBinding())
	if err != nil {
		return protocol.BadState()
	}
	var s sealedState
	if protocol.Decode(plain, &s) != nil {
		return protocol.BadState()
	}
	if spent := server.options.Spent; spent != nil {
		fresh, err := spent(c, token[len(token)-tagText:], time.Unix(s.Expires, 0))
		if err != nil {
			return c.failure("Internal error", fmt.Errorf("looking up whether the state was used: %w", err))
		}
		if !fresh {
			return protocol.BadState()
		}
	}
	a.stateful, a.round, a.state = true, s.Round, s.Explicit
	a.open = make(map[string]string, len(s.Open))
	for key, digest := range s.Open {
		a.open[key] = string(digest)
	}
	if s.Answers != nil {
		a.answers = s.Answers
	}
	if s.Memory != nil {
		a.memory = s.Memory
	}
	return nil
}

// sealed makes the state of the next round.
func (a *asking) sealed() (string, error) {
	server := a.call.session.server
	s := sealedState{
		Round: a.round + 1, Answers: a.answers, Memory: a.memory, Explicit: a.state,
		Open: make(map[string][]byte, len(a.digests)), Expires: server.options.Clock().Add(a.life).Unix(),
	}
	for key, digest := range a.digests {
		s.Open[key] = []byte(digest)
	}
	plain, err := protocol.Append(nil, s)
	if err != nil {
		return "", err
	}
	token := server.keys.Seal(seal.State, plain, a.call.stateBinding(), a.life)
	if token == "" {
		return "", fmt.Errorf("the answers so far take %d bytes, more than the state has room for; the largest is that of %q; keep less with Remember", len(plain), a.largest())
	}
	return token, nil
}

// largest is the key of what takes the most room.
func (a *asking) largest() (largest string) {
	most := len(a.state)
	for key, answer := range a.answers {
		if len(answer.Raw) > most {
			largest, most = key, len(answer.Raw)
		}
	}
	for key, raw := range a.memory {
		if len(raw) > most {
			largest, most = key, len(raw)
		}
	}
	return largest
}

// stateBinding is what must be the same again when state comes back: who asked this server
// for what.
func (c *Call) stateBinding() []byte {
	var binding []byte
	for _, part := range []string{c.session.server.name, c.method.Name, c.name, callerOf(c.Context).ID, c.argumentDigest()} {
		binding = binary.AppendUvarint(binding, uint64(len(part)))
		binding = append(binding, part...)
	}
	return binding
}

// argumentDigest is the same for arguments that mean the same. Integers count exactly: the
// usual canonical form would round large ones together.
func (c *Call) argumentDigest() string {
	canonical := jsontext.Value(append([]byte(nil), c.arguments...))
	if err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		canonical = c.arguments
	}
	sum := sha256.Sum256(canonical)
	return string(sum[:])
}

var errNothingAsked = errors.New("an InputRequired needs at least one request or a state")

// encodeAsked writes a result of type input_required: the questions of this pass.
//
// basic/patterns/mrtr#inputrequiredresult.
func (c *Call) encodeAsked(b *content.Body) error {
	a := c.asking()
	a.mu.Lock()
	defer a.mu.Unlock()
	state := a.state
	if !c.session.server.options.PlainState {
		var err error
		if state, err = a.sealed(); err != nil {
			return err
		}
	}
	c.begin(b)
	open := protocol.AppendAsked([]byte{'{'}, a.asked, state)
	b.Append(open[1:])
	b.Append(protocol.AppendStamps([]byte(","), c.revision, protocol.Stamp{
		ResultType: protocol.ResultInputRequired, ServerInfo: c.session.server.brief,
	})[1:])
	b.AppendString("}}")
	return nil
}
