package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// The name of a question is its path, and from its second use in a pass on '#' and the number
// of the use. The path is the key, behind the names of the steps that it is asked within and
// '/'. Keys are escaped, so that no two paths and uses share a name.

const maxKeyBytes = 128

// scopeKey is where a context keeps the name of the step that is being remembered.
type scopeKey struct{}

// pathOf is the path of a key.
func pathOf(ctx context.Context, key string) string {
	if strings.ContainsAny(key, "%/#") {
		key = keyEscapes.Replace(key)
	}
	if scope, inside := ctx.Value(scopeKey{}).(string); inside {
		return scope + "/" + key
	}
	return key
}

var keyEscapes = strings.NewReplacer("%", "%25", "/", "%2F", "#", "%23")

// name makes the name of the next use of a question's key.
func (a *asking) name(ctx context.Context, key string) (path, name string, err error) {
	if err := checkKey(key); err != nil {
		return "", "", err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	path = pathOf(ctx, key)
	return path, numbered(a.uses, path), nil
}

// stepName makes the name of the next use of a key of [Remember].
func (a *asking) stepName(ctx context.Context, key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return numbered(a.steps, pathOf(ctx, key)), nil
}

func checkKey(key string) error {
	if key == "" || len(key) > maxKeyBytes {
		return fmt.Errorf("a key has 1 to %d bytes, this one has %d; choose another", maxKeyBytes, len(key))
	}
	return nil
}

func numbered(uses map[string]int, path string) string {
	uses[path]++
	if n := uses[path]; n > 1 {
		return path + "#" + strconv.Itoa(n)
	}
	return path
}
