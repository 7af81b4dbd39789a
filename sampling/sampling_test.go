package sampling_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/mcptest"
	"github.com/bowline-go/mcp/sampling"
)

// everything is a request that uses every field.
func everything() sampling.Params {
	return sampling.Params{
		Messages: []sampling.Message{
			sampling.UserText("What is 世界? <&> 😀"),
			{Role: content.RoleAssistant, Content: []sampling.Block{
				{Content: content.NewText("Let me see.")},
				{ToolUse: &sampling.ToolUse{ID: "1", Name: "look_up", Input: json.RawMessage(`{"word":"世界"}`)}},
				{ToolUse: &sampling.ToolUse{ID: "2", Name: "look_up", Input: json.RawMessage(`{"word":"<&>"}`)}},
			}},
			{Role: content.RoleUser, Content: []sampling.Block{
				{ToolResult: &sampling.ToolResult{ToolUseID: "1", Content: []content.Block{content.NewText("world")}, Structured: json.RawMessage(`{"n":9007199254740993}`)}},
				{ToolResult: &sampling.ToolResult{ToolUseID: "2", IsError: true}},
			}},
			sampling.AssistantText("The world."),
			{Role: content.RoleUser, Content: []sampling.Block{{Content: content.Image{
				Data: []byte{1, 2}, MIMEType: "image/png", Meta: json.RawMessage(`{"a/b":1}`),
				Annotations: &content.Annotations{Priority: new(0.5), LastModified: "2025-01-12T15:00:58Z"},
			}}}},
			{Role: content.RoleUser, Content: []sampling.Block{{Content: content.Audio{Data: []byte{3}, MIMEType: "audio/wav"}}}},
		},
		MaxTokens: 100, SystemPrompt: "Be brief 😀", Temperature: new(0.25), StopSequences: []string{"。"},
		Preferences:    &sampling.Preferences{Hints: []string{"claude", "世界"}, Cost: new(0.0), Intelligence: new(1.0)},
		IncludeContext: "thisServer", Metadata: json.RawMessage(`{"k":"<v>"}`),
		Tools: []sampling.Tool{{Name: "look_up", Description: "Looks up 世界", InputSchema: json.RawMessage(`{"type":"object"}`)}}, ToolChoice: "none",
	}
}

const everythingWire = `{"messages":[` +
	`{"role":"user","content":{"type":"text","text":"What is 世界? <&> 😀"}},` +
	`{"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"1","name":"look_up","input":{"word":"世界"}},{"type":"tool_use","id":"2","name":"look_up","input":{"word":"<&>"}}]},` +
	`{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"world"}],"structuredContent":{"n":9007199254740993}},{"type":"tool_result","toolUseId":"2","content":[],"isError":true}]},` +
	`{"role":"assistant","content":{"type":"text","text":"The world."}},` +
	`{"role":"user","content":{"type":"image","data":"AQI=","mimeType":"image/png","annotations":{"priority":0.5}}},` +
	`{"role":"user","content":{"type":"audio","data":"Aw==","mimeType":"audio/wav"}}],` +
	`"modelPreferences":{"hints":[{"name":"claude"},{"name":"世界"}],"costPriority":0,"intelligencePriority":1},` +
	`"systemPrompt":"Be brief 😀","includeContext":"thisServer","temperature":0.25,"maxTokens":100,"stopSequences":["。"],"metadata":{"k":"<v>"},` +
	`"tools":[{"name":"look_up","description":"Looks up 世界","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"none"}}`

// asks serves a tool that samples, and connects a client whose model is answer.
func asks(t *testing.T, revision, capabilities string, params sampling.Params, answer string) (result *sampling.Result, asked string, err error) {
	t.Helper()
	server := mcp.NewServer("s", "1", nil)
	mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Samples"}, func(ctx context.Context, _ struct{}) (string, error) {
		result, err = sampling.Create(ctx, "q", params)
		return "", err
	})
	c := mcptest.Connect(t, server, &mcptest.Options{
		Revision: revision, Capabilities: json.RawMessage(capabilities),
		Sample: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			asked = string(params)
			return json.RawMessage(answer), nil
		},
	})
	if _, callErr := c.CallTool(t.Context(), "ask", nil); callErr != nil {
		err = callErr
	}
	return result, asked, err
}

func TestARequestIsWrittenInTheOrderOfTheSchema(t *testing.T) {
	const declares = `{"sampling":{"tools":{},"context":{}}}`
	answer := `{"role":"assistant","content":[{"type":"text","text":"世"},{"type":"tool_use","id":"3","name":"look_up","input":{"a":9007199254740993}},{"type":"text","text":"😀"}],"model":"m-1","stopReason":"toolUse"}`
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		result, asked, err := asks(t, revision, declares, everything(), answer)
		if err != nil || asked != everythingWire {
			t.Errorf("%s: %v\n got %s\nwant %s", revision, err, asked, everythingWire)
			continue
		}
		if result.Role != content.RoleAssistant || result.Model != "m-1" || result.StopReason != "toolUse" || result.Text() != "世😀" || len(result.Content) != 3 {
			t.Errorf("%s: %+v", revision, result)
		}
		if use := result.Content[1].ToolUse; use == nil || use.ID != "3" || use.Name != "look_up" || string(use.Input) != `{"a":9007199254740993}` {
			t.Errorf("%s: %+v", revision, use)
		}
		if m := result.Message(); m.Role != content.RoleAssistant || len(m.Content) != 3 {
			t.Errorf("the message is %+v", m)
		}
	}
}

