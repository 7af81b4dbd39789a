package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/bowline-go/mcp"
)

func TestTheRegistryIsFixedOnceItServes(t *testing.T) {
	server := testServer(nil, echo)
	kept := mcp.Registrar(server)
	connect(t, server)
	for rule, add := range map[string]func(){
		"AddTool":          func() { echo(server) },
		"AddRawTool":       func() { mcp.AddRawTool[string](kept, mcp.Tool{}, nil) },
		"AddResource":      func() { mcp.AddResource[string](kept, mcp.Resource{}, nil) },
		"AddFixedResource": func() { mcp.AddFixedResource(kept, mcp.Resource{}, "") },
		"AddTemplate":      func() { mcp.AddTemplate[struct{}, string](kept, mcp.ResourceTemplate{}, nil) },
		"AddPrompt":        func() { mcp.AddPrompt[struct{}, string](kept, mcp.Prompt{}, nil) },
		"Use":              func() { server.Use() },
	} {
		t.Run(rule, func(t *testing.T) {
			defer func() {
				text := fmt.Sprint(recover())
				if !strings.Contains(text, "Options.Dynamic") || !strings.Contains(text, "Server.Change") {
					t.Errorf("the panic says %q", text)
				}
			}()
			add()
		})
	}
	if err := server.Change(t.Context(), func(*mcp.Change) { t.Error("the edit ran") }); err == nil || !strings.Contains(err.Error(), "Options.Dynamic") {
		t.Errorf("Change: %v", err)
	}
	if err := server.ResourceUpdated(t.Context(), "x://a"); err == nil || !strings.Contains(err.Error(), "Options.ResourceUpdates") {
		t.Errorf("ResourceUpdated: %v", err)
	}
	if err := server.Check(); err != nil {
		t.Errorf("Check: %v", err)
	}
}

func TestAMistakeKeepsEverySessionFromOpening(t *testing.T) {
	server := testServer(nil, echo, echo)
	if _, err := server.Connect(mcp.ConnectOptions{}); err == nil || !strings.Contains(err.Error(), "already registered") {
		t.Errorf("the first Connect: %v", err)
	}
	if _, err := server.Connect(mcp.ConnectOptions{}); err == nil {
		t.Error("the second Connect succeeds")
	}
	if server.Check() == nil {
		t.Error("Check finds nothing")
	}
}

func TestAChangeIsOneStep(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true}, echo, fixed("x://a", "A"), template("y://{name}", nameIs("")), prompt("greet", greetTo))
	k := talkTo(t, server)
	everything, _ := k.listening(listenTo("0", `"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true`))
	changes := []struct {
		rule string
		edit func(c *mcp.Change)
		want []string
	}{
		{"a tool", func(c *mcp.Change) {
			mcp.AddTool(c, mcp.Tool{Name: "b", Description: "B"}, func(context.Context, struct{}) (string, error) { return "b 世界", nil })
		}, []string{"tools"}},
		{"several things of one kind are told once", func(c *mcp.Change) {
			mcp.AddFixedResource(c, mcp.Resource{URI: "x://b", Name: "b"}, "B")
			c.Remove(mcp.ResourceItem("x://a"), mcp.TemplateItem("y://{name}"))
		}, []string{"resources"}},
		{"a replacement under the same name", func(c *mcp.Change) {
			c.Remove(mcp.ToolItem("b"))
			mcp.AddTool(c, mcp.Tool{Name: "b", Description: "B"}, func(context.Context, struct{}) (string, error) { return "b 😀", nil })
		}, []string{"tools"}},
		{"every kind", func(c *mcp.Change) {
			c.Remove(mcp.ToolItem("echo"), mcp.ResourceItem("x://b"), mcp.PromptItem("greet"))
		}, []string{"tools", "prompts", "resources"}},
		{"nothing", func(*mcp.Change) {}, nil},
	}
	for _, c := range changes {
		if err := server.Change(t.Context(), c.edit); err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		var want []string
		for _, kind := range c.want {
			want = append(want, heard("0", "notifications/"+kind+"/list_changed", ""))
		}
		wantFlushed(t, everything.Flush, want...)
	}
	wantReply(t, k.send(callTool("1", "b")), said("1", "b 😀"))
	wantError(t, k.send(callEcho("1", "x")), "1", -32602)
	wantError(t, k.send(readURI("1", "y://a")), "1", -32602)
	wantReply(t, k.send(modern("1", "resources/list", "")), done("1", `"resources":[],"ttlMs":300000,"cacheScope":"private"`))
}

