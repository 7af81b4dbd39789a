package client

import (
	"fmt"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// membersOf is the inside of the object that params encodes as; nothing for nil.
func membersOf(params any) ([]byte, error) {
	if params == nil {
		return nil, nil
	}
	raw, err := protocol.Append(nil, params)
	if err != nil {
		return nil, fmt.Errorf("the parameters: %w", err)
	}
	if len(raw) < 2 || raw[0] != '{' {
		return nil, fmt.Errorf("the parameters are %.40s, expected an object", raw)
	}
	return raw[1 : len(raw)-1], nil
}

// params is the whole object of a request.
func (c *Client) params(id jsonrpc.ID, r *protocol.Revision, members []byte) []byte {
	token := ""
	if c.options.Progress {
		token = id.Text()
	}
	if !r.Modern {
		return plainParams(token, members)
	}
	return braced(c.appendMeta(nil, r, token), members)
}

// plainParams is the object of a message that does not say who it comes from, as legacy requests and
// all notifications; nil when nothing is in it.
func plainParams(token string, members []byte) []byte {
	var meta []byte
	if token != "" {
		meta = []byte(`"_meta":{"` + protocol.KeyProgressToken + `":` + token + `}`)
	}
	if len(meta)+len(members) == 0 {
		return nil
	}
	return braced(meta, members)
}

// appendMeta appends the _meta of a modern request.
//
// basic/index#meta: every request carries the version and the capabilities, and should name the client.
func (c *Client) appendMeta(dst []byte, r *protocol.Revision, token string) []byte {
	dst = append(dst, `"_meta":{"`+protocol.KeyProtocolVersion+`":`...)
	dst = jsonrpc.AppendString(dst, r.Name)
	if c.options.Info.Name != "" {
		dst = append(dst, `,"`+protocol.KeyClientInfo+`":`...)
		dst = c.options.Info.For(r).AppendTo(dst)
	}
	dst = append(dst, `,"`+protocol.KeyClientCapabilities+`":`...)
	dst = jsonrpc.AppendRaw(dst, c.options.capabilities(r))
	if c.options.LogLevel != protocol.LevelNone {
		dst = append(dst, `,"`+protocol.KeyLogLevel+`":"`+c.options.LogLevel.String()+`"`...)
	}
	if token != "" {
		dst = append(dst, `,"`+protocol.KeyProgressToken+`":`+token...)
	}
	return append(dst, '}')
}

// braced is the object of two lists of members, each of which may be empty.
func braced(first, second []byte) []byte {
	object := append([]byte{'{'}, first...)
	if len(first) > 0 && len(second) > 0 {
		object = append(object, ',')
	}
	return append(append(object, second...), '}')
}
