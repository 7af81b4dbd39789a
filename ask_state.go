package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/seal"
)

// sealedState is what travels in requestState: the answers so far, and what is open.
type sealedState struct {
	Round   int                        `json:"n"`
	Open    map[string][]byte          `json:"o,omitempty"`
	Answers map[string]answer          `json:"a,omitempty"`
	Memory  map[string]json.RawMessage `json:"m,omitempty"`
	Handed  string                     `json:"s,omitempty"` // of the explicit form
	Expires int64                      `json:"e"`           // Unix seconds
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
	// basic/patterns/mrtr#error-handling: what is no valid InputResponses object is refused.
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
		a.handed = text
		return nil
	}
	return a.restore(text)
}

// restore opens the state of the rounds before.
func (a *asking) restore(token string) *protocol.Fault {
	server := a.call.session.server
	plain, err := server.keys.Open(seal.State, token, a.call.stateBinding())
	if err != nil {
		return protocol.BadState()
	}
	var s sealedState
	if protocol.Decode(plain, &s) != nil {
		return protocol.BadState()
	}
	a.stateful, a.round, a.handed = true, s.Round, s.Handed
	a.open = make(map[string]string, len(s.Open))
	for name, digest := range s.Open {
		a.open[name] = string(digest)
	}
	if s.Answers != nil {
		a.answers = s.Answers
	}
	if s.Memory != nil {
		a.memory = s.Memory
	}
	if server.options.Spent != nil {
		a.spendID, a.spendBy = seal.Tag(token), time.Unix(s.Expires, 0)
	}
	return nil
}

// spend uses up the state that came with a request, as the last thing before anything runs.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: single use must be enforced on the
// server's side.
func (c *Call) spend() *protocol.Fault {
	a := c.knownAsking()
	if a == nil || a.spendID == "" {
		return nil
	}
	server := c.session.server
	first := false
	_, err := server.protect(c, &c.request, func(context.Context, *Request) (_ Result, err error) {
		first, err = server.options.Spent(c, a.spendID, a.spendBy)
		return nil, err
	})
	switch {
	case err != nil:
		return c.failure("Internal error", fmt.Errorf("looking up whether the state was used: %w", err))
	case !first:
		return protocol.BadState()
	}
	return nil
}

// sealed makes the state of the next round. mu is held.
func (a *asking) sealed() (string, error) {
	server := a.call.session.server
	s := sealedState{
		Round: a.round + 1, Answers: a.answers, Memory: a.memory, Handed: a.handed,
		Open: make(map[string][]byte, len(a.digests)),
		// A second more than the token lives: who remembers used ones must not forget them too early.
		Expires: server.options.Clock().Add(a.life + time.Second).Unix(),
	}
	for name, digest := range a.digests {
		s.Open[name] = []byte(digest)
	}
	plain, err := protocol.Append(nil, s)
	if err != nil {
		return "", err
	}
	token := server.keys.Seal(seal.State, plain, a.call.stateBinding(), a.life)
	if token == "" {
		return "", &AskError{Key: a.largest(), Err: fmt.Errorf(
			"it takes the most of the %d bytes that have to travel with the questions, more than %d; ask for less, or keep a summary with Remember",
			len(plain), seal.State.MaxContent())}
	}
	return token, nil
}

// largest names what takes the most room in the state.
func (a *asking) largest() (largest string) {
	most := -1
	take := func(name string, size int) {
		if size > most || size == most && name < largest {
			largest, most = name, size
		}
	}
	for name, answer := range a.answers {
		take(name, len(answer.Raw))
	}
	for name, raw := range a.memory {
		take(name, len(raw))
	}
	if len(a.handed) > most {
		return "the state of InputRequired"
	}
	return largest
}

// stateBinding is what must be the same again when state comes back: who asked this server
// for what.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: principal, expiry and originating
// request. The caller is bound by its id, because its credential may have been renewed.
func (c *Call) stateBinding() []byte {
	var binding []byte
	for _, part := range []string{c.session.server.name, c.method.Name, c.name, callerOf(c.parent).ID, c.argumentDigest()} {
		binding = binary.AppendUvarint(binding, uint64(len(part)))
		binding = append(binding, part...)
	}
	return binding
}

// argumentDigest is the same for arguments that mean the same. Numbers count as they are
// written: the usual canonical form would round large ones together.
func (c *Call) argumentDigest() string {
	canonical := jsontext.Value(append([]byte(nil), c.arguments...))
	if err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		canonical = c.arguments
	}
	sum := sha256.Sum256(canonical)
	return string(sum[:])
}

// encodeAsked writes a result of type input_required: the questions of this pass.
//
// basic/patterns/mrtr#inputrequiredresult.
func (c *Call) encodeAsked(b *content.Body) error {
	a := c.asking()
	a.mu.Lock()
	defer a.mu.Unlock()
	state := a.handed
	if !c.session.server.options.PlainState {
		var err error
		if state, err = a.sealed(); err != nil {
			return err
		}
	}
	c.begin(b)
	members := protocol.AppendAsked([]byte{'{'}, a.asked, state)[1:] // begin has written the brace
	b.Append(members)
	b.Append(c.stampsBehind(b.AvailableBuffer(), protocol.Stamp{ResultType: protocol.ResultInputRequired}))
	b.AppendString("}}")
	return nil
}
