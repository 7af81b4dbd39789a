package protocol

import (
	"strconv"
	"time"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// UnknownTool is the answer to a call of a tool that does not exist.
//
// server/tools#error-handling: an unknown tool is a protocol error, invalid params.
func UnknownTool(name string) *Fault {
	return answered(CodeInvalidParams, "unknown tool: "+clipped(name))
}

// UnknownPrompt is the answer to a get of a prompt that does not exist.
//
// server/prompts#error-handling: an invalid prompt name is invalid params.
func UnknownPrompt(name string) *Fault {
	return answered(CodeInvalidParams, "unknown prompt: "+clipped(name))
}

// BadArguments is the answer to arguments of a prompt that its schema refuses; what says why.
//
// server/prompts#error-handling: missing or wrong arguments are invalid params.
func BadArguments(what string) *Fault {
	return answered(CodeInvalidParams, "invalid params: "+what)
}

// UnknownReference is the answer to a completion for something that does not exist; what says which, such as `prompt "x"`.
func UnknownReference(what string) *Fault {
	return answered(CodeInvalidParams, "invalid params: nothing to complete: unknown "+clipped(what))
}

// BadCursor is the answer to a cursor that this server did not mint for that list, or no longer honours.
//
// server/utilities/pagination#error-handling: invalid cursors should be invalid params.
func BadCursor() *Fault {
	return answered(CodeInvalidParams, "invalid params: invalid or stale cursor; list again from the start")
}

// BadParam is the answer to a parameter that is missing or of the wrong type; want is what was expected, such as "a string".
func BadParam(raw []byte, p Param, want string) *Fault {
	if len(raw) == 0 {
		return answered(CodeInvalidParams, "invalid params: missing "+p.String()+": expected "+want)
	}
	return answered(CodeInvalidParams, "invalid params: "+p.String()+" must be "+want)
}

// BadSubscription is the answer to a subscription that cannot be; what says why.
func BadSubscription(what string) *Fault {
	return answered(CodeInvalidParams, "invalid params: "+what)
}

// BadState is the answer to a requestState that does not open, has expired or belongs to another request.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: state that fails verification must be rejected.
func BadState() *Fault {
	return answered(CodeInvalidParams, "invalid params: requestState is invalid, expired or belongs to another request; "+
		"send the request again without it")
}

// ResourceNotFound is the answer to a read of a resource that does not exist; the code is the revision's.
//
// server/resources#error-handling: the data names the uri.
func ResourceNotFound(r *Revision, uri string) *Fault {
	f := answered(r.ResourceNotFound, "resource not found")
	f.Data = append(jsonrpc.AppendString([]byte(`{"uri":`), uri), '}')
	return f
}

// Internal is the answer to a failure of a handler that has no other channel.
func Internal(text string) *Fault {
	return answered(CodeInternalError, "internal error: "+text)
}

// Busy is the answer to a request for which there is no room now: what names the cap, and the client
// may try again after the given time, rounded up to a whole millisecond and never zero.
func Busy(what string, retryAfter time.Duration) *Fault {
	millis := max(1, (retryAfter+time.Millisecond-1)/time.Millisecond)
	f := refused(CodeInternalError, "server busy: "+what+"; try again later")
	f.RetryAfter = millis * time.Millisecond
	f.Data = append(strconv.AppendInt([]byte(`{"retryAfterMs":`), int64(millis), 10), '}')
	return f
}
