package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

type cityIn struct {
	Country string `json:"country"`
	City    string `json:"city,omitempty"`
	Kind    string `json:"kind,omitempty" enum:"Kurz,lang,世界"`
	Free    string `json:"free,omitempty"`
}

// completing has completers of every kind.
func completing() *mcp.Server {
	numbers := func(n int) mcp.Completer {
		return func(context.Context, string, map[string]string) ([]string, error) {
			values := make([]string, n)
			for i := range values {
				values[i] = fmt.Sprint("v", i)
			}
			return values, nil
		}
	}
	return testServer(nil, func(s *mcp.Server) {
		mcp.AddPrompt(s, mcp.Prompt{Name: "city", Description: "D", Complete: map[string]mcp.Completer{
			"country": mcp.CompleteFrom("France", "Finland", "世界", "😀"),
			"city": func(_ context.Context, value string, known map[string]string) ([]string, error) {
				return []string{fmt.Sprint(value, known)}, nil
			},
		}}, func(context.Context, cityIn) (string, error) { return "", nil })
		type sizes struct {
			Full string `json:"full"`
			Over string `json:"over"`
			None string `json:"none"`
			Bad  string `json:"bad"`
		}
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "x://{full}/{over}/{none}/{bad}", Name: "n", Complete: map[string]mcp.Completer{
			"full": numbers(100), "over": numbers(101), "none": numbers(0),
			"bad": func(context.Context, string, map[string]string) ([]string, error) {
				return nil, errors.New("index 世界 is gone")
			},
		}}, func(context.Context, sizes) (string, error) { return "", nil })
		// Read as a URI, the second is one of the first.
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "w://{+any}", Name: "w", Complete: map[string]mcp.Completer{
			"any": mcp.CompleteFrom("wide"),
		}}, func(context.Context, struct {
			Any string `json:"any"`
		},
		) (string, error) {
			return "", nil
		})
		mcp.AddTemplate(s, mcp.ResourceTemplate{URITemplate: "w://{id}/page", Name: "n", Complete: map[string]mcp.Completer{
			"id": mcp.CompleteFrom("narrow 世界 😀"),
		}}, func(context.Context, struct {
			ID string `json:"id"`
		},
		) (string, error) {
			return "", nil
		})
	})
}

func completion(ref, name, value, rest string) string {
	return modern("1", "completion/complete", `"ref":`+ref+`,"argument":{"name":`+quoted(name)+`,"value":`+quoted(value)+`}`+rest)
}

func completed(values, rest string) string {
	return done("1", `"completion":{"values":[`+values+`],`+rest+`}`)
}

const (
	refCity = `{"type":"ref/prompt","name":"city"}`
	refX    = `{"type":"ref/resource","uri":"x://{full}/{over}/{none}/{bad}"}`
)

