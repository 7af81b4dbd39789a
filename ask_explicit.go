package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// InputRequest is one request to the client in the explicit form of asking.
type InputRequest struct {
	// Key names the request; it is unique among those of one [InputRequired].
	Key string
	// Method is elicitation/create, sampling/createMessage or roots/list.
	Method string
	// Params is encoded as JSON.
	Params any
}

// explicitOf is the explicit form of asking in an error, or nil.
func explicitOf(err error) *inputRequired {
	e, _ := errors.AsType[*inputRequired](err)
	return e
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

// URLRequest asks the user to open a URL.
func URLRequest(key, message, target string) InputRequest {
	return InputRequest{key, protocol.MethodOf(protocol.ElicitationCreate).Name,
		protocol.ElicitParams{Mode: protocol.ElicitModeURL, Message: message, URL: target}}
}

// InputRequired is the explicit form of asking, for handlers that keep the rounds apart
// themselves: a handler returns it as its error, and runs again with the answers, which
// [Request.InputResponse] reads, and with state, which [Request.State] reads. At least one of
// the two is needed; state alone makes the client come again. The handler must not have used
// [Ask]. The state is sealed unless [Options.PlainState] is set.
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

// InputResponse is the client's answer to the request of that key, nil when there is none.
// Its form is the specification's, but nothing in it has been checked.
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
	return a.state
}

// Round counts the passes of a handler that asks, from 1.
func (r *Request) Round() int {
	if r.call == nil {
		return 0
	}
	r.call.mu.Lock()
	a := r.call.asks
	r.call.mu.Unlock()
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
		return nil, errors.New("questions can be asked by the handlers of tools, resources and prompts only")
	case c.asking().asks():
		return nil, errors.New("the handler used both Ask and InputRequired; use one of them")
	case len(e.requests) == 0 && e.state == "":
		return nil, errNothingAsked
	}
	questions := make([]*question, 0, len(e.requests))
	for _, request := range e.requests {
		q, err := rawQuestion(request.Method, request.Params, new(json.RawMessage))
		if err != nil {
			return nil, &protocol.Fault{Code: CodeInternalError, Message: "unsupported input request " + request.Key + ": " + err.Error()}
		}
		q.key = request.Key
		if missing := c.meta.Has.Missing(q.needs); missing != 0 {
			return nil, &AskError{Key: q.key, Err: ErrUnsupported, missing: q.needs}
		}
		questions = append(questions, q)
	}
	return questions, nil
}

// recordExplicit records the requests of the explicit form for a modern client.
func (c *Call) recordExplicit(e *inputRequired) error {
	questions, err := c.explicit(e)
	if err != nil {
		return err
	}
	a := c.asking()
	for _, q := range questions {
		digest, err := q.digest()
		if err == nil {
			err = a.record(q, digest, nil)
		}
		if !errors.Is(err, ErrInputRequired) {
			return &AskError{Key: q.key, Err: err}
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.state = e.state
	return nil
}

// bridgeExplicit asks a legacy client what a handler asks for in the explicit form, so that
// the handler can run again.
func (c *Call) bridgeExplicit(ctx context.Context, e *inputRequired) error {
	questions, err := c.explicit(e)
	if err != nil {
		return err
	}
	given := make(map[string]json.RawMessage, len(questions))
	for _, q := range questions {
		take := q.take
		q.take = func(answer []byte) error {
			given[q.key] = answer
			return take(answer)
		}
		if err := (bridge{c}).ask(ctx, q); err != nil {
			return &AskError{Key: q.key, Err: err}
		}
	}
	a := c.asking()
	a.nextPass()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.round >= maxRounds {
		return errors.New("more than 16 rounds of questions; ask for more at a time")
	}
	a.given, a.state, a.retry = given, e.state, true
	return nil
}
