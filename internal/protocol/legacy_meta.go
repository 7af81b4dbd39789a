package protocol

import "github.com/bowline-go/mcp/internal/jsonrpc"

// AdmitLegacyMeta takes what the _meta of a legacy request can hold: the progress token. Revision,
// client and capabilities of dst stay as they are: they come from the handshake.
func AdmitLegacyMeta(m *jsonrpc.Message, dst *Meta) *Fault {
	dst.ProgressToken = nil
	if !m.HasMeta() {
		return nil
	}
	return progressToken(m, dst)
}
