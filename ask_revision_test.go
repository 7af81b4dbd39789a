package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/schema"
)

func TestARevisionIsNotAskedWhatItDoesNotHave(t *testing.T) {
	for _, test := range []struct {
		revision, declares, kind string
		asked                    bool
	}{
		{"2024-11-05", everyCapability, "form", false},
		{"2025-03-26", everyCapability, "form", false},
		{"2025-06-18", everyCapability, "form", true},
		{"2025-06-18", `{"elicitation":{"url":{}}}`, "form", true},
		{"2025-06-18", everyCapability, "url", false},
		{newestLegacy, everyCapability, "url", true},
		{newestLegacy, `{"elicitation":{}}`, "url", false},
		{newestLegacy, `{"elicitation":{"url":{}}}`, "form", false},
		{"2024-11-05", everyCapability, "sampling", true},
		{"2025-06-18", everyCapability, "sampling with tools", false},
		{"2025-06-18", everyCapability, "sampling with context", false},
		{newestLegacy, everyCapability, "sampling with tools", true},
		{newestLegacy, `{"sampling":{}}`, "sampling with tools", false},
		{newestLegacy, everyCapability, "sampling with context", true},
		{"2024-11-05", everyCapability, "roots", true},
		{"2024-11-05", `{}`, "roots", false},
	} {
		t.Run(fmt.Sprint(test.revision, " ", test.kind, " of ", test.declares), func(t *testing.T) {
			var got error
			server := askServer(nil, func(ctx context.Context) (string, error) {
				got = kinds[test.kind](ctx)
				return "", got
			})
			c := beginLegacy(t.Context(), t, legacySession(t, server, test.revision, test.declares), "tools/call", theTool)
			if test.asked {
				c.answer(c.question(), `"error":{"code":7,"message":"enough"}`)
				c.done().wantFailure(t, "enough")
				return
			}
			c.done().wantFailure(t, `question "q": the client cannot be asked this`)
			if !errors.Is(got, mcp.ErrUnsupported) {
				t.Error(got)
			}
		})
	}
}

func TestFormsOfTheFirstRevisionThatHasThem(t *testing.T) {
	form := schema.Object().
		Prop("name", schema.String().Default("Ann 世界")).
		Prop("sure", schema.Boolean().Default(true)).
		Prop("color", schema.Choices(schema.Choice{Value: "r", Title: "赤"}, schema.Choice{Value: "g", Title: "緑😀"}).Default("g")).
		Optional("name", "sure", "color")
	server := askServer(nil, func(ctx context.Context) (string, error) {
		filled, err := mcp.AskForm(ctx, "f", "?", form)
		return string(filled), err
	})
	// 2025-06-18/client/elicitation#supported-schema-types: enumNames, and defaults of booleans only.
	c := beginLegacy(t.Context(), t, legacySession(t, server, "2025-06-18", `{"elicitation":{}}`), "tools/call", theTool)
	q := c.question()
	want := `{"message":"?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"},"sure":{"type":"boolean","default":true},"color":{"type":"string","enum":["r","g"],"enumNames":["赤","緑😀"]}}}}`
	if string(q.Params) != want {
		t.Errorf("got  %s\nwant %s", q.Params, want)
	}
	c.answer(q, `"result":`+accept(`{"color":"r"}`))
	// The defaults count all the same.
	c.done().wantText(t, `{"color":"r","name":"Ann 世界","sure":true}`)

	c = beginLegacy(t.Context(), t, legacySession(t, server, newestLegacy, `{"elicitation":{}}`), "tools/call", theTool)
	want = `{"message":"?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ann 世界"},"sure":{"type":"boolean","default":true},"color":{"type":"string","oneOf":[{"const":"r","title":"赤"},{"const":"g","title":"緑😀"}],"default":"g"}}}}`
	if q = c.question(); string(q.Params) != want {
		t.Errorf("got  %s\nwant %s", q.Params, want)
	}
	c.answer(q, `"result":`+accept(`{"color":"b"}`))
	c.answer(c.question(), `"result":`+accept(`{}`))
	c.done().wantText(t, `{"name":"Ann 世界","sure":true,"color":"g"}`)

	many := askServer(nil, func(ctx context.Context) (string, error) {
		filled, err := mcp.AskForm(ctx, "f", "?", schema.Object().Prop("tags", schema.Array(schema.Enum("a", "b"))))
		return string(filled), err
	})
	askLegacy(t, legacySession(t, many, "2025-06-18", `{"elicitation":{}}`), "tools/call", theTool).
		wantFailure(t, `question "f": field "tags": this client has no lists of choices`)
	askLegacy(t, legacySession(t, many, newestLegacy, `{"elicitation":{}}`), "tools/call", theTool, `"result":`+accept(`{"tags":["b","a"]}`)).
		wantText(t, `{"tags":["b","a"]}`)
}

func TestAURLQuestionHasAnIDAndIsReportedComplete(t *testing.T) {
	handler := func(ctx context.Context) (string, error) {
		for range 2 {
			if err := mcp.AskURL(ctx, "log/in", "Sign in 世界", "https://example.com/?a=世界"); err != nil {
				return "", err
			}
		}
		mcp.CompleteURL(ctx, "other")
		mcp.CompleteURL(ctx, "log/in")
		return "done", nil
	}
	s := legacySession(t, askServer(nil, handler), newestLegacy, everyCapability)
	c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
	var ids []string
	for range 2 {
		q := c.question()
		var params struct{ ElicitationID string }
		if err := json.Unmarshal(q.Params, &params); err != nil || len(params.ElicitationID) < 26 {
			t.Fatalf("the id is %q: %s", params.ElicitationID, q.raw)
		}
		ids = append(ids, params.ElicitationID)
		want := `{"mode":"url","message":"Sign in 世界","elicitationId":"` + params.ElicitationID + `","url":"https://example.com/?a=世界"}`
		if string(q.Params) != want {
			t.Errorf("got  %s\nwant %s", q.Params, want)
		}
		c.answer(q, `"result":{"action":"accept"}`)
	}
	if ids[0] == ids[1] {
		t.Error("two questions have one id")
	}
	if got, want := c.next(), `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"`+ids[1]+`"}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.done().wantText(t, "done")

	m := askSession(t, askServer(nil, handler))
	p := callAsk(t, m)
	if strings.Contains(p.raw, "elicitationId") {
		t.Errorf("the newest revision has no such ids: %s", p.raw)
	}
	p = callAsk(t, m, p.with("log%2Fin", `{"action":"accept"}`))
	callAsk(t, m, p.with("log%2Fin#2", `{"action":"accept"}`)).wantText(t, "done") // and no notification
}
