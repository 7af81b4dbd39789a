package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

// compiled compiles a schema that has no mistakes.
func compiled(t testing.TB, s *schema.Schema, role schema.Role) *schema.Compiled {
	t.Helper()
	c, err := s.Compile(schema.CompileOptions{Role: role})
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return c
}

// marshalled is the text of a schema that has no mistakes.
func marshalled(t testing.TB, s *schema.Schema) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	return string(text)
}

func wantText(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func wantError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %s", want)
		return
	}
	wantText(t, err.Error(), want)
}
