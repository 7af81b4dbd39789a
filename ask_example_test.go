package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcptest"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
	"github.com/bowline-go/mcp/schema"
)

type Repo struct {
	Name string `json:"name"`
}

type Confirm struct {
	Sure bool `json:"sure" doc:"Yes, delete it"`
}

func deleteRepo(ctx context.Context, in Repo) (string, error) {
	answer, err := mcp.Ask[Confirm](ctx, "confirm", "Delete "+in.Name+"?")
	if err != nil || !answer.Sure {
		return "Nothing was deleted.", err
	}
	return "Deleted " + in.Name + ".", remove(ctx, in.Name)
}

func remove(context.Context, string) error { return nil }

type Deploy struct {
	Service string `json:"service"`
}

type Region struct {
	Name string `json:"name" enum:"eu,us,ap"`
}

type Plan struct{ Steps int }

func makePlan(context.Context, string, ...string) (Plan, error) { return Plan{3}, nil }

func deployService(ctx context.Context, in Deploy) (string, error) {
	to, err1 := mcp.Ask[Region](ctx, "to", "Which region?")
	backup, err2 := mcp.Ask[Region](ctx, "backup", "Which backup region?")
	if err := errors.Join(err1, err2); err != nil {
		return "", err // both questions go out together
	}
	plan, err := mcp.Remember(ctx, "plan", func(ctx context.Context) (Plan, error) {
		return makePlan(ctx, in.Service, to.Name, backup.Name) // once, not once a round
	})
	if err != nil {
		return "", err
	}
	sure, err := mcp.Ask[Confirm](ctx, "sure", fmt.Sprintf("Run %d steps in %s?", plan.Steps, to.Name))
	if err != nil || !sure.Sure {
		return "Nothing was deployed.", err
	}
	return "Deployed to " + to.Name + ".", nil
}

type Name struct {
	Name string `json:"name" doc:"Who is greeted"`
}

func greetUser(ctx context.Context, _ struct{}) (string, error) {
	in, err := mcp.Ask[Name](ctx, "who", "Who should be greeted?")
	switch {
	case errors.Is(err, mcp.ErrDeclined), errors.Is(err, mcp.ErrDismissed), errors.Is(err, mcp.ErrUnsupported):
		return "Hello, stranger!", nil
	case err != nil:
		return "", err
	}
	return "Hello, " + in.Name + "!", nil
}

func importFiles(ctx context.Context, files []string) (int, error) {
	kept := 0
	for _, file := range files {
		answer, err := mcp.Ask[Confirm](ctx, "keep", "Keep "+file+"?") // keep, keep#2, keep#3, …
		if err != nil {
			return 0, err
		}
		if answer.Sure {
			kept++
		}
	}
	return kept, nil
}

type Pasted struct {
	Text string `json:"text"`
}

func summary(ctx context.Context) (string, error) {
	return mcp.Remember(ctx, "summary", func(ctx context.Context) (string, error) {
		in, err := mcp.Ask[Pasted](ctx, "text", "Paste the text, up to 10,000 characters.")
		if err != nil {
			return "", err
		}
		return shorten(in.Text), nil // the text itself travels no further
	})
}

func shorten(text string) string { return text[:min(len(text), 20)] }

func askTheRest(ctx context.Context) (string, error) {
	err1 := mcp.AskURL(ctx, "login", "Sign in to the shop", "https://shop.example/login")
	form := schema.Object().Prop("size", schema.Enum("S", "M", "L"))
	filled, err2 := mcp.AskForm(ctx, "size", "Which size?", form)
	model, err3 := sampling.Create(ctx, "title", sampling.Params{
		Messages: []sampling.Message{sampling.UserText("A title for a shop?")}, MaxTokens: 50,
	})
	folders, err4 := roots.List(ctx, "folders")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %d", filled, model.Text(), len(folders)), nil
}

func explicit(ctx context.Context, _ struct{}) (string, error) {
	request := mcp.RequestFrom(ctx)
	answer := request.InputResponse("color") // raw and unchecked
	if answer == nil {
		form := schema.Object().Prop("color", schema.Enum("red", "blue"))
		return "", mcp.InputRequired("asked", mcp.FormRequest("color", "Which color?", form))
	}
	var filled struct{ Content struct{ Color string } }
	if err := json.Unmarshal(answer, &filled); err != nil {
		return "", err
	}
	return request.State() + ": " + filled.Content.Color, nil
}

func optionsForReplicas(keys [][]byte, used interface {
	FirstUse(ctx context.Context, id string, until time.Time) (bool, error)
},
) *mcp.Options {
	return &mcp.Options{
		Keys:      keys,             // the same everywhere: the first seals, all open
		StateLife: 15 * time.Minute, // how long the user may take; an hour unless set
		Spent:     used.FirstUse,    // state is good for one use
	}
}

// A tool that asks before it does what cannot be undone. The client here is one of 2026-07-28.
func ExampleAsk() {
	server := mcp.NewServer("repos", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "delete_repo", Description: "Delete a repository", Destructive: new(true)}, deleteRepo)

	c := newExampleClient(server)
	asked := c.call("delete_repo", `{"name":"old"}`, "")
	fmt.Println(asked.message("confirm"))
	fmt.Println(c.call("delete_repo", `{"name":"old"}`, asked.with("confirm", `{"action":"accept","content":{"sure":true}}`)).text)
	// Output:
	// Delete old?
	// Deleted old.
}

