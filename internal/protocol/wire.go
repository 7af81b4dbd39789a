package protocol

import (
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Append appends the compact JSON of a wire type: members in the order of their fields, maps sorted by
// name, text that is no UTF-8 repaired. Raw members must be valid JSON.
func Append(dst []byte, v any) ([]byte, error) {
	encoded, err := jsonv2.Marshal(v, jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return dst, fmt.Errorf("encode %T: %w", v, err)
	}
	return append(dst, encoded...), nil
}

// Decode reads JSON into the wire type that into points to. Unknown members are passed over, or kept
// by the types that have room for them. After an error *into must not be used.
func Decode(raw []byte, into any) error {
	if err := jsonv2.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("decode %T: %w", into, err)
	}
	return nil
}

// Stamps are the members that the protocol itself adds to results; legacy results have only Meta.
type Stamps struct {
	// TTLMs is how long a client may keep the result, in milliseconds; nil when the result is not cacheable.
	TTLMs *int64 `json:"ttlMs,omitzero"`
	// CacheScope is "public" or "private", "" when the result is not cacheable.
	CacheScope string `json:"cacheScope,omitzero"`
	// ResultType is "complete" or "input_required"; "" counts as complete.
	ResultType string `json:"resultType,omitzero"`
	// Meta is the raw _meta object.
	Meta json.RawMessage `json:"_meta,omitzero"`
}

// Annotations tell a client how to use a block or a resource.
type Annotations struct {
	// Audience is who it is for: "user", "assistant".
	Audience []string `json:"audience,omitzero"`
	// Priority is its importance from 0 to 1; nil for unknown.
	Priority *float64 `json:"priority,omitzero"`
	// LastModified is an ISO 8601 time.
	LastModified string `json:"lastModified,omitzero"`
}

// For returns the annotations without what revision r does not know; nil when nothing is left.
func (a *Annotations) For(r *Revision) *Annotations {
	if a == nil || r.LastModified || a.LastModified == "" {
		return a
	}
	if a.Audience == nil && a.Priority == nil {
		return nil
	}
	return &Annotations{Audience: a.Audience, Priority: a.Priority}
}

// Icon is a picture that stands for a definition or an implementation.
type Icon struct {
	// Source is an https: or data: URI.
	Source string `json:"src"`
	// MIMEType says what the picture is, when its source does not.
	MIMEType string `json:"mimeType,omitzero"`
	// Sizes are "48x48" and the like, or "any".
	Sizes []string `json:"sizes,omitzero"`
	// Theme is the background that it is meant for, "light" or "dark".
	Theme string `json:"theme,omitzero"`
}
