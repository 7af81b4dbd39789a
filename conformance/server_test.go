package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/stdio"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{},"roots":{}}}`

// answers sends lines over stdio and returns what comes back.
func answers(t *testing.T, lines ...string) string {
	t.Helper()
	var out strings.Builder
	in := io.Reader(strings.NewReader(strings.Join(lines, "\n") + "\n"))
	if err := stdio.ServeStream(context.Background(), newServer(), in, &out, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func call(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":"` + name + `","method":"tools/call","params":{` + meta + `,"name":"` + name + `","arguments":` + arguments + `}}`
}

func TestEveryRegistrationIsRight(t *testing.T) {
	if err := newServer().Check(); err != nil {
		t.Error(err)
	}
}

func TestTheSchemaOf2020Survives(t *testing.T) {
	got := answers(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`)
	for _, want := range []string{
		`"$schema":"https://json-schema.org/draft/2020-12/schema"`, `"$anchor":"addressDef"`, `"$ref":"#/$defs/address"`,
		`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}]`, `"then":{"required":["phone"]}`, `"x-mcp-header":"Region"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	if first := strings.Index(got, `"test_simple_text"`); first < 0 || first > strings.Index(got, `"test_image_content"`) {
		t.Error("the first tool is not the one that takes an empty object")
	}
}

func TestToolsAskWhatTheSuiteWantsToBeAsked(t *testing.T) {
	for name, want := range map[string]string{
		"test_elicitation_sep1034_defaults":          `"default":"John Doe"`,
		"test_elicitation_sep1330_enums":             `"enumNames":["Option One","Option Two","Option Three"]`,
		"test_input_required_result_elicitation":     `"inputRequests":{"user_name":{"method":"elicitation/create"`,
		"test_input_required_result_sampling":        `"capital_question":{"method":"sampling/createMessage"`,
		"test_input_required_result_capabilities":    `"user_name":`,
		"test_input_required_result_multi_round":     `"step1":`,
		"test_input_required_result_multiple_inputs": `"client_roots":{"method":"roots/list","params":{}}`,
		"test_missing_capability":                    "the client can sample",
		"test_error_handling":                        `"isError":true`,
		"test_trigger_tool_change":                   "Changed",
		"test_trigger_prompt_change":                 "Changed",
	} {
		if got := answers(t, call(name, "{}")); !strings.Contains(got, want) {
			t.Errorf("%s: %s is missing in %s", name, want, got)
		}
	}
}

func TestOverHTTPTheEndpointIsToldOnceTheServerListens(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stderr, told := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-http", "127.0.0.1:0"}, told) }()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") || !strings.HasSuffix(line, "/mcp\n") {
		t.Errorf("told %q, %v", line, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestTheTransportMustBeChosen(t *testing.T) {
	for _, args := range [][]string{{}, {"-stdio", "-http", "127.0.0.1:0"}, {"-stdio", "more"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}
