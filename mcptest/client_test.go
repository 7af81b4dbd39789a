package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/mcptest"
)

func TestEveryMethodInEveryRevision(t *testing.T) {
	seen := []string{}
	mcptest.EachRevision(t, newServer, nil, func(t *testing.T, c *mcptest.Client) {
		seen = append(seen, c.Revision())
		ctx := t.Context()
		if s := c.Server(); s.Name != "tested" || s.Version != "1.2.3" || s.Instructions != "add 😀" || !strings.Contains(string(s.Capabilities), `"tools":{`) {
			t.Errorf("server %+v", s)
		}
		checkLists(ctx, t, c)
		parts, err := c.ReadResource(ctx, "t://notes")
		if err != nil || len(parts) != 1 || parts[0].Text != "世" || parts[0].URI != "t://notes" || parts[0].Blob != nil {
			t.Errorf("text %+v, %v", parts, err)
		}
		parts, err = c.ReadResource(ctx, "t://b")
		if err != nil || len(parts) != 1 || string(parts[0].Blob) != "\x00\xff" {
			t.Errorf("blob %+v, %v", parts, err)
		}
		prompt, err := c.GetPrompt(ctx, "greet", map[string]string{"name": "世界"})
		want := &mcp.PromptResult{Description: "Greets", Messages: []mcp.Message{mcp.UserText("Hello 世界"), mcp.AssistantText("😀")}}
		if err != nil || compact(t, prompt.Messages) != compact(t, want.Messages) || prompt.Description != want.Description {
			t.Errorf("prompt %+v, %v", prompt, err)
		}
		done, err := c.CompleteTemplate(ctx, "t://shout/{text}", "text", "世", nil)
		if err != nil || !slices.Equal(done.Values, []string{"世界"}) || done.Total != 1 || done.HasMore {
			t.Errorf("completion %+v, %v", done, err)
		}
		if _, err := c.CompletePrompt(ctx, "greet", "name", "x", map[string]string{"city": "😀"}); err != nil {
			t.Error(err)
		}
	})
	if !slices.Equal(seen, mcptest.Revisions()) || len(seen) != 5 {
		t.Errorf("ran in %q", seen)
	}
}

func checkLists(ctx context.Context, t *testing.T, c *mcptest.Client) {
	t.Helper()
	tools, err := c.ListTools(ctx)
	if err != nil || len(tools) != 17 || tools[0].Name != "add" || tools[0].Description != "adds" || !json.Valid(tools[0].InputSchema) {
		t.Errorf("tools %+v, %v", tools, err)
	}
	if c.Revision() == mcptest.Revisions()[4] && (string(tools[0].Hints) != `{"readOnlyHint":true}` || tools[0].Title != "Add" || string(tools[0].OutputSchema) != `{"type":"integer"}`) {
		t.Errorf("tool %+v", tools[0])
	}
	resources, err := c.ListResources(ctx)
	if err != nil || len(resources) != 4 || resources[0].URI != "t://notes" || resources[0].Size != 3 || resources[1].Size != 0 || resources[0].Description != "世界" {
		t.Errorf("resources %+v, %v", resources, err)
	}
	templates, err := c.ListTemplates(ctx)
	if err != nil || len(templates) != 1 || templates[0].URITemplate != "t://shout/{text}" || templates[0].Name != "shout" {
		t.Errorf("templates %+v, %v", templates, err)
	}
	prompts, err := c.ListPrompts(ctx)
	if err != nil || len(prompts) != 1 || len(prompts[0].Arguments) != 2 || prompts[0].Arguments[0].Name != "name" || !prompts[0].Arguments[0].Required || prompts[0].Arguments[1].Required {
		t.Errorf("prompts %+v, %v", prompts, err)
	}
}

