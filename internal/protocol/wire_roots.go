package protocol

import "encoding/json"

// ListRootsResult is the result of roots/list.
type ListRootsResult struct {
	Roots []Root `json:"roots"`
	Stamps
}

// Root is a folder or a file that a client lets the server work on.
type Root struct {
	// URI begins with file://.
	URI  string          `json:"uri"`
	Name string          `json:"name,omitzero"`
	Meta json.RawMessage `json:"_meta,omitzero"`
}
