package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

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
		return fmt.Errorf("%w: requests of the server do not reach it", ErrUnsupported)
	}
	var correction error
	for range maxAttempts {
		wire, err := q.wire(correction, b.elicitationID(q))
		if err != nil {
			return err
		}
		answer, err := b.patiently(ctx, &wire)
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

// patiently sends a question as soon as the client can be asked, and waits for the answer as
// long as a client has for it.
func (b bridge) patiently(ctx context.Context, wire *protocol.InputQuestion) ([]byte, error) {
	life := b.call.asking().patience()
	limited, cancel := context.WithTimeout(ctx, life)
	defer cancel()
	err := b.call.awaitInitialized(limited)
	var answer []byte
	if err == nil {
		answer, err = b.call.exchange(limited, wire)
	}
	if err != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, fmt.Errorf("the client did not answer within %s: %w", life, err)
	}
	return answer, err
}

// patience is how long the client may take.
func (a *asking) patience() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.life
}

// canAsk reports whether the call's stream can carry a request to its client, whose answer
// finds its way back. A sink that cannot carry one says so.
func (c *Call) canAsk() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client != nil && c.msg != nil && carriesRequests(c.sink)
}

func carriesRequests(s Sink) bool {
	stream, says := s.(interface{ CanAsk() bool })
	return !says || stream.CanAsk()
}

// awaitInitialized waits until the client can be asked. A client of a shared session counts
// as initialized, because its token does not tell, and its word may have gone to a replica.
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

// exchange sends one request and waits for its answer. The answer comes through the hub,
// under a key that only this client can reach.
func (c *Call) exchange(ctx context.Context, wire *protocol.InputQuestion) ([]byte, error) {
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

// withdraw tells the client that a question needs no answer any more, even when the call is
// void, because the client cancelled it.
//
// 2025-11-25/basic/utilities/cancellation#cancellation-flow: a request that is given up is
// cancelled.
func (c *Call) withdraw(id jsonrpc.ID) {
	params := protocol.CancelledParams{RequestID: []byte(id.Text()), Reason: "no answer is needed any more"}
	message := jsonrpc.AppendNotification(nil, protocol.MethodOf(protocol.Cancelled).Name, params.AppendTo(nil))
	c.mu.Lock()
	defer c.mu.Unlock()
	served := c.msg == nil // and the sink, to which a goroutine of the handler may have come late, is somebody else's
	if !served && c.state.Load() != answered {
		_ = c.sink.Notify(message) // a client that is gone needs no word
	}
}

// askKey is what the answer to a question goes under: it must come from the client that was
// asked, on the connection or in the session that it was asked on.
func askKey(c *Call, id jsonrpc.ID) string {
	return c.session.nonce() + c.clientKey() + "/" + id.Text()
}

// answeredBy takes a client's answer to a request of ours. One that nobody waits for is
// ignored.
func (s *Session) answeredBy(c *Call) {
	key := askKey(c, c.msg.ID)
	if c.msg.ID.IsZero() || len(key) > hub.MaxKey {
		return
	}
	s.server.published.Publish(hub.Event{Kind: hub.AskAnswered, Key: key, Payload: closeAnswer(c.msg)})
}
