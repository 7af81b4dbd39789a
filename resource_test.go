package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

func fixed[Value any](uri string, value Value) func(*mcp.Server) {
	return func(s *mcp.Server) { mcp.AddFixedResource(s, mcp.Resource{URI: uri, Name: "fixed"}, value) }
}

func resource[Out any](uri string, read func(context.Context) (Out, error)) func(*mcp.Server) {
	return func(s *mcp.Server) { mcp.AddResource(s, mcp.Resource{URI: uri, Name: "read"}, read) }
}

func template[Vars, Out any](uriTemplate string, read func(context.Context, Vars) (Out, error)) func(*mcp.Server) {
	return func(s *mcp.Server) {
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: uriTemplate, Name: "template"}, read)
	}
}

func readURI(id, uri string) string { return modern(id, "resources/read", `"uri":`+quoted(uri)) }

// holds is a whole modern result of resources/read.
func holds(id, contents string, ttl int) string {
	return done(id, `"contents":[`+contents+`],"ttlMs":`+fmt.Sprint(ttl)+`,"cacheScope":"private"`)
}

func textOf(uri, text string) string {
	return `{"uri":"` + uri + `","mimeType":"text/plain","text":` + quoted(text) + `}`
}

func TestResourceResultsOfEveryKind(t *testing.T) {
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		want     string
	}{
		{"a string", resource("x://a", func(context.Context) (string, error) { return "世界😀", nil }), textOf("x://a", "世界😀")},
		{"an empty string", resource("x://a", func(context.Context) (string, error) { return "", nil }), textOf("x://a", "")},
		{"bytes", resource("x://a", func(context.Context) ([]byte, error) { return []byte("世"), nil }), `{"uri":"x://a","mimeType":"application/octet-stream","blob":"5LiW"}`},
		{"no bytes are an empty blob", resource("x://a", func(context.Context) ([]byte, error) { return nil, nil }), `{"uri":"x://a","mimeType":"application/octet-stream","blob":""}`},
		{"a reader", resource("x://a", func(context.Context) (*strings.Reader, error) { return strings.NewReader("世"), nil }), `{"uri":"x://a","mimeType":"application/octet-stream","blob":"5LiW"}`},
		{"a value is JSON text", resource("x://a", func(context.Context) (map[string]int, error) { return map[string]int{"b": 1, "a": 2}, nil }), `{"uri":"x://a","mimeType":"application/json","text":"{\"a\":2,\"b\":1}"}`},
		{"raw JSON is JSON text", resource("x://a", func(context.Context) (json.RawMessage, error) { return json.RawMessage(`{"世": 1}`), nil }), `{"uri":"x://a","mimeType":"application/json","text":"{\"世\":1}"}`},
		{"contents say all by themselves", resource("x://a", func(context.Context) (mcp.Contents, error) {
			return mcp.Contents{URI: "x://世界", MIMEType: "text/html", Text: "<&>", Meta: json.RawMessage(`{"example.com/k":"世"}`)}, nil
		}), `{"uri":"x://世界","mimeType":"text/html","text":"<&>","_meta":{"example.com/k":"世"}}`},
		{"several contents", resource("x://a", func(context.Context) ([]mcp.Contents, error) {
			return []mcp.Contents{{MIMEType: "text/plain", Text: "1"}, content.TextContents("x://b", "text/plain", "2")}, nil
		}), textOf("x://a", "1") + "," + textOf("x://b", "2")},
		{"no contents are an empty list", resource("x://a", func(context.Context) ([]mcp.Contents, error) { return nil, nil }), ``},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			wantReply(t, talkTo(t, testServer(nil, c.register)).send(readURI("1", "x://a")), holds("1", c.want, 0))
		})
	}
}

