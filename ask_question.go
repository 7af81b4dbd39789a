package mcp

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// question is one request to the client.
type question struct {
	key     string
	method  string
	needs   protocol.CapabilitySet
	message string // what a person reads; "" when there is nothing to add a correction to
	params  any
	// take checks an answer and keeps its value. The error says what is wrong with it, or is
	// an outcome.
	take func(answer []byte) error
}

// invalidAnswer is an answer that is asked for again.
type invalidAnswer struct{ err error }

func (e *invalidAnswer) Error() string { return e.err.Error() }

// digest tells whether a question is the one that an answer was given to.
func (q *question) digest() (string, error) {
	params, err := jsonv2.Marshal(q.params, jsonv2.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("encoding the question: %w", err)
	}
	sum := sha256.Sum256(append([]byte(q.method+"\n"), params...))
	return string(sum[:12]), nil
}

// wire is the question as it travels. correction says what was wrong with an earlier answer.
func (q *question) wire(correction error) (protocol.InputQuestion, error) {
	params := q.params
	if elicit, form := params.(protocol.ElicitParams); form && correction != nil {
		elicit.Message = fmt.Sprintf("%s\n\nThe last answer could not be used: %v", q.message, correction)
		params = elicit
	}
	raw, err := jsonv2.Marshal(params, jsonv2.Deterministic(true))
	if err != nil {
		return protocol.InputQuestion{}, fmt.Errorf("encoding the question: %w", err)
	}
	return protocol.InputQuestion{Key: q.key, InputRequest: protocol.InputRequest{Method: q.method, Params: raw}}, nil
}

// formOf is the compiled schema of a struct. It is compiled once a server and type.
func formOf[T any](c *Call) (*schema.Compiled, error) {
	typ := reflect.TypeFor[T]()
	forms := &c.session.server.forms
	if ready, ok := forms.Load(typ); ok {
		return ready.(*schema.Compiled), nil
	}
	compiled, err := schema.Of(typ).Compile(schema.CompileOptions{Role: schema.Input})
	if err != nil {
		return nil, err
	}
	forms.Store(typ, compiled)
	return compiled, nil
}

// formQuestion asks for a form in the dialect of the client. into gets what was filled in.
func formQuestion(c *Call, message string, form *schema.Compiled, into any) (*question, error) {
	r := c.revision
	text, err := form.Form(schema.FormDialect{Titled: r.ElicitEnums, Multi: r.ElicitEnums, Defaults: r.ElicitDefaults})
	if err != nil {
		return nil, err
	}
	// The answer is held against what was published, which is open: clients may add fields.
	published, err := schema.Raw(text).Compile(schema.CompileOptions{Role: schema.Input})
	if err != nil {
		return nil, err
	}
	return &question{
		method: protocol.MethodOf(protocol.ElicitationCreate).Name, needs: protocol.CanElicitForm,
		message: message, params: protocol.ElicitParams{Message: message, RequestedSchema: text},
		take: func(answer []byte) error {
			result, err := takeAction(answer)
			if err != nil {
				return err
			}
			filled := []byte(result.Content)
			if filled == nil {
				filled = []byte("{}")
			}
			if raw, ok := into.(*json.RawMessage); ok {
				*raw, err = published.Complete(filled)
			} else {
				err = published.Decode(filled, into)
			}
			if err != nil {
				return &invalidAnswer{err}
			}
			return nil
		},
	}, nil
}

// takeAction reads what the user did.
//
// client/elicitation#response-actions.
func takeAction(answer []byte) (result protocol.ElicitResult, err error) {
	if err := protocol.Decode(answer, &result); err != nil {
		return result, &invalidAnswer{errors.New("expected an object with an action")}
	}
	switch result.Action {
	case protocol.ActionAccept:
		return result, nil
	case protocol.ActionDecline:
		return result, ErrDeclined
	case protocol.ActionCancel:
		return result, ErrDismissed
	}
	return result, &invalidAnswer{fmt.Errorf("unknown action %.40q; expected accept, decline or cancel", result.Action)}
}

func takeConsent(answer []byte) error {
	_, err := takeAction(answer)
	return err
}

// rawQuestion is a question by method. result gets the whole answer.
func rawQuestion(method string, params any, result *json.RawMessage) (*question, error) {
	raw, err := jsonv2.Marshal(params, jsonv2.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encoding the parameters: %w", err)
	}
	if string(raw) == "null" {
		raw = []byte("{}")
	}
	needs, check, err := protocol.Question(method, raw)
	if err != nil {
		return nil, err
	}
	return &question{
		method: method, needs: needs, params: json.RawMessage(raw),
		take: func(answer []byte) error {
			if err := check(answer); err != nil {
				return &invalidAnswer{err}
			}
			*result = answer
			return nil
		},
	}, nil
}
