package mcp

import (
	"context"
	"encoding/json"
)

// bridgeExplicit asks a legacy client what a handler asks for in the explicit form, so that
// the handler can run again.
func (c *Call) bridgeExplicit(ctx context.Context, e *inputRequired) error {
	questions, err := c.explicit(e)
	if err != nil {
		return err
	}
	given := make(map[string]json.RawMessage, len(questions))
	for _, q := range questions {
		take := q.take
		q.take = func(answer []byte) error {
			given[q.key] = answer
			return take(answer)
		}
		if err := (bridge{c}).ask(ctx, q); err != nil {
			return &AskError{Key: q.key, Err: err}
		}
	}
	return c.asking().nextPass(given, e.state)
}

// nextPass begins another pass of the handler for the same request.
func (a *asking) nextPass(given map[string]json.RawMessage, state string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.round++; a.round >= maxRounds {
		return errRounds
	}
	clear(a.uses)
	clear(a.steps)
	a.given, a.handed = given, state
	return nil
}