func TestAReadThatFailsIsAnInternalError(t *testing.T) {
	cases := []struct {
		rule     string
		register func(*mcp.Server)
		text     string
	}{
		{"an error", resource("x://a", func(context.Context) (string, error) { return "", errors.New("disk 世界") }), "Internal error: disk 世界"},
		{"no result and no error", resource("x://a", func(context.Context) (*mcp.ReadResult, error) { return nil, nil }), "neither contents nor an error"},
		{"a nil value", resource("x://a", func(context.Context) (*echoIn, error) { return nil, nil }), "neither a value nor an error"},
		{"a value that JSON has no form for", resource("x://a", func(context.Context) (chan int, error) { return make(chan int), nil }), "Internal error"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := talkTo(t, testServer(nil, c.register)).send(readURI("1", "x://a"))
			wantError(t, got, "1", -32603, c.text)
			if got.status != 200 || got.refused {
				t.Errorf("status %d, refused %v", got.status, got.refused)
			}
		})
	}
}

func TestAMissingResourceIsToldAsTheRevisionSays(t *testing.T) {
	server := testServer(
		nil, resource("x://gone", func(context.Context) (string, error) { return "", fmt.Errorf("世界: %w", mcp.ErrNotFound) }),
		resource("x://moved", func(context.Context) (string, error) { return "", fmt.Errorf("see: %w", mcp.NotFound("x://世界")) }),
		template("n://{n}", func(_ context.Context, v struct {
			N int `json:"n"`
		},
		) (string, error) {
			return fmt.Sprint(v.N), nil
		}))
	for uri, named := range map[string]string{
		"x://nothing/世界😀": "x://nothing/世界😀", "x://gone": "x://gone", "x://moved": "x://世界", "n://seven": "n://seven", "n://": "n://",
	} {
		data := `"data":{"uri":` + quoted(named) + `}`
		wantError(t, talkTo(t, server).send(readURI("1", uri)), "1", -32602, "resource not found", data)
		for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
			wantError(t, legacyTalk(t, server, revision).send(request("1", "resources/read", `"uri":`+quoted(uri))), "1", -32002, "resource not found", data)
		}
	}
	wantReply(t, talkTo(t, server).send(readURI("1", "n://7")), holds("1", textOf("n://7", "7"), 0))
	for _, params := range []string{``, `"uri":7`, `"uri":null`} {
		if params == "" {
			wantError(t, talkTo(t, server).send(modern("1", "resources/read", "")), "1", -32602, "missing uri")
			continue
		}
		wantError(t, talkTo(t, server).send(modern("1", "resources/read", params)), "1", -32602, "uri must be a string")
	}
}

type oneName struct {
	Name string `json:"name"`
}

func nameIs(prefix string) func(context.Context, oneName) (string, error) {
	return func(_ context.Context, v oneName) (string, error) { return prefix + v.Name, nil }
}

func TestWhoReadsAURI(t *testing.T) {
	k := talkTo(t, testServer(
		nil, template("x://{name}", nameIs("first ")), template("x://{name}.md", nameIs("never ")), template("y://{+name}", nameIs("path ")),
		fixed("x://exact", "exact"), fixed("x://世界/😀", "unicode")))
	for _, c := range []struct{ rule, uri, text string }{
		{"an exact resource comes before every template", "x://exact", "exact"},
		{"templates come in the order of registration", "x://a.md", "first a.md"},
		{"values are percent-decoded", "x://a%20b%2Fc%E4%B8%96", "first a b/c世"},
		{"astral characters may be escaped", "x://%F0%9F%98%80", "first 😀"},
		{"non-ASCII may stand unescaped", "x://世界😀", "first 世界😀"},
		{"a reserved variable takes slashes", "y://a/b/世", "path a/b/世"},
		{"an exact URI is compared as it is", "x://世界/😀", "unicode"},
	} {
		wantReply(t, k.send(readURI("1", c.uri)), holds("1", textOf(c.uri, c.text), map[bool]int{true: 300000}[c.text == "exact" || c.text == "unicode"]))
	}
	for _, uri := range []string{"x://", "x://a/b", "X://exact", "x://%ff", "x://%e4%b8", "x://%zz", "x://" + strings.Repeat("a", 9<<10)} {
		wantError(t, k.send(readURI("1", uri)), "1", -32602, "resource not found")
	}
}