func TestErrorsOfTheServerAreThoseOfTheModule(t *testing.T) {
	c := mcptest.Connect(t, newServer(), nil)
	ctx := t.Context()
	_, refused := c.CallTool(ctx, "refuse", nil)
	_, noTool := c.CallTool(ctx, "世界", nil)
	_, noResource := c.ReadResource(ctx, "t://世界")
	_, noPrompt := c.GetPrompt(ctx, "世界", nil)
	_, noReference := c.CompletePrompt(ctx, "世界", "a", "", nil)
	for want, err := range map[string]error{
		`tool "refuse": mcp: no 世界 (7)`:                         refused,
		`tool "世界": mcp: unknown tool: 世界 (-32602)`:             noTool,
		`resource "t://世界": mcp: resource not found (-32602)`:   noResource,
		`prompt "世界": mcp: unknown prompt: 世界 (-32602)`:         noPrompt,
		`completion of "a": mcp: invalid params: nothing to co`: noReference,
	} {
		var e *mcp.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	var e *mcp.Error
	if errors.As(refused, &e); compact(t, e.Data) != `{"n":1}` {
		t.Errorf("data %v", e.Data)
	}
	if _, err := c.CallTool(ctx, "add", make(chan int)); err == nil || !strings.Contains(err.Error(), `tool "add": the arguments`) {
		t.Errorf("error %v", err)
	}
}

func TestAResultKeepsItsBlocks(t *testing.T) {
	c := mcptest.Connect(t, newServer(), nil)
	result, err := c.CallTool(t.Context(), "blocks", nil)
	if err != nil || len(result.Content) != 3 || result.Text() != "a\nb" || result.IsError || result.Structured != nil {
		t.Fatalf("result %+v, %v", result, err)
	}
	if image, ok := result.Content[1].(content.Image); !ok || string(image.Data) != "\x01" {
		t.Errorf("block %+v", result.Content[1])
	}
	result, err = c.CallTool(t.Context(), "fail", nil)
	if err != nil || !result.IsError || result.Text() != "世界 is full" {
		t.Errorf("result %+v, %v", result, err)
	}
}

func TestWhoCallsIsWhatTheTestSays(t *testing.T) {
	c := mcptest.Connect(t, newServer(), &mcptest.Options{ClientInfo: mcp.Implementation{Name: "世界", Title: "😀", Version: "9"}})
	who, err := mcptest.Call[string](mcp.WithCaller(t.Context(), mcp.Caller{ID: "ann"}), c, "who", nil)
	if want := "{世界 😀 9} {ann}memory" + c.Revision(); err != nil || who != want {
		t.Errorf("who %q, %v, want %q", who, err, want)
	}
	c = mcptest.Connect(t, newServer(), nil)
	if who, err := mcptest.Call[string](t.Context(), c, "who", nil); err != nil || !strings.HasPrefix(who, "{mcptest  0.0.0} {}") {
		t.Errorf("who %q, %v", who, err)
	}
}

func TestNotificationsComeInOrderBeforeTheResult(t *testing.T) {
	for _, revision := range mcptest.Revisions() {
		t.Run(revision, func(t *testing.T) {
			var told []string
			c := mcptest.Connect(t, newServer(), &mcptest.Options{
				Revision: revision, LogLevel: "warning",
				OnNotification: func(n mcptest.Notification) { told = append(told, n.Method) },
			})
			if _, err := c.CallTool(t.Context(), "work", nil); err != nil {
				t.Fatal(err)
			}
			if want := []string{"notifications/progress", "notifications/message"}; !slices.Equal(told, want) {
				t.Errorf("told %q, want %q", told, want)
			}
		})
	}
}

func TestChangesAreToldToThoseWhoListen(t *testing.T) {
	for _, revision := range mcptest.Revisions() {
		t.Run(revision, func(t *testing.T) {
			var told []string
			server := newServer()
			c := mcptest.Connect(t, server, &mcptest.Options{Revision: revision, OnNotification: func(n mcptest.Notification) {
				told = append(told, n.Method)
			}})
			stop, err := c.Listen(t.Context(), mcptest.Filter{Tools: true, Updates: []string{"t://b"}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.CallTool(t.Context(), "grow", nil); err != nil {
				t.Fatal(err)
			}
			if err := server.ResourceUpdated(t.Context(), "t://b"); err != nil {
				t.Fatal(err)
			}
			if len(told) != 1 {
				t.Errorf("before the flush: %q", told)
			}
			c.Flush(t.Context())
			want := []string{"notifications/tools/list_changed", "notifications/resources/updated"}
			if !slices.Equal(told, want) {
				t.Errorf("told %q, want %q", told, want)
			}
			stop()
			if err := server.ResourceUpdated(t.Context(), "t://b"); err != nil {
				t.Fatal(err)
			}
			if c.Flush(t.Context()); len(told) != 2 {
				t.Errorf("after the end: %q", told)
			}
		})
	}
	c := mcptest.Connect(t, mcp.NewServer("s", "1", nil), nil)
	if _, err := c.Listen(t.Context(), mcptest.Filter{Tools: true}); err == nil || !strings.HasPrefix(err.Error(), "listen: mcp: method not found") || !strings.Contains(err.Error(), "mcp.Options.Dynamic") {
		t.Errorf("error %v", err)
	}
}

func TestQuestionsAreAnsweredInBothEras(t *testing.T) {
	answers := mcptest.Options{
		Elicit: func(_ context.Context, q mcptest.Question) (mcptest.Answer, error) {
			if q.URL != "" {
				return mcptest.Answer{}, nil
			}
			return mcptest.Answer{Content: consent{Sure: strings.Contains(q.Message, "世界") && q.Schema != nil}}, nil
		},
		Sample: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"世界😀"},"model":"m"}`), nil
		},
		Roots: func(context.Context) ([]mcptest.Root, error) {
			return []mcptest.Root{{URI: "file:///世界", Name: "😀"}}, nil
		},
	}
	for i, revision := range mcptest.Revisions() {
		t.Run(revision, func(t *testing.T) {
			o := answers
			o.Revision = revision
			c := mcptest.Connect(t, newServer(), &o)
			want := map[string]string{"poem": "世界😀", "where": "[{file:///世界 😀}]"}
			if i >= 2 { // forms came with the third revision, URLs with the fourth
				want["ask"] = "true false"
			}
			if i >= 3 {
				want["visit"] = "visited"
			}
			for tool, text := range want {
				if got, err := mcptest.Call[string](t.Context(), c, tool, nil); err != nil || got != text {
					t.Errorf("%s: %q, %v, want %q", tool, got, err, text)
				}
			}
		})
	}
}

func TestAnswersThatAreNo(t *testing.T) {
	for rule, c := range map[string]struct {
		answer mcptest.Answer
		err    error
		want   string
	}{
		"declined":  {mcptest.Answer{Action: "decline", Content: consent{true}}, nil, "declined"},
		"dismissed": {mcptest.Answer{Action: "cancel"}, nil, "dismissed"},
		"failed":    {mcptest.Answer{}, errors.New("nobody 世界"), "nobody 世界"},
		"no JSON":   {mcptest.Answer{Content: make(chan int)}, nil, "chan int"},
	} {
		for _, revision := range mcptest.Revisions()[2:] {
			t.Run(rule+" in "+revision, func(t *testing.T) {
				client := mcptest.Connect(t, newServer(), &mcptest.Options{Revision: revision, Elicit: func(context.Context, mcptest.Question) (mcptest.Answer, error) {
					return c.answer, c.err
				}})
				if _, err := mcptest.Call[string](t.Context(), client, "ask", nil); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q in it", err, c.want)
				}
			})
		}
	}
}

func TestAClientWithoutAnswersIsNotAsked(t *testing.T) {
	mcptest.EachRevision(t, newServer, nil, func(t *testing.T, c *mcptest.Client) {
		if _, err := mcptest.Call[string](t.Context(), c, "ask", nil); err == nil {
			t.Error("no error")
		}
	})
}

func TestACallThatIsGivenUpEndsItsHandler(t *testing.T) {
	for _, revision := range mcptest.Revisions() {
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			s := mcp.NewServer("s", "1", nil)
			mcp.AddTool(s, mcp.Tool{Name: "hang", Description: "hangs"}, func(ctx context.Context, _ none) (string, error) {
				<-ctx.Done()
				ended <- ctx.Err()
				return "", ctx.Err()
			})
			c := mcptest.Connect(t, s, &mcptest.Options{Revision: revision})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				synctest.Wait()
				cancel()
			}()
			if _, err := c.CallTool(ctx, "hang", nil); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the handler's context ended with %v", err)
			}
		})
	}
}

func TestCallsMayRunConcurrently(t *testing.T) {
	c := mcptest.Connect(t, newServer(), &mcptest.Options{OnNotification: func(mcptest.Notification) {}})
	done := make(chan error)
	for i := range 8 {
		go func() {
			var err error
			for j := range 20 {
				got, callErr := mcptest.Call[int](t.Context(), c, "add", pair{i, j})
				if callErr == nil && got != i+j {
					callErr = errors.New("a wrong sum")
				}
				err = errors.Join(err, callErr)
			}
			_, workErr := c.CallTool(t.Context(), "work", nil)
			done <- errors.Join(err, workErr)
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