// What a handler holds on to is let go of with its entry, whether that was there from the start or came later.
func TestWhatIsRemovedIsLetGoOf(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true})
	add := func(r mcp.Registrar, name string) weak.Pointer[[1 << 20]byte] {
		held := new([1 << 20]byte)
		mcp.AddTool(r, mcp.Tool{Name: name, Description: "Holds"}, func(context.Context, struct{}) (string, error) { return string(held[:1]), nil })
		return weak.Make(held)
	}
	first := add(server, "first")
	connect(t, server)
	var later weak.Pointer[[1 << 20]byte]
	change(t, server, func(c *mcp.Change) { later = add(c, "later") })
	change(t, server, func(c *mcp.Change) { c.Remove(mcp.ToolItem("first"), mcp.ToolItem("later")) })
	runtime.GC()
	if first.Value() != nil || later.Value() != nil {
		t.Errorf("what a tool held is there still: from the start %v, of a change %v", first.Value() != nil, later.Value() != nil)
	}
	runtime.KeepAlive(server)
}

func TestAChangeWithMistakesChangesNothing(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true}, echo)
	k := talkTo(t, server)
	everything, _ := k.listening(listenTo("0", `"toolsListChanged":true`))
	before := k.send(modern("1", "tools/list", "")).reply
	err := server.Change(t.Context(), func(c *mcp.Change) {
		c.Remove(mcp.ToolItem("echo"), mcp.ToolItem("nope 世界"), mcp.PromptItem("nope"))
		mcp.AddTool(c, mcp.Tool{Name: "good", Description: "Good"}, func(context.Context, struct{}) (string, error) { return "", nil })
		mcp.AddTool(c, mcp.Tool{Name: "bad name", Description: "Bad"}, func(context.Context, struct{}) (string, error) { return "", nil })
	})
	for _, part := range []string{`remove tool "nope 世界"`, `remove prompt "nope"`, `tool "bad name"`, "change_test.go:"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %s: %v", part, err)
		}
	}
	if after := k.send(modern("1", "tools/list", "")).reply; after != before {
		t.Errorf("the list changed: %s", after)
	}
	wantFlushed(t, everything.Flush)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := server.Change(gone, func(*mcp.Change) { t.Error("the edit ran") }); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
	addTools(t, server, "good") // and the next change is made as if nothing had been
	wantFlushed(t, everything.Flush, heard("0", "notifications/tools/list_changed", ""))
}

func TestAChangeIsOverWhenItIsMade(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true})
	var kept *mcp.Change
	if err := server.Change(t.Context(), func(c *mcp.Change) { kept = c }); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "call Server.Change again") {
			t.Errorf("the panic says %q", text)
		}
	}()
	kept.Remove(mcp.ToolItem("echo"))
}

func TestAPanicInAnEditLeavesTheServerAsItWas(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true}, echo)
	k := talkTo(t, server)
	func() {
		defer func() { _ = recover() }()
		_ = server.Change(t.Context(), func(c *mcp.Change) {
			c.Remove(mcp.ToolItem("echo"))
			panic("in the edit")
		})
	}()
	wantReply(t, k.send(callEcho("1", "x")), said("1", "x"))
	addTools(t, server, "after")
	wantReply(t, k.send(callTool("1", "after")), said("1", "after"))
}

func TestEveryRequestSeesARegistryBeforeOrAfterAChange(t *testing.T) {
	pair := func(r mcp.Registrar, n int) {
		for _, name := range []string{"left", "right"} {
			mcp.AddTool(r, mcp.Tool{Name: name, Description: fmt.Sprint("generation ", n)}, func(context.Context, struct{}) (int, error) { return n, nil })
		}
	}
	server := testServer(&mcp.Options{Dynamic: true}, func(s *mcp.Server) { pair(s, 0) })
	var readers sync.WaitGroup
	over := make(chan struct{})
	for range 4 {
		k := talkTo(t, server)
		readers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				text := k.send(modern("1", "tools/list", "")).reply
				first := strings.Index(text, "generation ")
				last := strings.LastIndex(text, "generation ")
				if first == last || text[first:first+13] != text[last:last+13] {
					t.Errorf("two generations in one list: %s", text)
					return
				}
			}
		})
	}
	for n := range 50 {
		err := server.Change(t.Context(), func(c *mcp.Change) {
			c.Remove(mcp.ToolItem("left"), mcp.ToolItem("right"))
			pair(c, n+1)
		})
		if err != nil {
			t.Error(err)
		}
	}
	close(over)
	readers.Wait()
}
