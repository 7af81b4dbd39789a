package protocol

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// SubscriptionFilter says which changes a client wants to hear of.
type SubscriptionFilter struct {
	ToolsListChanged     bool `json:"toolsListChanged,omitzero"`
	PromptsListChanged   bool `json:"promptsListChanged,omitzero"`
	ResourcesListChanged bool `json:"resourcesListChanged,omitzero"`
	// ResourceSubscriptions are exact URIs.
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitempty"`
}

// ListenParams are the params of subscriptions/listen, and of notifications/subscriptions/acknowledged.
type ListenParams struct {
	Meta          json.RawMessage    `json:"_meta,omitzero"`
	Notifications SubscriptionFilter `json:"notifications"`
}

// FilterOf reads the filter of a subscriptions/listen request.
func FilterOf(m *jsonrpc.Message) (f SubscriptionFilter, fault *Fault) {
	raw := m.Param(int(ParamNotifications))
	if !isObject(raw) || hasNull(raw) || Decode(raw, &f) != nil {
		return SubscriptionFilter{}, BadParam(raw, ParamNotifications,
			"an object of the booleans toolsListChanged, promptsListChanged and resourcesListChanged, and the list of URIs resourceSubscriptions")
	}
	return f, nil
}

// hasNull says whether a filter member, or an entry of its list, is null, which decoding would take for absent.
func hasNull(raw []byte) bool {
	for walk := membersOf(raw); ; {
		name, value, ok := walk.next()
		if !ok {
			return false
		}
		switch {
		case stringIs(name, "resourceSubscriptions"):
			if isNull(value) || listHasNull(value) {
				return true
			}
		case stringIs(name, "toolsListChanged"), stringIs(name, "promptsListChanged"), stringIs(name, "resourcesListChanged"):
			if isNull(value) {
				return true
			}
		}
	}
}

func listHasNull(raw []byte) bool {
	var entries []json.RawMessage
	if Decode(raw, &entries) != nil {
		return false
	}
	for _, entry := range entries {
		if isNull(entry) {
			return true
		}
	}
	return false
}

// Honoured returns the part of the filter that a server with these capabilities serves.
//
// basic/patterns/subscriptions#acknowledgment: types that the server does not support are omitted.
func (f SubscriptionFilter) Honoured(s *ServerCapabilities) SubscriptionFilter {
	f.ToolsListChanged = f.ToolsListChanged && s.ToolsListChanged
	f.PromptsListChanged = f.PromptsListChanged && s.PromptsListChanged
	f.ResourcesListChanged = f.ResourcesListChanged && s.ResourcesListChanged
	if !s.ResourcesSubscribe {
		f.ResourceSubscriptions = nil
	}
	return f
}

// AppendAcknowledged appends the params of notifications/subscriptions/acknowledged.
func AppendAcknowledged(dst []byte, subscription jsonrpc.ID, honoured SubscriptionFilter) []byte {
	o := object{dst: append(dst, '{')}
	o.subscription(subscription)
	o.name("notifications")
	o.dst = append(o.dst, '{')
	o.set("true", []flag{
		{"toolsListChanged", honoured.ToolsListChanged},
		{"promptsListChanged", honoured.PromptsListChanged},
		{"resourcesListChanged", honoured.ResourcesListChanged},
	})
	if len(honoured.ResourceSubscriptions) > 0 {
		o.texts("resourceSubscriptions", honoured.ResourceSubscriptions)
	}
	return append(o.dst, '}', '}')
}

// AppendListChanged appends the params of a list_changed notification of a subscription; nothing at
// all for a zero subscription, as legacy ones have no params.
func AppendListChanged(dst []byte, subscription jsonrpc.ID) []byte {
	if subscription.IsZero() {
		return dst
	}
	o := object{dst: append(dst, '{')}
	o.subscription(subscription)
	return append(o.dst, '}')
}

// AppendUpdated appends the params of notifications/resources/updated; a zero subscription is legacy.
func AppendUpdated(dst []byte, subscription jsonrpc.ID, uri string) []byte {
	o := object{dst: append(dst, '{')}
	o.subscription(subscription)
	o.text("uri", uri)
	return append(o.dst, '}')
}

// AppendSubscriptionMeta appends the _meta object that ties a message to its subscription.
//
// basic/patterns/subscriptions#receiving-notifications: every message carries the id of the request.
func AppendSubscriptionMeta(dst []byte, subscription jsonrpc.ID) []byte {
	dst = append(dst, `{"`+KeySubscriptionID+`":`...)
	return append(append(dst, subscription.Text()...), '}')
}

func (o *object) subscription(id jsonrpc.ID) {
	if !id.IsZero() {
		o.name("_meta")
		o.dst = AppendSubscriptionMeta(o.dst, id)
	}
}
