package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// bridge asks a legacy client: it sends a request on the stream of the call and waits.
//
// 2025-11-25/basic/transports#sending-messages-to-the-server: requests of the server relate
// to the client's request whose stream they come on.
type bridge struct{ call *Call }

// maxAttempts is how often a legacy client is asked for an answer that can be used.
const maxAttempts = 3

func (b bridge) ask(ctx context.Context, q *question) error {
	c := b.call
	if !c.canAsk() {
		return ErrUnsupported
	}
	if err := c.awaitInitialized(ctx); err != nil {
		return err
	}
	var correction error
	for range maxAttempts {
		wire, err := q.wire(correction)
		if err != nil {
			return err
		}
		if wire.Params, err = b.identified(q, wire.Params); err != nil {
			return err
		}
		answer, err := c.exchange(ctx, &wire)
		if err != nil {
			return err
		}
		err = q.take(answer)
		invalid, again := errors.AsType[*invalidAnswer](err)
		if !again {
			return err
		}
		correction = invalid.err
	}
	return fmt.Errorf("%d answers could not be used, the last because: %w", maxAttempts, correction)
}

// canAsk reports whether the call's stream can carry a request to its client, whose answer
// finds its way back.
func (c *Call) canAsk() bool {
	if c.client == nil {
		return false
	}
	stream, limited := c.sink.(interface{ CanAsk() bool })
	return !limited || stream.CanAsk()
}

// awaitInitialized waits until the client can be asked.
//
// 2025-11-25/basic/lifecycle#initialization: no requests before notifications/initialized.
func (c *Call) awaitInitialized(ctx context.Context) error {
	if c.client.readied == nil {
		return nil
	}
	select {
	case <-c.client.readied:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// identified gives a URL question the id that its revision wants, by which it can be reported
// complete.
func (b bridge) identified(q *question, params json.RawMessage) (json.RawMessage, error) {
	if q.needs != protocol.CanElicitURL || !b.call.revision.ElicitID {
		return params, nil
	}
	var elicit protocol.ElicitParams
	if err := protocol.Decode(params, &elicit); err != nil {
		return nil, err
	}
	elicit.ElicitationID = rand.Text()
	a := b.call.asking()
	a.mu.Lock()
	if a.urls == nil {
		a.urls = map[string]string{}
	}
	a.urls[q.key] = elicit.ElicitationID
	a.mu.Unlock()
	return protocol.Append(nil, elicit)
}

// exchange sends one request and waits for its answer. The answer comes through the hub,
// under a key that only this client can reach.
func (c *Call) exchange(ctx context.Context, wire *protocol.InputQuestion) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, askLife)
	defer cancel()
	id := jsonrpc.IDFromText(`"ask-` + rand.Text() + `"`)
	arrived := make(chan struct{}, 1)
	wake := func() {
		select {
		case arrived <- struct{}{}:
		default:
		}
	}
	server := c.session.server
	answers, err := server.published.Subscribe([]hub.Topic{{Kind: hub.AskAnswered, Key: askKey(c, id)}}, wake)
	if err != nil {
		return nil, err
	}
	defer answers.Close()
	if !c.notify(func(dst []byte) []byte { return jsonrpc.AppendRequest(dst, id, wire.Method, wire.Params) }) {
		return nil, context.Canceled
	}
	select {
	case <-arrived:
	case <-ctx.Done():
		c.withdraw(id)
		return nil, ctx.Err()
	}
	for _, event := range answers.Take(nil) {
		return openAnswer(event.Payload)
	}
	return nil, errors.New("the answer was lost")
}

// withdraw tells the client that a question needs no answer any more, whatever has become of
// the call.
func (c *Call) withdraw(id jsonrpc.ID) {
	params := protocol.CancelledParams{RequestID: []byte(id.Text()), Reason: "no answer is needed any more"}
	message := jsonrpc.AppendNotification(nil, protocol.MethodOf(protocol.Cancelled).Name, params.AppendTo(nil))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != answered {
		_ = c.sink.Notify(message) // a client that is gone needs no word
	}
}

func askKey(c *Call, id jsonrpc.ID) string { return c.clientKey() + "/" + id.Text() }

// answered takes a client's answer to a request of ours. One that nobody waits for is ignored.
func (s *Session) answeredBy(c *Call) {
	key := askKey(c, c.msg.ID)
	if c.msg.ID.IsZero() || len(key) > hub.MaxKey {
		return
	}
	s.server.published.Publish(hub.Event{Kind: hub.AskAnswered, Key: key, Payload: closeAnswer(c.msg)})
}

// closeAnswer is an answer as one value that outlives its message: a result behind 'r', or an
// error object behind 'e'.
func closeAnswer(m *jsonrpc.Message) []byte {
	if m.Error == nil {
		return append([]byte{'r'}, m.Result...)
	}
	e := wireFault{m.Error.Code, m.Error.Message, m.Error.Data}
	payload, err := protocol.Append([]byte{'e'}, e)
	if err != nil {
		return []byte("e{}")
	}
	return payload
}

type wireFault struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitzero"`
}

// userRejected is the code of a client whose user refused a sampling request.
//
// 2025-11-25/client/sampling#error-handling: user rejected sampling request, -1.
const userRejected = -1

func openAnswer(payload []byte) (json.RawMessage, error) {
	if payload[0] == 'r' {
		return payload[1:], nil
	}
	var e wireFault
	if err := protocol.Decode(payload[1:], &e); err != nil {
		return nil, err
	}
	if e.Code == userRejected {
		return nil, ErrDeclined
	}
	answer := &Error{Code: e.Code, Message: e.Message}
	if e.Data != nil {
		answer.Data = e.Data
	}
	return nil, &clientError{answer}
}

// clientError is an error that the client answered with. It is not the error of the request
// in hand, so it does not become that by itself.
type clientError struct{ answer *Error }

func (e *clientError) Error() string { return "the client answered: " + e.answer.Message }

// CompleteURL tells the client that what the user was sent to do with the question of that
// key is done, where the revision has such a notification; elsewhere it is a no-op.
//
// Source: 2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation.
func CompleteURL(ctx context.Context, key string) {
	c := callFrom(ctx)
	if c == nil {
		return
	}
	a := c.asking()
	a.mu.Lock()
	id := a.urls[key]
	a.mu.Unlock()
	if id == "" {
		return
	}
	c.notify(func(dst []byte) []byte {
		params, err := protocol.Append(nil, protocol.ElicitationCompleteParams{ElicitationID: id})
		if err != nil {
			return nil
		}
		return jsonrpc.AppendNotification(dst, protocol.MethodOf(protocol.ElicitationComplete).Name, params)
	})
}
