package protocol

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// Result types.
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
)

// Retry is what a modern request carries when it comes again with answers.
type Retry struct {
	// InputResponses are the raw results of the questions, by key.
	InputResponses map[string]json.RawMessage `json:"inputResponses,omitzero"`
	// RequestState is what the server gave with the questions, unchanged; nil for none.
	RequestState *string `json:"requestState,omitzero"`
}

// Asked is the part of a result of type input_required: questions instead of an answer.
type Asked struct {
	// InputRequests are the questions, by key.
	InputRequests map[string]InputRequest `json:"inputRequests,omitzero"`
	// RequestState is what the client sends back, unchanged; nil for none.
	RequestState *string `json:"requestState,omitzero"`
}

// InputRequiredResult is a result that asks instead of answering.
type InputRequiredResult struct {
	Asked
	Stamps
}

// InputRequest is one question to the client, as it stands in a result.
type InputRequest struct {
	// Method is elicitation/create, sampling/createMessage or roots/list.
	Method string `json:"method"`
	// Params is the raw object of the params; nil for none.
	Params json.RawMessage `json:"params,omitzero"`
}

// InputQuestion is an InputRequest with its key, in the order in which questions were asked.
type InputQuestion struct {
	// Key is the server's name for the question, unique within the result.
	Key string
	InputRequest
}

// AppendAsked appends the members of an input_required result to an object under construction: the
// questions in their order and the state, each left out when empty. dst ends behind '{' or a member.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: at least one of the two must be present.
func AppendAsked(dst []byte, questions []InputQuestion, state string) []byte {
	o := object{dst: dst}
	if len(questions) > 0 {
		o.name("inputRequests")
		o.dst = append(o.dst, '{')
		for i := range questions {
			o.question(&questions[i])
		}
		o.dst = append(o.dst, '}')
	}
	o.optional("requestState", state)
	return o.dst
}

func (o *object) question(q *InputQuestion) {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(jsonrpc.AppendString(o.dst, q.Key), ':')
	inner := object{dst: append(o.dst, '{')}
	inner.text("method", q.Method)
	inner.raw("params", q.Params)
	o.dst = append(inner.dst, '}')
}
