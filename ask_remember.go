package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// Remember runs a step of a handler once, although the handler runs again for every round of
// questions: its result travels with the questions and comes back with the answers. The
// result is what its JSON decodes to, on every pass; it must stay small, because all of a
// request's answers and results together have 16 KiB. Answers to questions that step asks,
// through the context it is given, are not carried beside the result, so Remember also turns
// large answers into a small one. A step that fails, or that waits for an answer, is not
// remembered.
//
// It is not a lock: a client can send one answer twice, and then the step runs twice. See
// [Options.Spent]. With [Options.PlainState], and outside the handlers that can ask, the step
// runs on every pass.
//
// key names the step within the request; its n-th use is a step of its own.
func Remember[T any](ctx context.Context, key string, step func(ctx context.Context) (T, error)) (T, error) {
	var result, none T
	c := callFrom(ctx)
	if c == nil {
		return step(ctx)
	}
	a := c.asking()
	name, err := a.stepName(ctx, key)
	if err != nil {
		return none, &AskError{Key: key, Err: err}
	}
	raw, known := a.recall(name)
	if !known {
		made, err := step(context.WithValue(ctx, scopeKey{}, name))
		if err != nil {
			return made, err
		}
		if a.waits(name) {
			return none, &AskError{Key: name, Err: ErrInputRequired}
		}
		if raw, err = jsonv2.Marshal(made, jsonv2.Deterministic(true)); err != nil {
			return none, &AskError{Key: name, Err: fmt.Errorf("encoding the result to remember: %w", err)}
		}
	}
	if err := jsonv2.Unmarshal(raw, &result); err != nil {
		return none, &AskError{Key: name, Err: fmt.Errorf("decoding the remembered result: %w", err)}
	}
	if !known {
		a.memorize(name, raw)
	}
	return result, nil
}

func (a *asking) recall(name string) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	raw, known := a.memory[name]
	return raw, known
}

// waits reports whether a step asked something in this pass: then it has no result, even if
// it did not say so.
func (a *asking) waits(step string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.asked {
		if strings.HasPrefix(a.asked[i].Key, step+"/") {
			return true
		}
	}
	return false
}

// memorize keeps the result of a step in place of the answers and the steps that led to it.
func (a *asking) memorize(step string, raw json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name := range a.answers {
		if strings.HasPrefix(name, step+"/") {
			delete(a.answers, name)
		}
	}
	for name := range a.memory {
		if strings.HasPrefix(name, step+"/") {
			delete(a.memory, name)
		}
	}
	a.memory[step] = raw
}
