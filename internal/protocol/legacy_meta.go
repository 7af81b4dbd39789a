package protocol

import "github.com/bowline-go/mcp/internal/jsonrpc"

// AdmitLegacyMeta takes what the _meta of a legacy request can hold: the progress token. Revision,
// client and capabilities of dst stay as they are: they come from the handshake.
// A bad token is no bad message: legacy clients over HTTP get its error as an ordinary answer.
func AdmitLegacyMeta(m *jsonrpc.Message, dst *Meta) *Fault {
	dst.ProgressToken = nil
	if !m.HasMeta() {
		return nil
	}
	fault := progressToken(m, dst)
	if fault != nil {
		fault.Malformed = false
	}
	return fault
}