func TestCacheHintsOfReads(t *testing.T) {
	minute := mcp.Cache{TTL: time.Minute, Public: true}
	read := func(context.Context) (string, error) { return "x", nil }
	server := testServer(&mcp.Options{Cache: mcp.Cache{TTL: 1500 * time.Millisecond, Public: true}}, func(s *mcp.Server) {
		mcp.AddFixedResource(s, mcp.Resource{URI: "x://fixed", Name: "n"}, "x")
		mcp.AddFixedResource(s, mcp.Resource{URI: "x://fixed/own", Name: "n", Cache: minute}, "x")
		mcp.AddFixedResource(s, mcp.Resource{URI: "x://fixed/public", Name: "n", Cache: mcp.Cache{Public: true}}, "x")
		mcp.AddFixedResource(s, mcp.Resource{URI: "x://fixed/stale", Name: "n", Cache: mcp.Cache{TTL: -1}}, "x")
		mcp.AddResource(s, mcp.Resource{URI: "x://read", Name: "n"}, read)
		mcp.AddResource(s, mcp.Resource{URI: "x://read/own", Name: "n", Cache: minute}, read)
		mcp.AddResource(s, mcp.Resource{URI: "x://read/stale", Name: "n", Cache: mcp.Cache{TTL: -1}}, read)
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "t://{name}", Name: "n"}, nameIs(""))
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "u://{name}", Name: "n", Cache: minute}, nameIs(""))
	})
	k := talkTo(t, server)
	for uri, want := range map[string]string{
		"x://fixed":     `"ttlMs":1500,"cacheScope":"public"`,
		"x://fixed/own": `"ttlMs":60000,"cacheScope":"public"`,
		// What is not said is the server's: the time is, once it is said who may share.
		"x://fixed/public": `"ttlMs":1500,"cacheScope":"public"`,
		"x://fixed/stale":  `"ttlMs":0,"cacheScope":"private"`,
		"x://read":         `"ttlMs":0,"cacheScope":"private"`,
		"x://read/own":     `"ttlMs":60000,"cacheScope":"public"`,
		"x://read/stale":   `"ttlMs":0,"cacheScope":"private"`,
		"t://x":            `"ttlMs":0,"cacheScope":"private"`,
		"u://x":            `"ttlMs":60000,"cacheScope":"public"`,
	} {
		if got := k.send(readURI("1", uri)); !strings.Contains(got.reply, want+`,"resultType":"complete"`) {
			t.Errorf("%s: got %s, want %s", uri, got.reply, want)
		}
	}
	old := legacyTalk(t, server, "2025-11-25")
	wantReply(t, old.send(request("1", "resources/read", `"uri":"x://fixed"`)), answered("1", `"contents":[`+textOf("x://fixed", "x")+`]`))
	for _, method := range []string{"tools/call", "prompts/get", "completion/complete"} {
		if got := k.send(modern("1", method, `"name":"none"`)); strings.Contains(got.reply, "ttlMs") {
			t.Errorf("%s carries cache hints: %s", method, got.reply)
		}
	}
}

func TestVariablesOfAQueryMayBeAbsent(t *testing.T) {
	type vars struct {
		Name  string `json:"name"`
		Sort  string `json:"sort"`
		Limit int    `json:"limit" default:"7"`
		From  *int   `json:"from"`
	}
	k := talkTo(t, testServer(nil, func(s *mcp.Server) {
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "x://{name}{?sort,limit,from}", Name: "n"},
			func(_ context.Context, v vars) (string, error) {
				return fmt.Sprint(v.Name, "|", v.Sort, "|", v.Limit, "|", v.From != nil), nil
			})
	}))
	for uri, want := range map[string]string{
		"x://世":                          "世||7|false",
		"x://a?limit=2":                  "a||2|false",
		"x://a?from=0&sort=%F0%9F%98%80": "a|😀|7|true",
		"x://a?limit=":                   "a||7|false",
	} {
		wantReply(t, k.send(readURI("1", uri)), holds("1", textOf(uri, want), 0))
	}
	if got := k.send(readURI("1", "x://a?limit=x")); !strings.Contains(got.reply, "resource not found") {
		t.Errorf("got %s", got.reply)
	}
}
