package protocol

import (
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/content"
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

// annotationsFor returns the annotations without what revision r does not know; nil when nothing is left.
func annotationsFor(a *content.Annotations, r *Revision) *content.Annotations {
	if a == nil || r.LastModified || a.LastModified == "" {
		return a
	}
	if a.Audience == nil && a.Priority == nil {
		return nil
	}
	return &content.Annotations{Audience: a.Audience, Priority: a.Priority}
}
