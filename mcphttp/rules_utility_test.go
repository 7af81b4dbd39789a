package mcphttp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

func TestProgressIsOfTheRequestThatAsksForIt(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	for _, token := range []string{`"p"`, `5`, `"5"`, `0`, `"世界😀"`, `123456789012345678901`} {
		r := rule{method: "tools/call", target: "talk", params: callOf("talk", "{}"), meta: `,"progressToken":` + token}
		a := do(t, r.request(t, url, "7")).expect(t, 200, eventType)
		events, last, seen := readEvents(t, strings.NewReader(a.body)), 0.0, 0
		for e := events.next(); !strings.Contains(e.data, `"result"`); e = events.next() {
			var m struct {
				Method string
				Params struct {
					ProgressToken json.RawMessage
					Progress      float64
				}
			}
			if err := json.Unmarshal([]byte(e.data), &m); err != nil || m.Method != "notifications/progress" {
				t.Fatalf("%s: got %s, %v", token, e.data, err)
			}
			if string(m.Params.ProgressToken) != token || m.Params.Progress <= last {
				t.Errorf("%s: got %s after progress %v", token, e.data, last)
			}
			last = m.Params.Progress
			seen++
		}
		if seen != 2 {
			t.Errorf("%s: got %d notifications, want the two that increase", token, seen)
		}
		events.end() // nothing comes after the answer
	}
}

func TestLogRecordsAreSentFromTheLevelThatARequestNames(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	for level, want := range map[string]int{"": 0, "debug": 4, "info": 3, "notice": 2, "warning": 2, "error": 1, "critical": 0, "emergency": 0} {
		r := rule{method: "tools/call", target: "talk", params: callOf("talk", "{}")}
		if level != "" {
			r.meta = `,"io.modelcontextprotocol/logLevel":"` + level + `"`
		}
		if a := do(t, r.request(t, url, "7")); strings.Count(a.body, "notifications/message") != want || strings.Contains(a.body, "notifications/progress") {
			t.Errorf("%s: got %s, want %d records and no progress", level, a.body, want)
		}
	}
	rule{name: "logging is declared", method: "server/discover", status: 200, want: []string{`"logging":{}`}}.check(t, url)
}

func TestPagesTogetherAreTheList(t *testing.T) {
	t.Parallel()
	url := ruled(t, nil)
	whole := member(t, do(t, rule{method: "tools/list"}.request(t, url, "1")).body, "tools")
	paged := ruled(t, &mcp.Options{PageSize: 3, Dynamic: true, ResourceUpdates: true})
	var all []json.RawMessage
	cursor := ""
	for range 100 {
		r := rule{method: "tools/list", params: cursor, status: 200, want: []string{`"cacheScope":"private"`}}
		body := r.check(t, paged).body
		var page struct {
			Result struct {
				Tools      []json.RawMessage
				NextCursor *string
			}
		}
		if err := json.Unmarshal([]byte(body), &page); err != nil || len(page.Result.Tools) > 3 {
			t.Fatalf("%s, %v", body, err)
		}
		all = append(all, page.Result.Tools...)
		if page.Result.NextCursor == nil {
			break
		}
		cursor = `"cursor":"` + *page.Result.NextCursor + `"`
	}
	got, err := json.Marshal(all)
	if err != nil || string(got) != whole {
		t.Errorf("the pages together are\n%s\nwant\n%s", got, whole)
	}
	rule{name: "a cursor of another list", method: "prompts/list", params: cursor, status: 200, want: []string{"-32602"}}.check(t, paged)
}
