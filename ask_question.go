package mcp

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// question is one request to the client.
type question struct {
	path   string // the key, and what it was asked within
	key    string // its name within the request: path, with the number of its use from the second on
	method string
	needs  protocol.CapabilitySet
	params any // of an elicitation: a protocol.ElicitParams
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

// wire is the question as it travels. correction says what was wrong with an earlier answer;
// id is that of a URL question, "" for none.
func (q *question) wire(correction error, id string) (protocol.InputQuestion, error) {
	params := q.params
	if elicit, ok := params.(protocol.ElicitParams); ok {
		if correction != nil {
			elicit.Message = fmt.Sprintf("%s\n\nThe last answer could not be used: %v", elicit.Message, correction)
		}
		elicit.ElicitationID = id
		params = elicit
	}
	raw, err := jsonv2.Marshal(params, jsonv2.Deterministic(true))
	if err != nil {
		return protocol.InputQuestion{}, fmt.Errorf("encoding the question: %w", err)
	}
	return protocol.InputQuestion{Key: q.key, InputRequest: protocol.InputRequest{Method: q.method, Params: raw}}, nil
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

// urlQuestion asks the user to open a URL.
func urlQuestion(message, target string) (*question, error) {
	if err := checkTarget(target); err != nil {
		return nil, err
	}
	return &question{
		method: protocol.MethodOf(protocol.ElicitationCreate).Name, needs: protocol.CanElicitURL,
		params: protocol.ElicitParams{Mode: protocol.ElicitModeURL, Message: message, URL: target},
		take: func(answer []byte) error {
			_, err := takeAction(answer)
			return err
		},
	}, nil
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
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// rawQuestion is a question by method. result gets the whole answer, whatever the user did.
func (c *Call) rawQuestion(method string, params any, result *json.RawMessage) (*question, error) {
	raw, err := jsonv2.Marshal(params, jsonv2.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encoding the parameters: %w", err)
	}
	if string(raw) == "null" {
		raw = []byte("{}")
	}
	needs, check, err := protocol.Question(c.revision, method, raw)
	if err != nil {
		return nil, err
	}
	q := &question{method: method, needs: needs, params: json.RawMessage(raw)}
	fill := func([]byte) error { return nil }
	if needs&(protocol.CanElicitForm|protocol.CanElicitURL) != 0 {
		if q, fill, err = c.rawElicitation(raw); err != nil {
			return nil, err
		}
	}
	q.take = func(answer []byte) error {
		if err := check(answer); err != nil {
			return &invalidAnswer{err}
		}
		if err := fill(answer); err != nil {
			return err
		}
		*result = answer
		return nil
	}
	return q, nil
}

// rawElicitation holds the parameters of an elicitation to the same rules as those of [Ask]
// and [AskURL]. fill checks what was filled in.
func (c *Call) rawElicitation(raw []byte) (q *question, fill func(answer []byte) error, err error) {
	var elicit protocol.ElicitParams
	if err := protocol.Decode(raw, &elicit); err != nil {
		return nil, nil, err
	}
	if elicit.Mode == protocol.ElicitModeURL {
		q, err = urlQuestion(elicit.Message, elicit.URL)
		return q, func([]byte) error { return nil }, err
	}
	f, err := newForm(schema.Raw(elicit.RequestedSchema), c.formDialect())
	if err != nil {
		return nil, nil, err
	}
	q = f.question(elicit.Message, f.schema.Validate)
	took := q.take
	return q, func(answer []byte) error {
		if err := took(answer); !errors.Is(err, ErrDeclined) && !errors.Is(err, ErrDismissed) {
			return err
		}
		return nil
	}, nil
}
