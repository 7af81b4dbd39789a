package mcp

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

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

func openAnswer(payload []byte) ([]byte, error) {
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
	answer := &Error{Code: e.Code, Message: e.Message, foreign: true}
	if e.Data != nil {
		answer.Data = e.Data
	}
	return nil, answer
}
