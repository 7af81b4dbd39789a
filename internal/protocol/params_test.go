package protocol_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

func TestStringParamIsRequired(t *testing.T) {
	for params, want := range map[string]string{
		`{"name":"世界😀"}`: "世界😀", `{"name":"\u4e16\u754c\ud83d\ude00"}`: "世界😀", `{"name":""}`: "",
	} {
		if got, fault := protocol.StringParam(decode(t, request("x", params)), protocol.ParamName); fault != nil || got != want {
			t.Errorf("%s: %q %v", params, got, fault)
		}
	}
	for _, params := range []string{`{}`, `{"name":null}`, `{"name":7}`, `{"Name":"x"}`} {
		if got, fault := protocol.StringParam(decode(t, request("x", params)), protocol.ParamName); fault == nil || fault.Code != -32602 || !strings.Contains(fault.Message, "name") {
			t.Errorf("%s: %q %v", params, got, fault)
		}
	}
}

func TestArgumentsAreAnObjectOrAbsent(t *testing.T) {
	for params, want := range map[string]string{`{}`: `{}`, `{"arguments":{"a": 1}}`: `{"a": 1}`} {
		if got, fault := protocol.ArgumentsParam(decode(t, request("x", params))); fault != nil || string(got) != want {
			t.Errorf("%s: %s %v", params, got, fault)
		}
	}
	for _, params := range []string{`{"arguments":null}`, `{"arguments":[]}`, `{"arguments":"{}"}`} {
		if _, fault := protocol.ArgumentsParam(decode(t, request("x", params))); fault == nil || fault.Code != -32602 {
			t.Errorf("%s: %v", params, fault)
		}
	}
}

func TestAnEmptyCursorIsACursor(t *testing.T) {
	cursor, given, fault := protocol.CursorParam(decode(t, request("x", `{"cursor":""}`)))
	if cursor != "" || !given || fault != nil {
		t.Errorf("%q %v %v", cursor, given, fault)
	}
	if _, given, fault := protocol.CursorParam(decode(t, request("x", `{}`))); given || fault != nil {
		t.Errorf("%v %v", given, fault)
	}
	for _, params := range []string{`{"cursor":null}`, `{"cursor":3}`} {
		if _, _, fault := protocol.CursorParam(decode(t, request("x", params))); fault == nil || fault.Code != -32602 {
			t.Errorf("%s: %v", params, fault)
		}
	}
}

func TestLevelParam(t *testing.T) {
	if level, fault := protocol.LevelParam(decode(t, request("x", `{"level":"alert"}`))); fault != nil || level != protocol.LevelAlert {
		t.Errorf("%v %v", level, fault)
	}
	for _, params := range []string{`{}`, `{"level":"loud"}`, `{"level":3}`} {
		if _, fault := protocol.LevelParam(decode(t, request("x", params))); fault == nil || fault.Code != -32602 {
			t.Errorf("%s: %v", params, fault)
		}
	}
}

func TestCompletionParams(t *testing.T) {
	m := decode(t, request("completion/complete", `{"ref":{"type":"ref/resource","uri":"a://{世界}","x":1},"argument":{"name":"世界","value":"😀"},"context":{"arguments":{"b":"c"}}}`))
	p, fault := protocol.CompleteParamsOf(m)
	if fault != nil || p.Ref.URI != "a://{世界}" || p.Argument.Value != "😀" || p.Context.Arguments["b"] != "c" {
		t.Errorf("%+v %v", p, fault)
	}
	good := `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`
	if p, fault := protocol.CompleteParamsOf(decode(t, request("x", `{`+good+`}`))); fault != nil || p.Context != nil {
		t.Errorf("%+v %v", p, fault)
	}
	for rule, params := range map[string]string{
		"no ref":               `{"argument":{"name":"a","value":""}}`,
		"an unknown ref type":  `{"ref":{"type":"ref/tool","name":"p"},"argument":{"name":"a","value":""}}`,
		"a prompt unnamed":     `{"ref":{"type":"ref/prompt"},"argument":{"name":"a","value":""}}`,
		"a resource unnamed":   `{"ref":{"type":"ref/resource","name":"x"},"argument":{"name":"a","value":""}}`,
		"no argument":          `{"ref":{"type":"ref/prompt","name":"p"}}`,
		"an argument unnamed":  `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"value":""}}`,
		"a value no string":    `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":1}}`,
		"no value":             `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a"}}`,
		"a context no object":  `{` + good + `,"context":null}`,
		"a context of numbers": `{` + good + `,"context":{"arguments":{"a":1}}}`,
	} {
		if _, fault := protocol.CompleteParamsOf(decode(t, request("x", params))); fault == nil || fault.Code != -32602 {
			t.Errorf("%s: %v", rule, fault)
		}
	}
}

func TestSubscriptionFilter(t *testing.T) {
	m := decode(t, request("subscriptions/listen", `{"notifications":{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["a://世界😀"],"tasks":["x"],"y":null}}`))
	f, fault := protocol.FilterOf(m)
	if fault != nil || !f.ToolsListChanged || f.PromptsListChanged || f.ResourcesListChanged || len(f.ResourceSubscriptions) != 1 {
		t.Errorf("%+v %v", f, fault)
	}
	if f, fault := protocol.FilterOf(decode(t, request("x", `{"notifications":{}}`))); fault != nil || f.ToolsListChanged {
		t.Errorf("an empty filter: %+v %v", f, fault)
	}
	for _, params := range []string{
		`{}`, `{"notifications":null}`, `{"notifications":[]}`, `{"notifications":{"toolsListChanged":"yes"}}`, `{"notifications":{"toolsListChanged":null}}`,
		`{"notifications":{"resourceSubscriptions":"a://b"}}`, `{"notifications":{"resourceSubscriptions":[1]}}`,
		`{"notifications":{"resourceSubscriptions":[null]}}`, `{"notifications":{"resourceSubscriptions":null}}`,
	} {
		if f, fault := protocol.FilterOf(decode(t, request("x", params))); fault == nil || fault.Code != -32602 {
			t.Errorf("%s: %+v %v", params, f, fault)
		}
	}
}

func TestCancellationsThatAreMalformedAreNone(t *testing.T) {
	id, reason, ok := protocol.CancelledOf(decode(t, request("x", `{"requestId":"世界","reason":"because 😀"}`)))
	if !ok || id.Text() != `"世界"` || reason != "because 😀" {
		t.Errorf("%v %q %v", id, reason, ok)
	}
	if id, _, ok := protocol.CancelledOf(decode(t, request("x", `{"requestId":9007199254740993}`))); !ok || id.Text() != "9007199254740993" {
		t.Errorf("%v %v", id, ok)
	}
	for _, params := range []string{`{}`, `{"requestId":null}`, `{"requestId":1.5}`, `{"requestId":[1]}`, `{"requestId":1,"reason":2}`} {
		if id, _, ok := protocol.CancelledOf(decode(t, request("x", params))); ok {
			t.Errorf("%s: %v", params, id)
		}
	}
}

func TestParamNames(t *testing.T) {
	if protocol.ParamRequestID.String() != "requestId" || protocol.NoParam.String() != "" || protocol.Param(99).String() != "" || protocol.Param(-1).String() != "" {
		t.Error("names are wrong")
	}
}
