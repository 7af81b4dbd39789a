package protocol

import (
	"time"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// Error codes that the protocol defines.
//
// basic/index#error-codes: these, and no other code of -32020 to -32099, may be sent.
const (
	CodeParseError     = jsonrpc.CodeParseError
	CodeInvalidRequest = jsonrpc.CodeInvalidRequest
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603

	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022

	// CodeResourceNotFoundLegacy is sent to legacy clients only.
	CodeResourceNotFoundLegacy = -32002
	// CodeURLElicitationRequired belongs to one revision and is never sent.
	CodeURLElicitationRequired = -32042
)

// Reserved says that a code means something only when this library raises it, so that a handler
// may not send it: the protocol's own codes, and those of JSON-RPC except invalid params and internal error.
func Reserved(code int) bool {
	switch code {
	case CodeParseError, CodeInvalidRequest, CodeMethodNotFound,
		CodeResourceNotFoundLegacy, CodeURLElicitationRequired:
		return true
	}
	return -32099 <= code && code <= CodeHeaderMismatch
}

// Fault is an error response that the protocol prescribes. The zero value is none of them.
type Fault struct {
	// Code is the JSON-RPC error code.
	Code int
	// Message says what was wrong, what was expected and what to do.
	Message string
	// Data is the raw JSON of the error's data, nil for none.
	Data []byte
	// Refused: the message was turned away before its method ran. Not refused: the method answered with an error.
	Refused bool
	// Malformed: refused for its form, whatever the revision. Legacy clients too see HTTP 400 for it.
	Malformed bool
	// RetryAfter is above zero when the server had no room; the client may come again after it.
	RetryAfter time.Duration

	status int // the HTTP status, where the code does not decide
}

// Error is the message, so that a fault can travel as an error.
func (f *Fault) Error() string { return f.Message }

// Object returns what goes into the error member of the response.
func (f *Fault) Object() *jsonrpc.ErrorObject {
	return &jsonrpc.ErrorObject{Code: f.Code, Message: f.Message, Data: f.Data}
}

// HTTP status codes of answers.
const (
	statusOK               = 200
	statusBadRequest       = 400
	statusNotFound         = 404
	statusMethodNotAllowed = 405
	statusUnavailable      = 503
)

// Status returns the HTTP status of an answer: f is its fault, nil for a result. A nil revision means
// that the message did not come far enough to have one; it is judged as a modern one.
//
// basic/transports/streamable-http#protocol-version-header: an unknown method is 404, an unsupported version 400.
// basic/transports/streamable-http#server-validation: a header mismatch is 400.
// basic/index#meta: a request without its required _meta members, or one that needs an undeclared capability, is 400.
func Status(r *Revision, f *Fault) int {
	switch {
	case f == nil:
		return statusOK
	case f.status != 0:
		return f.status
	case f.RetryAfter > 0:
		return statusUnavailable
	case !f.Refused:
		return statusOK
	case r != nil && !r.Modern && !f.Malformed:
		return statusOK
	case f.Code == CodeMethodNotFound && !f.Malformed:
		return statusNotFound
	default:
		return statusBadRequest
	}
}

// refused makes a fault that only modern clients see as an HTTP error.
func refused(code int, message string) *Fault {
	return &Fault{Code: code, Message: message, Refused: true}
}

// malformed makes a fault that every HTTP client sees as 400.
func malformed(code int, message string) *Fault {
	return &Fault{Code: code, Message: message, Refused: true, Malformed: true}
}

// answered makes the error with which a method answers.
func answered(code int, message string) *Fault { return &Fault{Code: code, Message: message} }

// quoteLimit bounds how much of a peer's own text an error repeats, in bytes.
const quoteLimit = 128

// quoted returns text between quotes, cut at quoteLimit on a character's border.
func quoted(text string) string {
	if len(text) <= quoteLimit {
		return `"` + text + `"`
	}
	end := quoteLimit
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return `"` + text[:end] + `…"`
}

// clipped returns text cut like quoted text, without the quotes.
func clipped(text string) string {
	cut := quoted(text)
	return cut[1 : len(cut)-1]
}
