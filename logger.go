package mcp

import (
	"context"
	"log/slog"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// The levels of the protocol that slog has no name for.
//
// Source: server/utilities/logging#log-levels.
const (
	LevelNotice    = slog.Level(2)
	LevelCritical  = slog.Level(12)
	LevelAlert     = slog.Level(16)
	LevelEmergency = slog.Level(20)
)

// Logger is a logger whose records go to the client as notifications/message, when the
// client asked for them with the request: message and attributes become the data object.
// Otherwise, and outside a request, it discards them. What it logs is seen by the client: no
// secrets.
//
// Source: server/utilities/logging.
func Logger(ctx context.Context) *slog.Logger {
	c := callFrom(ctx)
	if c == nil || c.meta.LogLevel == protocol.LevelNone || c.session.server.options.DisableLogging {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(&logHandler{call: c})
}

// logHandler sends the records of one call.
type logHandler struct {
	call   *Call
	groups []string
	attrs  []scopedAttr
}

// scopedAttr is an attribute with the number of groups that it stands in.
type scopedAttr struct {
	depth int
	slog.Attr
}

func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return protocolLevel(level).Passes(h.call.meta.LogLevel)
}

func (h *logHandler) Handle(_ context.Context, record slog.Record) error {
	data := map[string]any{}
	for _, a := range h.attrs {
		addAttr(groupOf(data, h.groups[:a.depth]), a.Attr)
	}
	record.Attrs(func(a slog.Attr) bool {
		addAttr(groupOf(data, h.groups), a)
		return true
	})
	data["message"] = record.Message
	text, err := marshalLog(data)
	if err != nil {
		return err
	}
	h.call.notify(func(dst []byte) []byte {
		params := protocol.LogParams{Level: protocolLevel(record.Level).String(), Data: text}
		dst = jsonrpc.OpenNotification(dst, protocol.MethodOf(protocol.Message).Name)
		return append(params.AppendTo(dst), '}')
	})
	return nil
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clone := *h
	clone.attrs = slices.Clip(h.attrs)
	for _, a := range attrs {
		clone.attrs = append(clone.attrs, scopedAttr{len(h.groups), a})
	}
	return &clone
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	clone := *h
	clone.groups = append(slices.Clip(h.groups), name)
	return &clone
}

func groupOf(data map[string]any, groups []string) map[string]any {
	for _, name := range groups {
		inner, ok := data[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			data[name] = inner
		}
		data = inner
	}
	return data
}

func addAttr(data map[string]any, a slog.Attr) {
	value := a.Value.Resolve()
	switch {
	case a.Equal(slog.Attr{}):
	case value.Kind() == slog.KindGroup:
		inner := data
		if a.Key != "" {
			inner = groupOf(data, []string{a.Key})
		}
		for _, member := range value.Group() {
			addAttr(inner, member)
		}
	default:
		data[a.Key] = attrValue(value)
	}
}

// attrValue is a value as JSON has it: what has no JSON form is sent as text.
func attrValue(value slog.Value) any {
	switch value.Kind() {
	case slog.KindDuration:
		return value.Duration().String()
	case slog.KindAny, slog.KindFloat64:
		if err, isErr := value.Any().(error); isErr {
			return err.Error()
		}
		if _, err := marshalLog(value.Any()); err != nil {
			return value.String()
		}
	}
	return value.Any()
}

// marshalLog encodes what is logged. Bytes that are not UTF-8 become U+FFFD, so that no record
// is lost for them.
func marshalLog(v any) ([]byte, error) {
	return jsonv2.Marshal(v, jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// protocolLevel is the level of the protocol at or below a level of slog.
func protocolLevel(level slog.Level) protocol.Level {
	switch {
	case level >= LevelEmergency:
		return protocol.LevelEmergency
	case level >= LevelAlert:
		return protocol.LevelAlert
	case level >= LevelCritical:
		return protocol.LevelCritical
	case level >= slog.LevelError:
		return protocol.LevelError
	case level >= slog.LevelWarn:
		return protocol.LevelWarning
	case level >= LevelNotice:
		return protocol.LevelNotice
	case level >= slog.LevelInfo:
		return protocol.LevelInfo
	}
	return protocol.LevelDebug
}
