package mcp_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// shelf has 5 entries of every kind, in pages of 2.
func shelf(o mcp.Options) *mcp.Server {
	o.PageSize = 2
	return testServer(&o, func(s *mcp.Server) {
		for i := range 5 {
			name := fmt.Sprint("n", i)
			mcp.AddTool(s, mcp.Tool{Name: name, Description: "世界"}, noTool)
			mcp.AddFixedResource(s, mcp.Resource{URI: "x://" + name, Name: name}, "")
			mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: name + "://{name}", Name: name}, nameIs(""))
			mcp.AddPrompt(s, mcp.Prompt{Name: name, Description: "😀"}, greetTo)
		}
	})
}

var listMethods = []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"}

var nextCursor = regexp.MustCompile(`,"nextCursor":"([A-Za-z0-9_-]+)"\}\}$`)

func cursorOf(t testing.TB, got *tape) string {
	t.Helper()
	found := nextCursor.FindStringSubmatch(got.reply)
	if found == nil {
		return ""
	}
	return found[1]
}

func listPage(method, cursor string) string { return modern("1", method, `"cursor":`+quoted(cursor)) }

var entryNames = regexp.MustCompile(`"name":"n(\d)"`)

func namesIn(got *tape) (names string) {
	for _, found := range entryNames.FindAllStringSubmatch(got.reply, -1) {
		names += found[1]
	}
	return names
}

func TestPagesHoldEveryEntryOnceInOrder(t *testing.T) {
	k := talkTo(t, shelf(mcp.Options{}))
	for _, method := range listMethods {
		t.Run(method, func(t *testing.T) {
			first := k.send(modern("1", method, ""))
			second := k.send(listPage(method, cursorOf(t, first)))
			third := k.send(listPage(method, cursorOf(t, second)))
			if namesIn(first) != "01" || namesIn(second) != "23" || namesIn(third) != "4" || cursorOf(t, third) != "" {
				t.Errorf("pages:\n%s\n%s\n%s", first.reply, second.reply, third.reply)
			}
			again := k.send(listPage(method, cursorOf(t, first)))
			if namesIn(again) != "23" {
				t.Errorf("the same cursor again: %s", again.reply)
			}
			for _, page := range []*tape{first, second, third} { // server/utilities/caching: one scope for all pages
				if !strings.Contains(page.reply, `"ttlMs":300000,"cacheScope":"private","resultType":"complete"`) {
					t.Errorf("no hints: %s", page.reply)
				}
			}
		})
	}
}

func TestPagesInLegacyRevisions(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		k := legacyTalk(t, shelf(mcp.Options{}), revision)
		got := k.send(request("1", "tools/list", ""))
		names := namesIn(got)
		for cursor := cursorOf(t, got); cursor != ""; cursor = cursorOf(t, got) {
			got = k.send(request("1", "tools/list", `"cursor":"`+cursor+`"`))
			names += namesIn(got)
		}
		if names != "01234" {
			t.Errorf("%s: %s", revision, names)
		}
		wantError(t, k.send(request("1", "tools/list", `"cursor":""`)), "1", -32602, "cursor")
	}
}

func TestCursorsThatAreRefused(t *testing.T) {
	now := time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)
	o := mcp.Options{Dynamic: true, Clock: func() time.Time { return now }}
	k := talkTo(t, shelf(o))
	good := cursorOf(t, k.send(modern("1", "tools/list", "")))
	foreign := cursorOf(t, talkTo(t, shelf(o)).send(modern("1", "tools/list", "")))
	ofPrompts := cursorOf(t, k.send(modern("1", "prompts/list", "")))
	for rule, params := range map[string]string{
		"an empty one": `"cursor":""`, "a number": `"cursor":1`, "null": `"cursor":null`, "an object": `"cursor":{}`,
		"nonsense": `"cursor":"世界"`, "another server's": `"cursor":"` + foreign + `"`, "another list's": `"cursor":"` + ofPrompts + `"`,
		"a cut one": `"cursor":"` + good[:len(good)-1] + `"`, "a long one": `"cursor":"` + strings.Repeat("A", 4<<10) + `"`,
	} {
		t.Run(rule, func(t *testing.T) {
			got := k.send(modern("1", "tools/list", params))
			wantError(t, got, "1", -32602, "cursor")
			if got.status != 200 {
				t.Errorf("status %d", got.status)
			}
		})
	}
	t.Run("one that has expired", func(t *testing.T) {
		now = now.Add(24 * time.Hour)
		wantError(t, k.send(listPage("tools/list", good)), "1", -32602, "cursor")
		now = now.Add(-24 * time.Hour)
	})
	t.Run("one of a list that has changed", func(t *testing.T) {
		server := shelf(o)
		k := talkTo(t, server)
		tools, prompts := cursorOf(t, k.send(modern("1", "tools/list", ""))), cursorOf(t, k.send(modern("1", "prompts/list", "")))
		addTools(t, server, "n5")
		wantError(t, k.send(listPage("tools/list", tools)), "1", -32602, "stale")
		if got := k.send(listPage("prompts/list", prompts)); namesIn(got) != "23" { // the other lists are as they were
			t.Errorf("prompts: %s", got.reply)
		}
	})
	t.Run("any, where lists are not paged", func(t *testing.T) {
		k := talkTo(t, testServer(nil, echo))
		for _, cursor := range []string{"", good} {
			wantError(t, k.send(listPage("tools/list", cursor)), "1", -32602, "cursor")
		}
	})
}

func TestAReplicaWithTheSameKeysTakesACursor(t *testing.T) {
	o := mcp.Options{Keys: sharedKeys}
	cursor := cursorOf(t, talkTo(t, shelf(o)).send(modern("1", "tools/list", "")))
	if got := talkTo(t, shelf(o)).send(listPage("tools/list", cursor)); namesIn(got) != "23" {
		t.Error(got.reply)
	}
}

func TestListsAreInTheOrderOfRegistrationAndNeverNull(t *testing.T) {
	server := testServer(&mcp.Options{Dynamic: true})
	k := talkTo(t, server)
	for method, member := range map[string]string{"tools/list": "tools", "resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts"} {
		wantReply(t, k.send(modern("1", method, "")), done("1", `"`+member+`":[],"ttlMs":300000,"cacheScope":"private"`))
		wantReply(t, legacyTalk(t, server, "2025-11-25").send(request("1", method, "")), answered("1", `"`+member+`":[]`))
	}
	addTools(t, server, "zebra", "apple", "mango")
	reply := k.send(modern("1", "tools/list", "")).reply
	if z, a, m := strings.Index(reply, "zebra"), strings.Index(reply, "apple"), strings.Index(reply, "mango"); z > a || a > m || z < 0 {
		t.Error(reply)
	}
}

func TestAToolIsListedForEveryClientWhateverItNeeds(t *testing.T) {
	k := talkTo(t, testServer(nil, func(s *mcp.Server) {
		mcp.AddTool(s, mcp.Tool{Name: "needy", Description: "D", Needs: []mcp.Capability{mcp.CapabilitySampling}},
			func(context.Context, struct{}) (string, error) { return "", nil })
	}))
	without := k.send(modern("1", "tools/list", "")).reply
	with := k.send(request("1", "tools/list", metaOpen+`{"sampling":{}}}`)).reply
	if without != with || !strings.Contains(without, "needy") {
		t.Errorf("%s\n%s", without, with)
	}
}
