package protocol_test

import (
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

func TestClientCapabilitiesAreDeclaredByObjects(t *testing.T) {
	form, url := protocol.CanElicitForm, protocol.CanElicitURL
	cases := []struct {
		rule, raw string
		want      protocol.CapabilitySet
	}{
		{"nothing", `{}`, 0},
		{"an empty elicitation means forms", `{"elicitation":{}}`, form},
		{"form alone", `{"elicitation":{"form":{}}}`, form},
		{"url alone is no form", `{"elicitation":{"url":{}}}`, url},
		{"both modes", `{"elicitation":{"form":{},"url":{}}}`, form | url},
		{"an unknown mode is passed over", `{"elicitation":{"voice":{}}}`, form},
		{"a mode that is no object is not declared", `{"elicitation":{"form":true}}`, 0},
		{"null is no object", `{"elicitation":null,"sampling":null,"roots":null}`, 0},
		{"true is no object", `{"elicitation":true,"sampling":1,"roots":"x"}`, 0},
		{"sampling", `{"sampling":{}}`, protocol.CanSample},
		{"sampling with tools and context", `{"sampling":{"context":{},"tools":{}}}`, protocol.CanSample | protocol.CanSampleTools | protocol.CanSampleContext},
		{"sampling with tools that are no object", `{"sampling":{"tools":[]}}`, protocol.CanSample},
		{"roots", `{"roots":{}}`, protocol.CanListRoots},
		{"roots that change", `{"roots":{"listChanged":true}}`, protocol.CanListRoots | protocol.CanReportRoots},
		{"roots that do not", `{"roots":{"listChanged":false}}`, protocol.CanListRoots},
		{"unknown ones are passed over", `{"世界😀":{"elicitation":{}},"extensions":{"a/b":{"roots":{}}},"tasks":{}}`, 0},
		{"blanks and escaped names", "{ \"\\u0065licitation\"\t:\n{ \"u\\u0072l\" : { } } , \"roots\":{ } }", url | protocol.CanListRoots},
		{"names are case-sensitive", `{"Roots":{},"SAMPLING":{}}`, 0},
		{"strings with braces inside", `{"x":"}{\"","roots":{}}`, protocol.CanListRoots},
		{"blanks around it", " {\"roots\":{}}\n", protocol.CanListRoots},
		{"no object", `[]`, 0},
		{"no text", ``, 0},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := protocol.DecodeCapabilities([]byte(c.raw)); got != c.want {
				t.Errorf("%s: %v, want %v", c.raw, got, c.want)
			}
			for end := range len(c.raw) {
				protocol.DecodeCapabilities([]byte(c.raw[:end])) // truncated text must not lead outside it
			}
		})
	}
}

func TestRequiredCapabilitiesNameOnlyWhatIsMissing(t *testing.T) {
	cases := []struct {
		declared, want protocol.CapabilitySet
		data           string
	}{
		{0, protocol.CanElicitForm, `{"elicitation":{}}`},
		{0, protocol.CanElicitURL, `{"elicitation":{"url":{}}}`},
		{protocol.CanElicitForm, protocol.CanElicitURL, `{"elicitation":{"url":{}}}`},
		{protocol.CanElicitURL, protocol.CanElicitForm, `{"elicitation":{"form":{}}}`},
		{0, protocol.CanElicitForm | protocol.CanElicitURL, `{"elicitation":{"form":{},"url":{}}}`},
		{0, protocol.CanSample, `{"sampling":{}}`},
		{protocol.CanSample, protocol.CanSample | protocol.CanSampleTools, `{"sampling":{"tools":{}}}`},
		{0, protocol.CanSample | protocol.CanSampleContext, `{"sampling":{"context":{}}}`},
		{0, protocol.CanListRoots | protocol.CanElicitForm, `{"roots":{},"elicitation":{}}`},
		{protocol.CanElicitForm, protocol.CanListRoots | protocol.CanElicitForm, `{"roots":{}}`},
	}
	for _, c := range cases {
		if got := string(c.declared.AppendRequired(nil, c.want)); got != c.data {
			t.Errorf("%v of %v: %s, want %s", c.want, c.declared, got, c.data)
		}
		if c.declared.Has(c.want) {
			t.Errorf("%v has %v", c.declared, c.want)
		}
	}
}

