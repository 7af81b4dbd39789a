package workload

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// The eras of the protocol.
const (
	Modern = "modern" // stateless: every request carries _meta
	Legacy = "legacy" // initialize handshake, optional session
)

// The revisions that stand for the eras.
const (
	ModernVersion = "2026-07-28"
	LegacyVersion = "2025-11-25"
)

const modernMeta = `"io.modelcontextprotocol/protocolVersion":"` + ModernVersion + `",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"loadgen","version":"1.0.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}`

// InitializedNotification ends the legacy handshake.
const InitializedNotification = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// InitializeRequest opens the legacy handshake.
func InitializeRequest(id int64) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":"%s",`+
		`"capabilities":{},"clientInfo":{"name":"loadgen","version":"1.0.0"}}}`, id, LegacyVersion)
}

// Negotiated returns the protocol version from the answer to initialize.
func Negotiated(msg []byte) (string, error) {
	var m struct {
		Result struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"result"`
	}
	if err := json.Unmarshal(msg, &m); err != nil || m.Result.ProtocolVersion == "" {
		return "", fmt.Errorf("initialize failed: %s", Clip(msg))
	}
	return m.Result.ProtocolVersion, nil
}

// ListenRequest opens a modern subscription, which ListenAcknowledged begins.
func ListenRequest(id int64) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"_meta":{%s},`+
		`"notifications":{"toolsListChanged":true}}}`, id, modernMeta)
}

// ListenAcknowledged is the method of the first message on an open subscription.
const ListenAcknowledged = "notifications/subscriptions/acknowledged"

// AppendRequest appends the request with this id.
func (w *Workload) AppendRequest(dst []byte, era string, id int64) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, id, 10)
	dst = append(dst, `,"method":"`...)
	dst = append(dst, w.Method...)
	dst = append(dst, `","params":{`...)
	dst = w.appendMeta(dst, era, id)
	if w.Tool != "" {
		dst = append(dst, `"name":"`...)
		dst = append(dst, w.Tool...)
		dst = append(dst, `","arguments":`...)
		dst = w.args(dst, id)
	}
	return append(dst, `}}`...)
}

// appendMeta appends the _meta member, if there is one, and the comma that a member behind it needs.
func (w *Workload) appendMeta(dst []byte, era string, id int64) []byte {
	if era != Modern && w.Notes == 0 {
		return dst
	}
	dst = append(dst, `"_meta":{`...)
	if era == Modern {
		dst = append(dst, modernMeta...)
	}
	if w.Notes > 0 {
		if era == Modern {
			dst = append(dst, ',')
		}
		dst = append(dst, `"progressToken":`...)
		dst = strconv.AppendInt(dst, id, 10)
	}
	dst = append(dst, '}')
	if w.Tool != "" {
		dst = append(dst, ',')
	}
	return dst
}
