package protocol

import "encoding/json"

// Capability is a part of a server that a method may need.
type Capability uint8

// What a method may need. NeedsChanges is met by any listChanged or by subscribe.
const (
	NeedsNothing Capability = iota
	NeedsTools
	NeedsPrompts
	NeedsResources
	NeedsCompletions
	NeedsLogging
	NeedsSubscribe
	NeedsChanges
)

// ServerCapabilities is what a server offers. The zero value offers nothing.
type ServerCapabilities struct {
	// Logging: the server sends log messages to clients that ask for them.
	Logging bool
	// Completions: the server completes arguments.
	Completions bool
	// Prompts, Resources and Tools: the server has such items.
	Prompts, Resources, Tools bool
	// PromptsListChanged, ResourcesListChanged and ToolsListChanged: the list may change, and the server tells.
	PromptsListChanged, ResourcesListChanged, ToolsListChanged bool
	// ResourcesSubscribe: the server tells when a resource that the client named was updated.
	ResourcesSubscribe bool
	// Experimental and Extensions are JSON objects that pass through; nil for none.
	Experimental, Extensions json.RawMessage
}

// Offers says whether methods that need c exist.
func (s *ServerCapabilities) Offers(c Capability) bool {
	switch c {
	case NeedsNothing:
		return true
	case NeedsTools:
		return s.Tools
	case NeedsPrompts:
		return s.Prompts
	case NeedsResources:
		return s.Resources
	case NeedsCompletions:
		return s.Completions
	case NeedsLogging:
		return s.Logging
	case NeedsSubscribe:
		return s.ResourcesSubscribe
	case NeedsChanges:
		return s.ToolsListChanged || s.PromptsListChanged || s.ResourcesListChanged || s.ResourcesSubscribe
	}
	return false
}

// WithoutPush returns what is left of the capabilities where the server cannot tell a client anything
// between its requests: nobody hears of changes.
func (s ServerCapabilities) WithoutPush() ServerCapabilities {
	s.PromptsListChanged, s.ResourcesListChanged, s.ToolsListChanged = false, false, false
	s.ResourcesSubscribe = false
	return s
}

// AppendTo appends the JSON object that declares the capabilities to a client of revision r.
// 2024-11-05 knows no completions capability: the server completes without declaring it.
func (s *ServerCapabilities) AppendTo(dst []byte, r *Revision) []byte {
	o := object{dst: append(dst, '{')}
	o.raw("experimental", s.Experimental)
	o.flags("logging", s.Logging)
	o.flags("completions", s.Completions && r.CompletionsCapability)
	o.flags("prompts", s.Prompts, flag{"listChanged", s.PromptsListChanged})
	o.flags("resources", s.Resources, flag{"subscribe", s.ResourcesSubscribe}, flag{"listChanged", s.ResourcesListChanged})
	o.flags("tools", s.Tools, flag{"listChanged", s.ToolsListChanged})
	if r.Extensions {
		o.raw("extensions", s.Extensions)
	}
	return append(o.dst, '}')
}

// DecodeServerCapabilities reads what a server declared. Members that are no objects are not declared.
func DecodeServerCapabilities(raw []byte) (s ServerCapabilities) {
	for walk := membersOf(raw); ; {
		name, value, ok := walk.next()
		if !ok {
			return s
		}
		if !isObject(value) {
			continue
		}
		switch {
		case stringIs(name, "experimental"):
			s.Experimental = json.RawMessage(value)
		case stringIs(name, "logging"):
			s.Logging = true
		case stringIs(name, "completions"):
			s.Completions = true
		case stringIs(name, "prompts"):
			s.Prompts, s.PromptsListChanged = true, isTrue(value, "listChanged")
		case stringIs(name, "resources"):
			s.Resources, s.ResourcesListChanged = true, isTrue(value, "listChanged")
			s.ResourcesSubscribe = isTrue(value, "subscribe")
		case stringIs(name, "tools"):
			s.Tools, s.ToolsListChanged = true, isTrue(value, "listChanged")
		case stringIs(name, "extensions"):
			s.Extensions = json.RawMessage(value)
		}
	}
}

func isTrue(object []byte, name string) bool { return string(memberOf(object, name)) == "true" }
