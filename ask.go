package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bowline-go/mcp/schema"
)

// Ask asks the user to fill in a form and returns what was filled in. T is a struct of
// strings, numbers, booleans and enums, whose tags describe the fields; see package schema.
// message says what is asked and why. It works in the handlers of tools, resources and
// prompts, for clients of every revision that can be asked.
//
// key names the question within the request; it has 1 to 128 bytes, and its n-th use is a
// question of its own. An answer counts for the question that was asked: when message or T
// differ, it is asked again. An answer that does not fit T is asked for again, too.
//
// A modern client is asked by the answer to its request, and the handler runs again from the
// start once the client has sent the answers: then Ask returns at once. So the code before
// the last question runs once a round; use [Remember] for what should not. Questions that are
// asked before the handler returns go out together; join their errors with [errors.Join]. A
// legacy client is asked at once, and Ask waits.
//
// The error is an [*AskError], and the value is then zero. A request asks at most 32 questions
// in 16 rounds.
//
// Source: client/elicitation, basic/patterns/mrtr.
func Ask[T any](ctx context.Context, key, message string) (T, error) {
	var value T
	err := ask(ctx, key, func(c *Call) (*question, error) {
		f, err := formOf[T](c)
		if err != nil {
			return nil, err
		}
		return f.question(message, func(filled []byte) error { return f.schema.Decode(filled, &value) }), nil
	})
	if err != nil {
		var none T // an answer that does not fit may have filled half of value
		return none, err
	}
	return value, nil
}

// AskForm asks the user to fill in a form whose schema is given, and returns the object that
// was filled in. The schema is a flat object of primitives; otherwise it is like [Ask].
func AskForm(ctx context.Context, key, message string, form *schema.Schema) (json.RawMessage, error) {
	var value json.RawMessage
	err := ask(ctx, key, func(c *Call) (*question, error) {
		f, err := newForm(form, c.formDialect())
		if err != nil {
			return nil, err
		}
		return f.question(message, func(filled []byte) (err error) {
			value, err = f.schema.Complete(filled)
			return err
		}), nil
	})
	if err != nil {
		return nil, err
	}
	return value, nil
}

// AskURL asks the user to open a URL, for what must not pass through the client: a
// credential, a payment. Nil means that the user agreed to open it, not that what happens
// there is done; see [CompleteURL]. target is absolute, and https unless its host is this
// machine. Otherwise it is like [Ask].
//
// Source: client/elicitation#url-mode-elicitation-requests.
func AskURL(ctx context.Context, key, message, target string) error {
	return ask(ctx, key, func(*Call) (*question, error) { return urlQuestion(message, target) })
}

// AskRaw sends a request of the client's own methods and returns its result. It is the door
// for packages such as sampling and roots; method is elicitation/create,
// sampling/createMessage or roots/list. params is encoded as JSON. The result has the form
// that the specification gives it; an answer of another form is asked for again. Otherwise it
// is like [Ask].
func AskRaw(ctx context.Context, key, method string, params any) (json.RawMessage, error) {
	var result json.RawMessage
	err := ask(ctx, key, func(c *Call) (*question, error) { return c.rawQuestion(method, params, &result) })
	return result, err
}

// ask asks the question that build makes. It is the one way to a client.
func ask(ctx context.Context, key string, build func(c *Call) (*question, error)) error {
	c := callFrom(ctx)
	if c == nil || c.method == nil || !c.method.MayAsk {
		return &AskError{Key: key, Err: errors.New("questions can be asked by the handlers of tools, resources and prompts only, with the context that they are given")}
	}
	a := c.asking()
	path, name, err := a.name(ctx, key)
	if err != nil {
		return &AskError{Key: key, Err: err}
	}
	q, err := build(c)
	if err != nil {
		return &AskError{Key: name, Err: err}
	}
	q.path, q.key = path, name
	// basic/patterns/mrtr#server-requirements-basic-workflow: nothing goes out that the client did not declare.
	if missing := c.meta.Has.Missing(q.needs); missing != 0 {
		return &AskError{Key: name, Err: ErrUnsupported, missing: missing}
	}
	if c.session.server.options.PlainState && c.revision.InputRequired {
		return &AskError{Key: name, Err: errors.New("Ask needs sealed state; unset Options.PlainState, or use InputRequired")}
	}
	if err := c.peer().ask(ctx, q); err != nil {
		return &AskError{Key: name, Err: err}
	}
	return nil
}

// peer is how a call talks to its client. There are two: one that the handler is run again
// for, and one that waits.
type peer interface {
	ask(ctx context.Context, q *question) error
}

func (c *Call) peer() peer {
	if c.revision.InputRequired {
		return c.asking()
	}
	return bridge{c}
}
