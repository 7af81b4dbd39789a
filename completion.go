package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/bowline-go/mcp/schema"
)

// Completer suggests values for an argument of a prompt or a variable of a resource
// template. value is what the user has typed; known holds the arguments that are settled
// already (nil for clients before 2025-06-18). The best suggestion comes first; a client
// gets the first 100 and their total number. It must be safe for concurrent use, and should
// not reveal what its caller may not know.
//
// Source: server/utilities/completion.
type Completer func(ctx context.Context, value string, known map[string]string) ([]string, error)

// CompleteFrom is a [Completer] over fixed values: those that begin with what was typed,
// regardless of case.
func CompleteFrom(values ...string) Completer {
	values = slices.Clone(values)
	return func(_ context.Context, value string, _ map[string]string) ([]string, error) {
		var matches []string
		for _, v := range values {
			if len(v) >= len(value) && strings.EqualFold(v[:len(value)], value) {
				matches = append(matches, v)
			}
		}
		return matches, nil
	}
}

// completionResult is the result of completion/complete.
type completionResult struct {
	values []string // at most protocol.MaxCompletionValues
	total  int
}

func (*completionResult) result() {}

// completersOf joins the completers that were given with those that enums imply. Every
// argument has an entry, nil when nothing completes it.
func completersOf(r *registry, at place, properties []schema.Property, given map[string]Completer) map[string]Completer {
	all := make(map[string]Completer, len(properties))
	for _, property := range properties {
		all[property.Name] = nil
		if len(property.Enum) > 0 {
			all[property.Name] = CompleteFrom(property.Enum...)
		}
	}
	for name, completer := range given {
		if _, known := all[name]; !known {
			r.mistake(at, "Complete names %q, which is no argument; use the name of a field", name)
			continue
		}
		all[name] = completer
	}
	return all
}

// completes reports whether any argument has suggestions.
func completes(completers map[string]Completer) bool {
	for _, completer := range completers {
		if completer != nil {
			return true
		}
	}
	return false
}