func TestCompletion(t *testing.T) {
	hundred := `"v0"`
	for i := 1; i < 100; i++ {
		hundred += fmt.Sprintf(`,"v%d"`, i)
	}
	k := talkTo(t, completing())
	for _, c := range []struct{ rule, message, want string }{
		{"values that begin with what was typed, regardless of case", completion(refCity, "country", "f", ""), completed(`"France","Finland"`, `"total":2,"hasMore":false`)},
		{"non-ASCII", completion(refCity, "country", "世", ""), completed(`"世界"`, `"total":1,"hasMore":false`)},
		{"astral", completion(refCity, "country", "😀", ""), completed(`"😀"`, `"total":1,"hasMore":false`)},
		{"everything for nothing typed", completion(refCity, "country", "", ""), completed(`"France","Finland","世界","😀"`, `"total":4,"hasMore":false`)},
		{"nothing matches", completion(refCity, "country", "x", ""), completed(``, `"total":0,"hasMore":false`)},
		{"an enum completes by itself", completion(refCity, "kind", "K", ""), completed(`"Kurz"`, `"total":1,"hasMore":false`)},
		{"a known argument without a completer", completion(refCity, "free", "x", ""), completed(``, `"total":0,"hasMore":false`)},
		{"what is settled already", completion(refCity, "city", "P", `,"context":{"arguments":{"country":"世界"}}`), completed(`"Pmap[country:世界]"`, `"total":1,"hasMore":false`)},
		{"no context", completion(refCity, "city", "P", ""), completed(`"Pmap[]"`, `"total":1,"hasMore":false`)},
		{"exactly 100 values", completion(refX, "full", "", ""), completed(hundred, `"total":100,"hasMore":false`)},
		{"one value too many", completion(refX, "over", "", ""), completed(hundred, `"total":101,"hasMore":true`)},
		{"no values", completion(refX, "none", "", ""), completed(``, `"total":0,"hasMore":false`)},
		{"a URI that matches a template", completion(`{"type":"ref/resource","uri":"x://a/b/c/d"}`, "none", "", ""), completed(``, `"total":0,"hasMore":false`)},
		{"a template is found by itself, whatever else it matches", completion(`{"type":"ref/resource","uri":"w://{id}/page"}`, "id", "", ""), completed(`"narrow 世界 😀"`, `"total":1,"hasMore":false`)},
		{"a URI is that of the first template that matches it", completion(`{"type":"ref/resource","uri":"w://a/page"}`, "any", "", ""), completed(`"wide"`, `"total":1,"hasMore":false`)},
		{"a title beside the name is ignored", completion(`{"type":"ref/prompt","name":"city","title":"T"}`, "country", "fr", ""), completed(`"France"`, `"total":1,"hasMore":false`)},
	} {
		t.Run(c.rule, func(t *testing.T) { wantReply(t, k.send(c.message), c.want) })
	}
}

func TestCompletionsThatAreRefused(t *testing.T) {
	k := talkTo(t, completing())
	for _, c := range []struct {
		rule, message string
		code          int
		text          string
	}{
		{"an unknown prompt", completion(`{"type":"ref/prompt","name":"世界"}`, "country", "", ""), -32602, `世界`},
		{"an unknown template", completion(`{"type":"ref/resource","uri":"y://a"}`, "full", "", ""), -32602, `y://a`},
		{"an unknown argument", completion(refCity, "nope", "", ""), -32602, `nope`},
		{"an unknown type of reference", completion(`{"type":"ref/tool","name":"city"}`, "country", "", ""), -32602, "ref"},
		{"a reference without a name", completion(`{"type":"ref/prompt"}`, "country", "", ""), -32602, "ref"},
		{"no reference", modern("1", "completion/complete", `"argument":{"name":"country","value":""}`), -32602, "ref"},
		{"no argument", modern("1", "completion/complete", `"ref":`+refCity), -32602, "argument"},
		{"a value that is no string", modern("1", "completion/complete", `"ref":`+refCity+`,"argument":{"name":"country","value":1}`), -32602, "argument"},
		{"a context that is no object", completion(refCity, "country", "", `,"context":[]`), -32602, "context"},
		{"a context of other things than strings", completion(refCity, "country", "", `,"context":{"arguments":{"a":1}}`), -32602, "context"},
		{"a completer that fails", completion(refX, "bad", "", ""), -32603, "index 世界 is gone"},
	} {
		t.Run(c.rule, func(t *testing.T) { wantError(t, k.send(c.message), "1", c.code, c.text) })
	}
}

func TestCompletionContextByRevision(t *testing.T) {
	server := completing()
	params := `"ref":` + refCity + `,"argument":{"name":"city","value":"P"},"context":{"arguments":{"country":"世界"}}`
	for revision, want := range map[string]string{"2024-11-05": "Pmap[]", "2025-03-26": "Pmap[]", "2025-06-18": "Pmap[country:世界]", "2025-11-25": "Pmap[country:世界]"} {
		got := legacyTalk(t, server, revision).send(request("1", "completion/complete", params))
		if !strings.Contains(got.reply, `"values":["`+want+`"]`) {
			t.Errorf("%s: %s", revision, got.reply)
		}
	}
}
