package client

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// maxRounds is how often one request is sent again with answers.
const maxRounds = 16

// rounds sends a request again, with the answers that its result asked for, until it is complete.
//
// basic/patterns/mrtr#client-requirements-basic-workflow: the answers are constructed first, the state
// is echoed as it is and left out when there was none, and every retry is a request with its own id.
func (c *Client) rounds(ctx context.Context, row *protocol.Method, members, result []byte) (json.RawMessage, error) {
	for round := 0; ; round++ {
		var asked protocol.InputRequiredResult
		if err := protocol.Decode(result, &asked); err != nil {
			return nil, fmt.Errorf("the result of %s: %w", row.Name, err)
		}
		switch {
		case asked.ResultType != protocol.ResultInputRequired:
			return result, nil
		case round == maxRounds:
			return nil, fmt.Errorf("%s is not complete after %d rounds of questions; the server asks on and on", row.Name, maxRounds)
		}
		retry, err := c.retry(ctx, members, asked.Asked)
		if err != nil {
			return nil, err
		}
		if result, err = c.exchange(ctx, row, retry); err != nil {
			return nil, err
		}
	}
}

// retry is the members of the next round: the original ones, the answers and the state.
func (c *Client) retry(ctx context.Context, members []byte, asked protocol.Asked) ([]byte, error) {
	next := slices.Clone(members)
	if asked.InputRequests != nil {
		next = separated(next)
		next = append(next, `"inputResponses":{`...)
		for i, key := range slices.Sorted(maps.Keys(asked.InputRequests)) {
			question := asked.InputRequests[key]
			result, err := c.answer(ctx, question.Method, question.Params)
			if err != nil {
				return nil, fmt.Errorf("question %q: %w", key, err)
			}
			if i > 0 {
				next = append(next, ',')
			}
			next = append(jsonrpc.AppendString(next, key), ':')
			next = jsonrpc.AppendRaw(next, result)
		}
		next = append(next, '}')
	}
	if asked.RequestState != nil {
		next = append(separated(next), `"requestState":`...)
		next = jsonrpc.AppendString(next, *asked.RequestState)
	}
	return next, nil
}

// separated ends a list of members so that another can follow.
func separated(members []byte) []byte {
	if len(members) == 0 {
		return members
	}
	return append(members, ',')
}
