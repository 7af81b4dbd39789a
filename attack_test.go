package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

// nilError panics in Error when it is a nil pointer: a mistake that every Go program makes once.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// trapError panics wherever somebody looks into it.
type trapError struct{}

func (trapError) Error() string { return "trap" }
func (trapError) Is(error) bool { panic("Is") }
func (trapError) As(any) bool   { panic("As") }

// trapValue panics when it is encoded.
type trapValue struct{}

func (trapValue) MarshalJSON() ([]byte, error) { panic("MarshalJSON") }

// read is an io.Reader.
type read func(p []byte) (int, error)

func (r read) Read(p []byte) (int, error) { return r(p) }

// after reads n zeros, and then whatever then says.
func after(n int, then read) io.Reader {
	return read(func(p []byte) (int, error) {
		if n <= 0 {
			return then(p)
		}
		n -= len(p)
		return len(p), nil
	})
}

func picture(r io.Reader) *mcp.ToolResult {
	return &mcp.ToolResult{Content: []content.Block{content.Image{Reader: r}}}
}

func TestWhatAHandlerReturnsCannotEndTheProcess(t *testing.T) {
	var none *nilError
	var noError *mcp.Error
	fails := func([]byte) (int, error) { return 0, none }
	results := map[string]struct {
		result *mcp.ToolResult
		err    error
	}{
		"a nil pointer as an error":                    {nil, none},
		"a nil pointer as an error of the library":     {nil, noError},
		"a nil pointer inside other errors":            {nil, errors.Join(errors.New("x"), noError)},
		"an error that panics in Is and As":            {nil, trapError{}},
		"a structured value that panics":               {&mcp.ToolResult{Structured: trapValue{}}, nil},
		"error data that panics":                       {nil, &mcp.Error{Code: 1, Message: "m", Data: trapValue{}}},
		"a request for input that panics":              {nil, mcp.InputRequired("", mcp.InputRequest{Key: "k", Method: "roots/list", Params: trapValue{}})},
		"a reader that fails with a nil pointer":       {picture(read(fails)), nil},
		"a reader that fails with a nil pointer, late": {picture(after(1<<20, fails)), nil},
	}
	for rule, returned := range results {
		t.Run(rule, func(t *testing.T) {
			server := testServer(nil, tool("trap", func(context.Context) (*mcp.ToolResult, error) { return returned.result, returned.err }))
			for _, k := range []*talk{talkTo(t, server), legacyTalk(t, server, "2025-11-25"), legacyTalk(t, server, "2025-03-26")} {
				got := k.send(request("1", "tools/call", `"name":"trap"`))
				if k.send(callTool("1", "trap")).replies != 1 || got.replies > 1 {
					t.Errorf("%d replies", got.replies)
				}
				if got.replies == 1 && !json.Valid([]byte(got.reply)) {
					t.Errorf("no JSON: %.200s", got.reply)
				}
				if strings.Contains(got.reply, "MarshalJSON") {
					t.Errorf("the panic reaches the client: %s", got.reply)
				}
			}
		})
	}
}

func TestAPanicInWhatAHandlerReturnsIsToldByReference(t *testing.T) {
	var none *nilError
	k := talkTo(t, testServer(nil, tool("trap", func(context.Context) (string, error) { return "", none }),
		tool("typed", func(context.Context) (trapValue, error) { return trapValue{}, nil })))
	wantReply(t, k.send(callTool("1", "trap")), failed("1", "Tool execution failed (ref mcp-err-1)"))
	wantReply(t, k.send(callTool("2", "typed")), failed("2", "Tool execution failed (ref mcp-err-2)"))
}

// The array of answers is held in memory until its last element is there.
func TestAReaderWithoutAnEndDoesNotFillABatch(t *testing.T) {
	endless := after(0, func(p []byte) (int, error) { return len(p), nil })
	server := testServer(&mcp.Options{MaxMessageBytes: 64 << 10}, echo, tool("endless", func(context.Context) (*mcp.ToolResult, error) { return picture(endless), nil }))
	call := func(id string) string { return request(id, "tools/call", `"name":"endless"`) }
	got := legacyTalk(t, server, "2025-03-26").send("[" + call("1") + "," + call("2") + "," + request("3", "ping", "") + "]")
	var answers []struct {
		ID     int
		Result struct {
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(got.reply), &answers); err != nil || len(answers) != 3 || len(got.reply) > 128<<10 {
		t.Fatalf("%d bytes, %d answers, %v", len(got.reply), len(answers), err)
	}
	for i, a := range answers {
		if a.ID != i+1 || a.Result.IsError != (i < 2) {
			t.Errorf("answer %d: %+v", i, a)
		}
	}
}
