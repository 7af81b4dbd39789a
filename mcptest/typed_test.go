package mcptest_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/mcptest"
)

// call checks a typed call in every revision.
func call[Out any](t *testing.T, tool string, args any, want Out) {
	t.Helper()
	mcptest.EachRevision(t, newServer, nil, func(t *testing.T, c *mcptest.Client) {
		got, err := mcptest.Call[Out](t.Context(), c, tool, args)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v, want %#v", tool, got, err, want)
		}
	})
}

func TestATypedCallGivesTheSameInEveryRevision(t *testing.T) {
	args := pair{9007199254740993, 1}
	t.Run("a number", func(t *testing.T) { call(t, "add", args, 9007199254740994) })
	t.Run("a number as raw JSON", func(t *testing.T) { call(t, "add", args, json.RawMessage("9007199254740994")) })
	t.Run("a number as text", func(t *testing.T) { call(t, "add", args, "9007199254740994") })
	t.Run("a number as anything", func(t *testing.T) { call[any](t, "add", pair{1, 2}, 3.0) })
	t.Run("an object", func(t *testing.T) { call(t, "plain", args, args) })
	t.Run("an object with a result of its own", func(t *testing.T) { call(t, "sum", pair{1, 2}, sum{3, "世界"}) })
	t.Run("an object as a part of it", func(t *testing.T) {
		call(t, "plain", args, struct {
			B int `json:"b"`
		}{1})
	})
	t.Run("an object as anything", func(t *testing.T) { call[any](t, "plain", pair{1, 2}, map[string]any{"a": 1.0, "b": 2.0}) })
	t.Run("a list", func(t *testing.T) { call(t, "words", nil, []string{"世界", "😀"}) })
	t.Run("a map", func(t *testing.T) { call(t, "table", map[string]any{}, map[string]int{"世界": 1}) })
	t.Run("a pointer", func(t *testing.T) { call(t, "maybe", json.RawMessage(`{}`), &pair{A: 1}) })
	t.Run("what a pointer points to", func(t *testing.T) { call(t, "maybe", nil, pair{A: 1}) })
	t.Run("a string", func(t *testing.T) { call(t, "text", nil, "世界\n\"😀\"") })
}

func TestATypedCallThatFails(t *testing.T) {
	mcptest.EachRevision(t, newServer, nil, func(t *testing.T, c *mcptest.Client) {
		_, failed := mcptest.Call[int](t.Context(), c, "fail", nil)
		_, wrong := mcptest.Call[int](t.Context(), c, "add", map[string]any{"a": 1})
		_, refused := mcptest.Call[int](t.Context(), c, "refuse", nil)
		_, unfit := mcptest.Call[bool](t.Context(), c, "words", nil)
		for want, err := range map[string]error{
			`tool "fail" answered with isError: 世界 is full`:               failed,
			`tool "add" answered with isError: missing required argument`: wrong,
			`tool "refuse": mcp: no 世界 (7)`:                               refused,
			`tool "words": the result does not fit bool: `:                unfit,
		} {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	})
}
