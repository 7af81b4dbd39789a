package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// What came of a question. Each is wrapped in an [AskError] with the question's key.
var (
	// ErrInputRequired: the question is on its way, and the handler will run again with the
	// answer. Return it; what the handler returns is not used.
	ErrInputRequired = errors.New("mcp: input required")
	// ErrDeclined: the user said no.
	ErrDeclined = errors.New("mcp: the user declined to answer")
	// ErrDismissed: the user closed the question without a choice.
	ErrDismissed = errors.New("mcp: the user dismissed the question")
	// ErrUnsupported: this client cannot be asked this. A handler that returns it answers
	// with the capability that is missing.
	ErrUnsupported = errors.New("mcp: the client cannot be asked this")
)

// AskError says what came of one question.
type AskError struct {
	// Key is the question's.
	Key string
	// Err is one of the outcomes above, an [*Error] that the client answered with, the
	// context's error, or what is wrong with the question.
	Err error

	missing protocol.CapabilitySet // what an unsupported question needs
}

// Error names the question and the outcome.
func (e *AskError) Error() string { return fmt.Sprintf("question %q: %v", e.Key, e.Err) }

// Unwrap returns Err.
func (e *AskError) Unwrap() error { return e.Err }

// Ask asks the user to fill in a form and returns what was filled in. T is a struct of
// strings, numbers, booleans and enums, whose tags describe the fields; see package schema.
// message says what is asked and why. It works in the handlers of tools, resources and
// prompts, for clients of every revision that can be asked.
//
// key names the question within the request; its n-th use is a question of its own. An answer
// counts for the question that was asked: when message or T differ, it is asked again.
//
// A modern client is asked by the answer to its request, and the handler runs again from the
// start once the client has sent the answers: then Ask returns at once. So the code before
// the last question runs once a round; use [Remember] for what should not. Questions that are
// asked before the handler returns go out together; join their errors with [errors.Join]. A
// legacy client is asked at once, and Ask waits.
//
// The error is an [*AskError].
//
// Source: client/elicitation, basic/patterns/mrtr.
func Ask[T any](ctx context.Context, key, message string) (T, error) {
	var value T
	err := ask(ctx, key, func(c *Call) (*question, error) {
		form, err := formOf[T](c)
		if err != nil {
			return nil, err
		}
		return formQuestion(c, message, form, &value)
	})
	return value, err
}

// AskForm asks the user to fill in a form whose schema is given, and returns the object that
// was filled in. The schema is a flat object of primitives; otherwise it is like [Ask].
func AskForm(ctx context.Context, key, message string, form *schema.Schema) (json.RawMessage, error) {
	var value json.RawMessage
	err := ask(ctx, key, func(c *Call) (*question, error) {
		compiled, err := form.Compile(schema.CompileOptions{Role: schema.Input})
		if err != nil {
			return nil, err
		}
		return formQuestion(c, message, compiled, &value)
	})
	return value, err
}

// AskURL asks the user to open a URL, for what must not pass through the client: a
// credential, a payment. Nil means that the user agreed to open it, not that what happens
// there is done; see [CompleteURL]. target is absolute, and https unless its host is this
// machine. Otherwise it is like [Ask].
//
// Source: client/elicitation#url-mode-elicitation-requests.
func AskURL(ctx context.Context, key, message, target string) error {
	return ask(ctx, key, func(c *Call) (*question, error) {
		if err := checkTarget(target); err != nil {
			return nil, err
		}
		params := protocol.ElicitParams{Mode: protocol.ElicitModeURL, Message: message, URL: target}
		return &question{
			method: protocol.MethodOf(protocol.ElicitationCreate).Name, needs: protocol.CanElicitURL,
			message: message, params: params, take: takeConsent,
		}, nil
	})
}

// AskRaw sends a request of the client's own methods and returns its result. It is the door
// for packages such as sampling and roots; method is elicitation/create,
// sampling/createMessage or roots/list. params is encoded as JSON. The result has the form
// that the specification gives it; an answer of another form is asked for again. Otherwise it
// is like [Ask].
func AskRaw(ctx context.Context, key, method string, params any) (json.RawMessage, error) {
	var result json.RawMessage
	err := ask(ctx, key, func(*Call) (*question, error) {
		return rawQuestion(method, params, &result)
	})
	return result, err
}

// checkTarget checks where a user is sent.
//
// client/elicitation#safe-url-handling: https outside of development.
func checkTarget(target string) error {
	u, err := url.Parse(target)
	switch {
	case err != nil || !u.IsAbs() || u.Host == "":
		return fmt.Errorf("the URL %.80q is not absolute; use https://host/path", target)
	case u.User != nil:
		return errors.New("the URL holds credentials; leave them out")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	}
	return fmt.Errorf("the URL %.80q is not https; only a loopback host may be http", target)
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// ask asks the question that build makes. It is the one way to a client.
func ask(ctx context.Context, key string, build func(c *Call) (*question, error)) error {
	c := callFrom(ctx)
	if c == nil || c.method == nil || !c.method.MayAsk {
		return &AskError{Key: key, Err: errors.New("questions can be asked by the handlers of tools, resources and prompts only")}
	}
	a := c.asking()
	name, err := a.name(ctx, key)
	if err != nil {
		return &AskError{Key: key, Err: err}
	}
	q, err := build(c)
	if err != nil {
		return &AskError{Key: name, Err: err}
	}
	q.key = name
	if missing := c.meta.Has.Missing(q.needs); missing != 0 {
		return &AskError{Key: name, Err: ErrUnsupported, missing: q.needs}
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