func TestClientCapabilitiesEncodeForEachRevision(t *testing.T) {
	all := protocol.CapabilitySet(1<<7 - 1)
	want := []string{
		`{"roots":{"listChanged":true},"sampling":{}}`,
		`{"roots":{"listChanged":true},"sampling":{}}`,
		`{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}`,
		`{"roots":{"listChanged":true},"sampling":{"context":{},"tools":{}},"elicitation":{"form":{},"url":{}}}`,
		`{"roots":{},"sampling":{"context":{},"tools":{}},"elicitation":{"form":{},"url":{}}}`,
	}
	for r := range protocol.Revisions() {
		if got := string(all.AppendTo(nil, r)); got != want[r.Index] {
			t.Errorf("%s: %s, want %s", r.Name, got, want[r.Index])
		}
	}
	if got := string(protocol.CapabilitySet(0).AppendTo(nil, protocol.Modern())); got != `{}` {
		t.Errorf("nothing encodes as %s", got)
	}
	for set := range protocol.CapabilitySet(1 << 7) {
		usual := (!set.Has(protocol.CanReportRoots) || set.Has(protocol.CanListRoots)) &&
			(set&(protocol.CanSampleTools|protocol.CanSampleContext) == 0 || set.Has(protocol.CanSample))
		if got := protocol.DecodeCapabilities(set.AppendTo(nil, protocol.LatestLegacy())); usual && got != set {
			t.Errorf("%v comes back as %v", set, got)
		}
	}
}

func TestServerCapabilitiesEncodeInTheOrderOfTheSchema(t *testing.T) {
	full := protocol.ServerCapabilities{
		Logging: true, Completions: true, Prompts: true, Resources: true, Tools: true,
		PromptsListChanged: true, ResourcesListChanged: true, ToolsListChanged: true, ResourcesSubscribe: true,
		Experimental: []byte(`{"世界":{}}`), Extensions: []byte(`{"a.example/😀":{}}`),
	}
	rest := `"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}`
	want := []string{
		`{"experimental":{"世界":{}},"logging":{},` + rest + `}`,
		`{"experimental":{"世界":{}},"logging":{},"completions":{},` + rest + `}`,
		`{"experimental":{"世界":{}},"logging":{},"completions":{},` + rest + `}`,
		`{"experimental":{"世界":{}},"logging":{},"completions":{},` + rest + `}`,
		`{"experimental":{"世界":{}},"logging":{},"completions":{},` + rest + `,"extensions":{"a.example/😀":{}}}`,
	}
	for r := range protocol.Revisions() {
		if got := string(full.AppendTo(nil, r)); got != want[r.Index] {
			t.Errorf("%s: %s, want %s", r.Name, got, want[r.Index])
		}
	}
	back := protocol.DecodeServerCapabilities([]byte(want[4]))
	if got := string(back.AppendTo(nil, protocol.Modern())); got != want[4] {
		t.Errorf("comes back as %s", got)
	}
	none := protocol.ServerCapabilities{ToolsListChanged: true}
	if got := string(none.AppendTo(nil, protocol.Modern())); got != `{}` {
		t.Errorf("no capabilities: %s", got)
	}
	if got := protocol.DecodeServerCapabilities([]byte(`{"tools":true,"logging":null}`)); got.Tools || got.Logging {
		t.Error("a capability that is no object is declared")
	}
}

func TestOffersFollowsTheCapabilities(t *testing.T) {
	s := protocol.ServerCapabilities{Tools: true, ResourcesSubscribe: true}
	for need, want := range map[protocol.Capability]bool{
		protocol.NeedsNothing: true, protocol.NeedsTools: true, protocol.NeedsPrompts: false, protocol.NeedsResources: false,
		protocol.NeedsCompletions: false, protocol.NeedsLogging: false, protocol.NeedsSubscribe: true, protocol.NeedsChanges: true, 99: false,
	} {
		if got := s.Offers(need); got != want {
			t.Errorf("Offers(%d) is %v", need, got)
		}
	}
	if (&protocol.ServerCapabilities{Tools: true}).Offers(protocol.NeedsChanges) {
		t.Error("a server whose lists never change offers changes")
	}
}
