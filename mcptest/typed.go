package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/internal/protocol"
)

// Call calls a tool and decodes its result: the structured content where the revision has it, without the
// object that older revisions wrap other values in; else the text, which is JSON unless Out is a string. A
// result with isError is an error that holds its text. args is a struct, a map or raw JSON, and nil for
// none.
func Call[Out any](ctx context.Context, c *Client, tool string, args any) (Out, error) {
	var out Out
	result, err := c.CallTool(ctx, tool, args)
	switch {
	case err != nil:
		return out, err
	case result.IsError:
		return out, fmt.Errorf("tool %q answered with isError: %s", tool, result.Text())
	}
	text, wantsText := any(&out).(*string)
	switch {
	case wantsText:
		*text = result.Text()
		if result.Structured != nil {
			// What is no string, such as a number, is taken by its text.
			_ = decodeStructured(result.Structured, c.core.Revision(), text)
		}
		return out, nil
	case result.Structured != nil:
		err = decodeStructured(result.Structured, c.core.Revision(), &out)
	default:
		err = jsonv2.Unmarshal([]byte(result.Text()), &out)
	}
	if err != nil {
		return out, fmt.Errorf("tool %q: the result does not fit %T: %w; got %.200s", tool, out, err, shown(result))
	}
	return out, nil
}

func shown(r *ToolResult) string {
	if r.Structured != nil {
		return string(r.Structured)
	}
	return r.Text()
}

// decodeStructured decodes a structured value into the variable that into points to.
//
// The type decides whether {"result":…} is a wrapping or the value itself: it is the value when it fits the
// type without members that the type does not know.
func decodeStructured(raw json.RawMessage, r *protocol.Revision, into any) error {
	inner, wrapped := unwrap(raw, r)
	if !wrapped {
		return jsonv2.Unmarshal(raw, into)
	}
	// What can hold anything holds every wrapping, too. Objects are hardly ever wrapped.
	anything := reflect.TypeOf(into).Elem()
	if anything.Kind() == reflect.Interface || anything == reflect.TypeFor[json.RawMessage]() {
		if jsontext.Value(inner).Kind() != '{' {
			raw = inner
		}
		return jsonv2.Unmarshal(raw, into)
	}
	if jsonv2.Unmarshal(raw, reflect.New(anything).Interface(), jsonv2.RejectUnknownMembers(true)) == nil {
		return jsonv2.Unmarshal(raw, into)
	}
	return jsonv2.Unmarshal(inner, into)
}

// unwrap takes the object off that revisions with structured objects alone put around other values.
func unwrap(raw json.RawMessage, r *protocol.Revision) (inner json.RawMessage, wrapped bool) {
	if r.StructuredAnyRoot {
		return nil, false
	}
	var members map[string]json.RawMessage
	if jsonv2.Unmarshal(raw, &members) != nil || len(members) != 1 {
		return nil, false
	}
	inner, wrapped = members["result"]
	return inner, wrapped
}
