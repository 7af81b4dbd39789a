package mcp

import (
	"context"
	"errors"
	"strconv"

	"github.com/bowline-go/mcp/internal/protocol"
)

// incidentError is a failure whose details only the operator sees.
type incidentError struct{ ref string }

func (e *incidentError) Error() string { return "(ref " + e.ref + ")" }

func isIncident(err error) bool {
	_, incident := errors.AsType[*incidentError](err)
	return incident
}

// argumentError is what is wrong with the arguments of a call. It is never redacted: it says
// nothing but what the client sent and what the schema, which the client has, expects.
type argumentError struct{ err error }

func (e *argumentError) Error() string { return e.err.Error() }
func (e *argumentError) Unwrap() error { return e.err }

// incident logs what a client must not see under a reference that it may.
func (s *Server) incident(ctx context.Context, what string, req *Request, details ...any) (ref string) {
	ref = "mcp-err-" + strconv.FormatUint(s.incidents.Add(1), 10)
	args := append([]any{"ref", ref, "method", req.Method(), "name", req.Name()}, details...)
	req.call.session.logger.ErrorContext(ctx, what, args...)
	return ref
}

// publicText is what the client sees of an error: its text, or in place of what is hidden a
// reference, such as "(ref mcp-err-7)".
func (c *Call) publicText(err error) (text string, hidden bool) {
	if incident, ok := errors.AsType[*incidentError](err); ok {
		return incident.Error(), true
	}
	_, argument := errors.AsType[*argumentError](err)
	_, user := errors.AsType[*userError](err)
	if argument || user || isOutcome(err) || !c.session.server.options.RedactErrors {
		return err.Error(), false
	}
	return (&incidentError{c.session.server.incident(c, "error", &c.request, "error", err.Error())}).Error(), true
}

// failure is the JSON-RPC error for an error that has no other channel; what says what failed.
func (c *Call) failure(what string, err error) *protocol.Fault {
	if fault := c.protocolFault(err); fault != nil {
		return fault
	}
	text, hidden := c.publicText(err)
	separator := ": "
	if hidden {
		separator = " "
	}
	return &protocol.Fault{Code: CodeInternalError, Message: what + separator + text}
}

// protocolFault is the JSON-RPC error that an error stands for, or nil.
func (c *Call) protocolFault(err error) *protocol.Fault {
	if missing := undeclared(err); missing != 0 && c.revision.Modern && !c.hasNotified() {
		return protocol.MissingCapability(c.method.Name+" "+c.name, missing, c.meta.Has)
	}
	if fault, ok := errors.AsType[*protocol.Fault](err); ok {
		return fault
	}
	if deliberate, ok := errors.AsType[*Error](err); ok && !deliberate.foreign {
		return c.deliberate(deliberate)
	}
	return nil
}

// deliberate sends an Error of a handler, but not under a code that is not its to send.
//
// basic/index#error-codes: codes that the specification defines have one meaning each.
func (c *Call) deliberate(e *Error) *protocol.Fault {
	fault := wireError(e, false)
	if protocol.Reserved(fault.Code) {
		c.session.logger.ErrorContext(c, "a handler used a reserved error code; sent as an internal error",
			"code", fault.Code, "method", c.request.Method(), "name", c.request.Name())
		fault.Code = CodeInternalError
	}
	return fault
}
