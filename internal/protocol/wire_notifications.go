package protocol

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// ProgressParams are the params of notifications/progress.
type ProgressParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	// Token is the raw token of the request.
	Token    json.RawMessage `json:"progressToken"`
	Progress float64         `json:"progress"`
	// Total is nil when it is not known.
	Total   *float64 `json:"total,omitzero"`
	Message string   `json:"message,omitzero"`
}

// AppendTo appends the params for a client of revision r. Progress and Total must be finite.
func (p *ProgressParams) AppendTo(dst []byte, r *Revision) []byte {
	o := object{dst: append(dst, '{')}
	o.raw("_meta", p.Meta)
	o.raw("progressToken", p.Token)
	o.number("progress", p.Progress)
	if p.Total != nil {
		o.number("total", *p.Total)
	}
	if r.ProgressMessage {
		o.optional("message", p.Message)
	}
	return append(o.dst, '}')
}

// LogParams are the params of notifications/message.
type LogParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	// Level is a level's name.
	Level  string `json:"level"`
	Logger string `json:"logger,omitzero"`
	// Data is any raw value.
	Data json.RawMessage `json:"data"`
}

// AppendTo appends the params.
func (p *LogParams) AppendTo(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.raw("_meta", p.Meta)
	o.text("level", p.Level)
	o.optional("logger", p.Logger)
	data := []byte(p.Data)
	if len(data) == 0 {
		data = []byte("null")
	}
	o.raw("data", data)
	return append(o.dst, '}')
}

// SetLevelParams are the params of logging/setLevel.
type SetLevelParams struct {
	Meta  json.RawMessage `json:"_meta,omitzero"`
	Level string          `json:"level"`
}

// CancelledParams are the params of notifications/cancelled.
type CancelledParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	// RequestID is the raw id of the request.
	RequestID json.RawMessage `json:"requestId,omitzero"`
	Reason    string          `json:"reason,omitzero"`
}

// AppendTo appends the params.
func (p *CancelledParams) AppendTo(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.raw("_meta", p.Meta)
	o.raw("requestId", p.RequestID)
	o.optional("reason", p.Reason)
	return append(o.dst, '}')
}

// CancelledOf reads a cancellation: which request, and why. ok is false for one that is malformed,
// which a receiver ignores.
//
// basic/patterns/cancellation#error-handling: malformed notifications should be ignored.
func CancelledOf(m *jsonrpc.Message) (id jsonrpc.ID, reason string, ok bool) {
	raw := m.Param(int(ParamRequestID))
	if raw == nil || !jsonrpc.IsIntegerOrString(raw) {
		return jsonrpc.ID{}, "", false
	}
	if why := m.Param(int(ParamReason)); why != nil {
		if reason, ok = stringOf(why); !ok {
			return jsonrpc.ID{}, "", false
		}
	}
	return jsonrpc.IDFromText(string(raw)), reason, true
}
