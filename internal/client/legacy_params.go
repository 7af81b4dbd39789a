package client

import "github.com/bowline-go/mcp/internal/protocol"

// legacyParams is the object of a message without modern _meta; nil when nothing is in it. Notifications
// of the modern revision have this form, too.
func legacyParams(token string, members []byte) []byte {
	var meta []byte
	if token != "" {
		meta = []byte(`"_meta":{"` + protocol.KeyProgressToken + `":` + token + `}`)
	}
	if len(meta)+len(members) == 0 {
		return nil
	}
	return braced(meta, members)
}
