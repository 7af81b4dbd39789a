package client

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp/internal/protocol"
)

// answer answers a question of the server, however it was asked, and returns the raw result.
func (c *Client) answer(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	row := protocol.MethodNamed([]byte(method))
	o := &c.options
	switch {
	case row == nil:
	case row.ID == protocol.Ping:
		return json.RawMessage("{}"), nil
	case row.ID == protocol.ElicitationCreate && o.Elicit != nil:
		return c.elicit(ctx, params)
	case row.ID == protocol.SamplingCreateMessage && o.Sample != nil:
		return o.Sample(ctx, params)
	case row.ID == protocol.RootsList && o.Roots != nil:
		roots, err := o.Roots(ctx)
		if err != nil {
			return nil, err
		}
		if roots == nil {
			roots = []protocol.Root{}
		}
		return protocol.Append(nil, protocol.ListRootsResult{Roots: roots})
	}
	return nil, &Error{Code: protocol.CodeMethodNotFound, Message: "method not found: the client does not answer " + method}
}

func (c *Client) elicit(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	var question protocol.ElicitParams
	if err := protocol.Decode(params, &question); err != nil {
		return nil, &Error{Code: protocol.CodeInvalidParams, Message: "invalid params: " + err.Error()}
	}
	answer, err := c.options.Elicit(ctx, question)
	if err != nil {
		return nil, err
	}
	raw, err := protocol.Append(nil, answer)
	if err != nil {
		return nil, fmt.Errorf("the answer to %.60q: %w", question.Message, err)
	}
	return raw, nil
}
