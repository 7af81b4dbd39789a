package protocol_test

import (
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

// encoded returns the JSON of a wire type.
func encoded(t *testing.T, v any) string {
	t.Helper()
	out, err := protocol.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// into decodes JSON into a wire type.
func into[T any](t *testing.T, line string) (v T) {
	t.Helper()
	if err := protocol.Decode([]byte(line), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestToolLosesWhatARevisionDoesNotKnow(t *testing.T) {
	line := `{"name":"t","title":"T 世界","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"data:,"}],"_meta":{"k":1},"execution":{"taskSupport":"required"},"x":1}`
	want := []string{
		`{"name":"t","description":"d","inputSchema":{"type":"object"},"x":1}`,
		`{"name":"t","description":"d","inputSchema":{"type":"object"},"annotations":{"title":"T 世界","readOnlyHint":true},"x":1}`,
		`{"name":"t","title":"T 世界","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"k":1},"x":1}`,
		`{"name":"t","title":"T 世界","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"data:,"}],"_meta":{"k":1},"x":1}`,
		`{"name":"t","title":"T 世界","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"data:,"}],"_meta":{"k":1},"x":1}`,
	}
	tool := into[protocol.Tool](t, line)
	for r := range protocol.Revisions() {
		if got := encoded(t, tool.For(r)); got != want[r.Index] {
			t.Errorf("%s:\ngot  %s\nwant %s", r.Name, got, want[r.Index])
		}
	}
	if got := encoded(t, tool); got != line {
		t.Errorf("the definition itself changed: %s", got)
	}
}

func TestTitleMovesIntoAnnotationsOnlyWhereTheyHaveNone(t *testing.T) {
	r := protocol.Lookup(names[1])
	for line, want := range map[string]string{
		`{"name":"t","title":"T","inputSchema":{}}`:                             `{"name":"t","inputSchema":{},"annotations":{"title":"T"}}`,
		`{"name":"t","title":"T","inputSchema":{},"annotations":{"title":"A"}}`: `{"name":"t","inputSchema":{},"annotations":{"title":"A"}}`,
		`{"name":"t","inputSchema":{}}`:                                         `{"name":"t","inputSchema":{}}`,
	} {
		if got := encoded(t, into[protocol.Tool](t, line).For(r)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestResourcesLoseWhatARevisionDoesNotKnow(t *testing.T) {
	const tail = `"name":"n","title":"T","description":"d","mimeType":"m","annotations":{"lastModified":"2025-01-01T00:00:00Z"},"icons":[{"src":"data:,"}],"_meta":{},"x":"世界"}`
	wantTail := []string{
		`"name":"n","description":"d","mimeType":"m","x":"世界"}`,
		`"name":"n","description":"d","mimeType":"m","x":"世界"}`,
		`"name":"n","title":"T","description":"d","mimeType":"m","annotations":{"lastModified":"2025-01-01T00:00:00Z"},"_meta":{},"x":"世界"}`,
		tail, tail,
	}
	resource := into[protocol.Resource](t, `{"uri":"a://b",`+tail)
	template := into[protocol.ResourceTemplate](t, `{"uriTemplate":"a://{b}",`+tail)
	for r := range protocol.Revisions() {
		if got, want := encoded(t, resource.For(r)), `{"uri":"a://b",`+wantTail[r.Index]; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", r.Name, got, want)
		}
		if got, want := encoded(t, template.For(r)), `{"uriTemplate":"a://{b}",`+wantTail[r.Index]; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", r.Name, got, want)
		}
	}
	kept := into[protocol.Resource](t, `{"uri":"u","name":"n","annotations":{"audience":["user"],"priority":0.5,"lastModified":"x"}}`)
	if got, want := encoded(t, kept.For(protocol.Lookup(names[0]))), `{"uri":"u","name":"n","annotations":{"audience":["user"],"priority":0.5}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPromptLosesWhatARevisionDoesNotKnow(t *testing.T) {
	line := `{"name":"p","title":"P","arguments":[{"name":"a","title":"A","required":true}],"icons":[{"src":"data:,"}],"_meta":{}}`
	want := []string{
		`{"name":"p","arguments":[{"name":"a","required":true}]}`,
		`{"name":"p","arguments":[{"name":"a","required":true}]}`,
		`{"name":"p","title":"P","arguments":[{"name":"a","title":"A","required":true}],"_meta":{}}`,
		line, line,
	}
	prompt := into[protocol.Prompt](t, line)
	for r := range protocol.Revisions() {
		if got := encoded(t, prompt.For(r)); got != want[r.Index] {
			t.Errorf("%s: %s, want %s", r.Name, got, want[r.Index])
		}
	}
	if got := encoded(t, prompt); got != line {
		t.Errorf("the definition itself changed: %s", got)
	}
	if got := encoded(t, protocol.Prompt{Name: "p"}.For(protocol.Lookup(names[0]))); got != `{"name":"p"}` {
		t.Errorf("a prompt without arguments: %s", got)
	}
}

func TestImplementationLosesWhatARevisionDoesNotKnow(t *testing.T) {
	line := `{"name":"n","title":"T","version":"1","description":"d","websiteUrl":"w","icons":[{"src":"data:,"}]}`
	want := []string{`{"name":"n","version":"1"}`, `{"name":"n","version":"1"}`, `{"name":"n","title":"T","version":"1"}`, line, line}
	info := into[protocol.Implementation](t, line)
	for r := range protocol.Revisions() {
		if got := encoded(t, info.For(r)); got != want[r.Index] {
			t.Errorf("%s: %s, want %s", r.Name, got, want[r.Index])
		}
	}
	if got := encoded(t, info.Brief()); got != want[2] {
		t.Errorf("Brief is %s", got)
	}
}