func TestOlderClientsAreAskedOneBlockAMessage(t *testing.T) {
	one := sampling.Params{Messages: []sampling.Message{sampling.UserText("世界")}, MaxTokens: 1}
	two := sampling.Params{Messages: []sampling.Message{{Role: content.RoleUser, Content: []sampling.Block{{Content: content.NewText("a")}, {Content: content.NewText("b")}}}}, MaxTokens: 1}
	sound := sampling.Params{Messages: []sampling.Message{{Role: content.RoleUser, Content: []sampling.Block{{Content: content.Audio{Data: []byte{1}, MIMEType: "audio/wav"}}}}}, MaxTokens: 1}
	const answer = `{"role":"assistant","content":{"type":"text","text":"😀"},"model":"m"}`
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18"} {
		result, asked, err := asks(t, revision, `{"sampling":{"tools":{}}}`, one, answer)
		if err != nil || result.Text() != "😀" || asked != `{"messages":[{"role":"user","content":{"type":"text","text":"世界"}}],"maxTokens":1}` {
			t.Errorf("%s: %v, %s", revision, err, asked)
		}
		if _, asked, err = asks(t, revision, `{"sampling":{}}`, two, answer); err == nil || !strings.Contains(err.Error(), "a list of blocks") || asked != "" {
			t.Errorf("%s: a list of blocks: %v, asked %s", revision, err, asked)
		}
		if _, asked, err = asks(t, revision, `{"sampling":{"tools":{}}}`, everything(), answer); err == nil || asked != "" {
			t.Errorf("%s: tools: %v, asked %s", revision, err, asked)
		}
		if _, _, err = asks(t, revision, `{"sampling":{}}`, one, `{"role":"assistant","content":[{"type":"text","text":"x"}],"model":"m"}`); err == nil || !strings.Contains(err.Error(), "3 answers could not be used") {
			t.Errorf("%s: an answer in a list: %v", revision, err)
		}
		if _, asked, err = asks(t, revision, `{"sampling":{}}`, sound, answer); (err == nil) != (revision != "2024-11-05") {
			t.Errorf("%s: audio: %v, asked %s", revision, err, asked)
		}
	}
}

func TestMistakesAreFoundBeforeTheClientIsAsked(t *testing.T) {
	with := func(edit func(p *sampling.Params)) sampling.Params {
		p := sampling.Params{Messages: []sampling.Message{sampling.UserText("x")}, MaxTokens: 1}
		edit(&p)
		return p
	}
	for _, c := range []struct {
		want   string
		params sampling.Params
	}{
		{"no messages", with(func(p *sampling.Params) { p.Messages = nil })},
		{"MaxTokens is required", with(func(p *sampling.Params) { p.MaxTokens = 0 })},
		{"MaxTokens is required", with(func(p *sampling.Params) { p.MaxTokens = -1 })},
		{`IncludeContext is "all"`, with(func(p *sampling.Params) { p.IncludeContext = "all" })},
		{`ToolChoice is "any"`, with(func(p *sampling.Params) { p.ToolChoice = "any" })},
		{"the Metadata is no JSON object", with(func(p *sampling.Params) { p.Metadata = json.RawMessage(`[]`) })},
		{`the tool "t" needs a name and an InputSchema`, with(func(p *sampling.Params) { p.Tools = []sampling.Tool{{Name: "t"}} })},
		{`the tool "" needs a name`, with(func(p *sampling.Params) { p.Tools = []sampling.Tool{{InputSchema: json.RawMessage(`{}`)}} })},
		{"a priority is 1.5", with(func(p *sampling.Params) { p.Preferences = &sampling.Preferences{Speed: new(1.5)} })},
		{"message 0: no content", with(func(p *sampling.Params) { p.Messages[0].Content = nil })},
		{"message 0: block 0: 0 of Content, ToolUse and ToolResult are set", with(func(p *sampling.Params) { p.Messages[0].Content = []sampling.Block{{}} })},
		{"message 0: block 0: 2 of Content", with(func(p *sampling.Params) {
			p.Messages[0].Content = []sampling.Block{{Content: content.NewText("x"), ToolUse: &sampling.ToolUse{}}}
		})},
		{`message 0: the role is ""`, with(func(p *sampling.Params) { p.Messages[0].Role = "" })},
		{"message 0: block 0: a message holds text", with(func(p *sampling.Params) {
			p.Messages[0].Content = []sampling.Block{{Content: content.Embed(content.TextContents("a:b", "", ""))}}
		})},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, asked, err := asks(t, "", `{"sampling":{"tools":{},"context":{}}}`, c.params, `{}`)
			var question *mcp.AskError
			if !errors.As(err, &question) || question.Key != "q" || !strings.Contains(err.Error(), c.want) || asked != "" {
				t.Errorf("%v, asked %s", err, asked)
			}
		})
	}
}

func TestTheExplicitForm(t *testing.T) {
	request, err := sampling.Request("世界", everything())
	if err != nil || request.Key != "世界" || request.Method != "sampling/createMessage" {
		t.Errorf("%+v, %v", request, err)
	}
	if _, err := sampling.Request("k", sampling.Params{}); err == nil {
		t.Error("a request without messages")
	}
	for _, answer := range []string{``, `null`, `[]`, `{"content":1}`, `{"content":[1]}`, `{"content":{"type":"text"}}`, `{"role":1}`} {
		if got, err := sampling.Decode(json.RawMessage(answer)); err == nil {
			t.Errorf("%s is %+v", answer, got)
		}
	}
}
