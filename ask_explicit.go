package mcp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// InputRequest is one request to the client in the explicit form of asking.
type InputRequest struct {
	// Key names the request; it is unique among those of one [InputRequired] and has 1 to 128
	// bytes.
	Key string
	// Method is elicitation/create, sampling/createMessage or roots/list.
	Method string
	// Params is encoded as JSON.
	Params any
}

// FormRequest asks the user to fill in a form: a flat object of primitives.
func FormRequest(key, message string, form *schema.Schema) InputRequest {
	return InputRequest{key, protocol.MethodOf(protocol.ElicitationCreate).Name, formParams{message, form}}
}

// formParams are the parameters of a form.
type formParams struct {
	Message         string         `json:"message"`
	RequestedSchema *schema.Schema `json:"requestedSchema"`
}

// URLRequest asks the user to open a URL; see [AskURL].
func URLRequest(key, message, target string) InputRequest {
	return InputRequest{
		key, protocol.MethodOf(protocol.ElicitationCreate).Name,
		protocol.ElicitParams{Mode: protocol.ElicitModeURL, Message: message, URL: target},
	}
}

// InputRequired is the explicit form of asking, for handlers that keep the rounds apart
// themselves: a handler returns it as its error, and runs again with the answers, which
// [Request.InputResponse] reads, and with state, which [Request.State] reads. At least one of
// the two is needed; state alone makes the client come again. The pass must not have used
// [Ask] or its like. The state is sealed unless [Options.PlainState] is set.
//
// Source: basic/patterns/mrtr.
func InputRequired(state string, requests ...InputRequest) error {
	return &inputRequired{state, requests}
}

type inputRequired struct {
	state    string
	requests []InputRequest
}

func (e *inputRequired) Error() string   { return "mcp: input required" }
func (e *inputRequired) Is(t error) bool { return t == ErrInputRequired }

// explicitOf is the explicit form of asking in an error, or nil.
func explicitOf(err error) *inputRequired {
	e, _ := errors.AsType[*inputRequired](err)
	return e
}

// InputResponse is the client's answer to the request of that key in the last
// [InputRequired], nil when there is none. It should have the form that the specification
// gives it, but nothing in it has been checked.
func (r *Request) InputResponse(key string) json.RawMessage {
	if r.call == nil {
		return nil
	}
	a := r.call.asking()
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.open[key]; a.stateful && !open {
		return nil
	}
	return a.given[key]
}

// State is the state that the handler gave with its last [InputRequired], "" in the first
// round.
func (r *Request) State() string {
	if r.call == nil {
		return ""
	}
	a := r.call.asking()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.handed
}

// Round counts the passes of a handler that asks, from 1. With [Options.PlainState], which
// leaves the count to the client, it is 1.
func (r *Request) Round() int {
	if r.call == nil {
		return 0
	}
	a := r.call.knownAsking()
	if a == nil {
		return 1
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.round + 1
}

// explicit gates what a handler asks for in the explicit form. The first request that cannot
// be sent decides, and then none is.
func (c *Call) explicit(e *inputRequired) ([]*question, error) {
	switch {
	case !c.method.MayAsk:
		return nil, errors.New("questions can be asked by the handlers of tools, resources and prompts only, with the context that they are given")
	case c.asking().usesAsk():
		return nil, errors.New("the handler used both Ask and InputRequired; use one of them")
	case len(e.requests) == 0 && e.state == "":
		// basic/patterns/mrtr#server-requirements-basic-workflow: at least one of the two.
		return nil, errors.New("an InputRequired needs at least one request or a state")
	}
	questions := make([]*question, 0, len(e.requests))
	taken := make(map[string]bool, len(e.requests))
	for _, request := range e.requests {
		q, err := c.explicitQuestion(&request)
		if err == nil && taken[q.key] {
			err = errors.New("the key is used twice; keys are unique within a round")
		}
		if err != nil {
			return nil, err
		}
		taken[q.key] = true
		questions = append(questions, q)
	}
	return questions, nil
}

func (c *Call) explicitQuestion(request *InputRequest) (*question, error) {
	if err := checkKey(request.Key); err != nil {
		return nil, &AskError{Key: request.Key, Err: err}
	}
	q, err := c.rawQuestion(request.Method, request.Params, new(json.RawMessage))
	if err != nil {
		return nil, &protocol.Fault{Code: CodeInternalError, Message: fmt.Sprintf("unsupported input request %q: %v", request.Key, err)}
	}
	if missing := c.meta.Has.Missing(q.needs); missing != 0 {
		return nil, &AskError{Key: request.Key, Err: ErrUnsupported, missing: missing}
	}
	q.path, q.key = request.Key, request.Key
	return q, nil
}

// usesAsk reports whether this pass used Ask or its like.
func (a *asking) usesAsk() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.uses) > 0
}

// recordExplicit records the requests of the explicit form for a modern client.
func (c *Call) recordExplicit(e *inputRequired) error {
	a := c.asking()
	questions, err := c.explicit(e)
	for _, q := range questions {
		var digest string
		if digest, err = q.digest(); err == nil {
			err = a.record(q, digest, nil)
		}
		if !errors.Is(err, ErrInputRequired) {
			err = &AskError{Key: q.key, Err: err}
			break
		}
		err = nil
	}
	if err != nil {
		a.forget()
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.round >= maxRounds {
		return errRounds
	}
	a.interim, a.handed = true, e.state
	return nil
}
