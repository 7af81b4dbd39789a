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
// result must encode as JSON and decode again, and stay small, because all of a request's
// answers and results together have 16 KiB. Answers to questions that step asks, through the
// context it is given, are not carried beside the result, so Remember also turns large
// answers into a small one. A step that fails is not remembered.
//
// It is not a lock: a client can send one answer twice, and then the step runs twice. See
// [Options.Spent].
//
// key names the step within the request; its n-th use is a step of its own.
func Remember[T any](ctx context.Context, key string, step func(ctx context.Context) (T, error)) (T, error) {
	c := callFrom(ctx)
	if c == nil {
		return step(ctx)
	}
	var result T
	a := c.asking()
	name, err := a.name(ctx, "remember:"+key)
	if err != nil {
		return result, &AskError{Key: key, Err: err}
	}
	if raw, known := a.recall(name); known {
		if err := jsonv2.Unmarshal(raw, &result); err != nil {
			return result, &AskError{Key: name, Err: fmt.Errorf("decoding the remembered result: %w", err)}
		}
		return result, nil
	}
	scope := strings.TrimPrefix(name, "remember:")
	result, err = step(context.WithValue(ctx, scopeKey{}, scope))
	if err != nil {
		return result, err
	}
	raw, err := jsonv2.Marshal(result, jsonv2.Deterministic(true))
	if err != nil {
		return result, &AskError{Key: name, Err: fmt.Errorf("encoding the result to remember: %w", err)}
	}
	a.memorize(name, scope, raw)
	return result, nil
}

func (a *asking) recall(name string) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	raw, known := a.memory[name]
	return raw, known
}

// memorize keeps the result of a step in place of the answers that led to it.
func (a *asking) memorize(name, scope string, raw json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.memory[name] = raw
	for key := range a.answers {
		if strings.HasPrefix(key, scope+"/") {
			delete(a.answers, key)
		}
	}
	for key := range a.memory {
		if inner := strings.TrimPrefix(key, "remember:"); inner != key && strings.HasPrefix(key, scope+"/remember:") {
			delete(a.memory, key)
		}
	}
}
