package mcptest

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// report writes what the server under test logs, such as the panic that a reference stands for, to the log of the test:
// go test shows it when the test fails.
type report struct {
	t testing.TB

	mu   sync.Mutex
	over bool // the test may have ended, and then has no log any more
}

// Enabled leaves out what is in the order of things, such as a cancellation.
func (r *report) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle writes one record. Values of several lines, such as a stack, stand below it.
func (r *report) Handle(_ context.Context, record slog.Record) error {
	line, below := "mcptest: the server logged: "+record.Message, ""
	record.Attrs(func(a slog.Attr) bool {
		text := a.Value.String()
		if strings.Contains(text, "\n") {
			below += "\n" + text
			return true
		}
		line += fmt.Sprintf(" %s=%q", a.Key, text)
		return true
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.t.Log(line + below)
	}
	return nil
}

// WithAttrs and WithGroup are of no use: the server gives every attribute with its record.
func (r *report) WithAttrs([]slog.Attr) slog.Handler { return r }

// WithGroup returns the report as it is.
func (r *report) WithGroup(string) slog.Handler { return r }

// end drops what is logged from now on.
func (r *report) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
}
