package protocol

import "encoding/json"

// Modes of elicitation. A form is asked for by leaving the mode out, which every revision understands.
const (
	ElicitModeForm = "form"
	ElicitModeURL  = "url"
)

// Actions of a user on an elicitation.
const (
	ActionAccept  = "accept"
	ActionDecline = "decline"
	ActionCancel  = "cancel"
)

// ElicitParams are the params of elicitation/create, for a form or for a URL.
type ElicitParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	// Mode is ElicitModeURL, or "" for a form.
	Mode    string `json:"mode,omitzero"`
	Message string `json:"message"`
	// RequestedSchema is the raw schema of a form; nil for a URL.
	RequestedSchema json.RawMessage `json:"requestedSchema,omitzero"`
	// ElicitationID names a URL elicitation where the revision has such ids.
	ElicitationID string `json:"elicitationId,omitzero"`
	// URL is where the user is sent; "" for a form.
	URL string `json:"url,omitzero"`
}

// ElicitResult is the result of elicitation/create.
type ElicitResult struct {
	// Action is ActionAccept, ActionDecline or ActionCancel.
	Action string `json:"action"`
	// Content is the raw object that the user filled in; nil unless a form was accepted.
	Content json.RawMessage `json:"content,omitzero"`
	Stamps
}

// ElicitationCompleteParams are the params of notifications/elicitation/complete.
type ElicitationCompleteParams struct {
	Meta          json.RawMessage `json:"_meta,omitzero"`
	ElicitationID string          `json:"elicitationId"`
}
