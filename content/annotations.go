package content

// Role is a participant of a conversation.
type Role string

// The roles of the protocol.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Annotations tell a client for whom a block or a resource is, and how much it matters.
type Annotations struct {
	// Audience lists who should see it; empty: not said.
	Audience []Role `json:"audience,omitempty"`
	// Priority runs from 0 (entirely optional) to 1 (required); nil: not said.
	Priority *float64 `json:"priority,omitempty"`
	// LastModified is a moment in ISO 8601, for example 2025-01-12T15:00:58Z; empty: not said.
	LastModified string `json:"lastModified,omitempty"`
}

// Icon is a picture that a client can show beside a name.
type Icon struct {
	// Source is an https: or data: URI.
	Source string `json:"src"`
	// MIMEType overrides the type that the source declares.
	MIMEType string `json:"mimeType,omitempty"`
	// Sizes are of the form 48x48, or "any".
	Sizes []string `json:"sizes,omitempty"`
	// Theme is light or dark; empty: any.
	Theme string `json:"theme,omitempty"`
}