// Two questions in one round, a step that runs once, and a last question that depends on both.
func ExampleRemember() {
	server := mcp.NewServer("deploy", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "deploy", Description: "Deploy a service"}, deployService)

	c := newExampleClient(server)
	asked := c.call("deploy", `{"service":"web"}`, "")
	fmt.Println(asked.keys)
	asked = c.call("deploy", `{"service":"web"}`, asked.with(
		"to", `{"action":"accept","content":{"name":"eu"}}`, "backup", `{"action":"accept","content":{"name":"us"}}`))
	fmt.Println(asked.message("sure"))
	fmt.Println(c.call("deploy", `{"service":"web"}`, asked.with("sure", `{"action":"accept","content":{"sure":true}}`)).text)
	// Output:
	// [to backup]
	// Run 3 steps in eu?
	// Deployed to eu.
}

// The explicit form: the handler keeps its rounds apart itself.
func ExampleInputRequired() {
	server := mcp.NewServer("colors", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "color", Description: "Ask for a color"}, explicit)

	c := newExampleClient(server)
	asked := c.call("color", `{}`, "")
	fmt.Println(asked.message("color"))
	fmt.Println(c.call("color", `{}`, asked.with("color", `{"action":"accept","content":{"color":"blue"}}`)).text)
	// Output:
	// Which color?
	// asked: blue
}

// exampleClient is a client of 2026-07-28 that sends one call at a time.
type exampleClient struct {
	session *mcp.Session
	testing.TB
}

func newExampleClient(server *mcp.Server) *exampleClient {
	session, err := server.Connect(mcp.ConnectOptions{Transport: "memory"})
	if err != nil {
		panic(err)
	}
	return &exampleClient{session: session}
}

// Helper and the like are what askOnce needs of a test.
func (c *exampleClient) Helper()           {}
func (c *exampleClient) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (c *exampleClient) call(tool, arguments, retry string) *pass {
	return askOnce(context.Background(), c, c.session, everyCapability, "tools/call",
		`"name":"`+tool+`"`, `"arguments":`+arguments, retry)
}

func TestTheOtherExamplesOfThePageRun(t *testing.T) {
	s := askSession(t, askServer(optionsForReplicas([][]byte{stateKey}, &firstUse{}), func(ctx context.Context) (string, error) {
		hello, err := greetUser(ctx, struct{}{})
		if err != nil {
			return "", err
		}
		kept, err := importFiles(ctx, []string{"a", "b"})
		if err != nil {
			return "", err
		}
		short, err := summary(ctx)
		if err != nil {
			return "", err
		}
		rest, err := askTheRest(ctx)
		return fmt.Sprint(hello, kept, short, rest), err
	}))
	yes := accept(`{"sure":true}`)
	p := callAsk(t, s)
	for _, answers := range [][]string{
		{"who", declined},
		{"keep", yes},
		{"keep#2", accept(`{"sure":false}`)},
		{"summary/text", accept(`{"text":"long"}`)},
		{"login", `{"action":"accept"}`, "size", accept(`{"size":"M"}`), "title", sampleAnswer, "folders", rootsAnswer},
	} {
		p.wantAsked(t, everySecond(answers)...)
		p = callAsk(t, s, p.with(answers...))
	}
	p.wantText(t, `Hello, stranger!1long{"size":"M"} 世界 1`)
}

func everySecond(pairs []string) (keys []string) {
	for i := 0; i < len(pairs); i += 2 {
		keys = append(keys, pairs[i])
	}
	return keys
}

func TestAnswersOfATestClient(t *testing.T) {
	newServer := func() *mcp.Server {
		server := mcp.NewServer("repos", "1.0.0", nil)
		mcp.AddTool(server, mcp.Tool{Name: "delete_repo", Description: "Delete a repository"}, deleteRepo)
		return server
	}
	yes := &mcptest.Options{Elicit: func(ctx context.Context, q mcptest.Question) (mcptest.Answer, error) {
		return mcptest.Answer{Content: Confirm{Sure: true}}, nil // or Action: "decline", or "cancel"
	}}
	mcptest.EachRevision(t, newServer, yes, func(t *testing.T, c *mcptest.Client) {
		text, err := mcptest.Call[string](t.Context(), c, "delete_repo", Repo{Name: "alt"})
		if canAsk := c.Revision() >= "2025-06-18"; (text == "Deleted alt.") != canAsk || (err == nil) != canAsk {
			t.Errorf("got %q, %v", text, err)
		}
	})
}

type firstUse struct{ store }

func (f *firstUse) FirstUse(ctx context.Context, id string, until time.Time) (bool, error) {
	if f.used == nil {
		f.used = map[string]time.Time{}
	}
	return f.spent(ctx, id, until)
}

// TestThePageOnAskingShowsCodeThatCompiles: every piece of Go in docs/asking.md stands in this file.
func TestThePageOnAskingShowsCodeThatCompiles(t *testing.T) {
	page, err := os.ReadFile("docs/asking.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("ask_example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 5 {
		t.Errorf("%d pieces of code", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(flat(string(source)), flat(block[1])) {
			t.Errorf("this is not in ask_example_test.go:\n%s", block[1])
		}
	}
}

// flat drops what differs between a page and a file: the indentation.
func flat(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
