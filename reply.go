package mcp

import (
	"encoding/json"
	"errors"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// answer sends what the handler returned.
func (c *Call) answer(result Result, err error) {
	r := c.session.server.borrow()
	defer c.session.server.give(r)
	c.send(r, c.encodeOutcome(r, result, err))
}

// encodeOutcome writes what the handler returned, and returns the fault in it if it is one. Its
// values and errors have methods of the program's own, such as the MarshalJSON of a value or the
// Error of a nil pointer: a panic in one of them is a panic of the handler.
func (c *Call) encodeOutcome(r *Reply, result Result, err error) (fault *protocol.Fault) {
	defer func() {
		if p := recover(); p != nil {
			r.clear()
			fault = c.encodeFailure(r, c.session.server.panicked(c, &c.request, p))
		}
	}()
	if c.hasAsked(err) {
		err = c.encodeAsked(&r.body)
	} else if err == nil {
		err = c.encode(r, result)
	}
	if err != nil {
		r.clear()
		return c.encodeFailure(r, err)
	}
	return nil
}

// hasAsked reports a pass that recorded a question, and so has no result: whatever the
// handler returned, the client is asked first. Only a panic comes before, and the error of a
// question that cannot be asked.
func (c *Call) hasAsked(err error) bool {
	return c.knownAsking().isInterim() && !isIncident(err) && !cannotAsk(err)
}

// refuseWith sends a fault that the library found by itself.
func (c *Call) refuseWith(fault *protocol.Fault) {
	r := c.session.server.borrow()
	defer c.session.server.give(r)
	c.encodeFault(r, fault)
	c.send(r, fault)
}

// send is the one door through which every answer leaves.
func (c *Call) send(r *Reply, fault *protocol.Fault) {
	r.Status = protocol.Status(c.revision, fault)
	if fault != nil {
		r.Err, r.Refused, r.RetryAfter = publicError(fault), fault.Refused, fault.RetryAfter
	} else {
		r.SessionToken = c.token
	}
	c.deliver(r)
}

// deliver hands an answer to the sink, unless the call is void or has been answered.
func (c *Call) deliver(r *Reply) {
	if !c.state.CompareAndSwap(running, answered) {
		return
	}
	c.awaitNotification()
	c.sink.Reply(r)
}

// awaitNotification waits for a notification that is being sent. None begins any more: the call
// is answered.
func (c *Call) awaitNotification() {
	c.mu.Lock()
	defer c.mu.Unlock()
}

// encode writes a result in the dialect of the call's revision. An error leaves nothing that
// counts in r.
func (c *Call) encode(r *Reply, result Result) error {
	switch result := result.(type) {
	case *encoded:
		r.head, r.shared = jsonrpc.AppendResultPrefix(r.head, c.id), result.text
		return nil
	case *ToolResult:
		if c.method.ID == protocol.ToolsCall && result != nil {
			return c.encodeTool(&r.body, result)
		}
	case *ReadResult:
		r.breaksOff = c.breaksOff()
		if c.method.ID == protocol.ResourcesRead && result != nil {
			return c.encodeRead(&r.body, result)
		}
	case *PromptResult:
		if c.method.ID == protocol.PromptsGet && result != nil {
			return c.encodePrompt(&r.body, result)
		}
	case *completionResult:
		if c.method.ID == protocol.CompletionComplete {
			c.encodeCompletion(&r.body, result)
			return nil
		}
	case subscriptionEnd:
		c.encodeEmpty(&r.body, protocol.AppendSubscriptionMeta(nil, c.id))
		return nil
	case emptyResult:
		c.encodeEmpty(&r.body, nil)
		return nil
	}
	return errors.New("middleware returned no result of the method's kind")
}

// encodeFailure writes the answer to an error: an in-band result for a tool, which a model
// can read, else a JSON-RPC error, whose fault it returns.
func (c *Call) encodeFailure(r *Reply, err error) *protocol.Fault {
	what := "Internal error"
	switch c.method.ID {
	case protocol.ToolsCall:
		if fault := c.protocolFault(err); fault != nil {
			c.encodeFault(r, fault)
			return fault
		}
		c.encodeToolFailure(&r.body, err)
		return nil
	case protocol.PromptsGet:
		what = "Prompt handler failed"
		if argument, ok := errors.AsType[*argumentError](err); ok {
			err = protocol.BadArguments(argument.Error())
		}
	case protocol.ResourcesRead:
		if errors.Is(err, ErrNotFound) {
			err = c.notFound(err)
		}
	}
	fault := c.failure(what, err)
	c.encodeFault(r, fault)
	return fault
}

func (c *Call) notFound(err error) error {
	uri := c.name
	if other, ok := errors.AsType[*notFoundError](err); ok {
		uri = other.uri
	}
	return protocol.ResourceNotFound(c.revision, uri)
}

func (c *Call) encodeFault(r *Reply, fault *protocol.Fault) {
	r.body.Append(jsonrpc.AppendError(r.body.AvailableBuffer(), c.id, fault.Object()))
}

// wireError is an Error as the protocol layer has it. Data that is not encodable is left out.
func wireError(e *Error, refused bool) *protocol.Fault {
	fault := &protocol.Fault{Code: e.Code, Message: e.Message, Refused: refused, RetryAfter: e.retryAfter}
	if e.Data != nil {
		if data, err := jsonv2.Marshal(e.Data, jsonv2.Deterministic(true)); err == nil {
			fault.Data = data
		}
	}
	return fault
}

// publicError is a fault as transports and embedders see it.
func publicError(fault *protocol.Fault) *Error {
	e := &Error{Code: fault.Code, Message: fault.Message, retryAfter: fault.RetryAfter}
	if fault.Data != nil {
		e.Data = json.RawMessage(fault.Data)
	}
	return e
}

// encoded is a result that was encoded once for many requests, together with the '}' that ends its
// message.
type encoded struct{ text []byte }

// emptyResult is success without data.
type emptyResult struct{}

func (*encoded) result()    {}
func (emptyResult) result() {}
