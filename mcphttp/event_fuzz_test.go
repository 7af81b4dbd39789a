package mcphttp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzEvent holds what is written to what a client reads: one event, with the same JSON in it.
func FuzzEvent(f *testing.F) {
	for _, seed := range []string{`{}`, "{\n\"世界\":\r\n\"😀\"\r}", "[1,\n2]", "\"\\n\"", "\n\n\n1\r"} {
		f.Add("s-1", seed)
		f.Add("", seed)
	}
	f.Fuzz(func(t *testing.T, id, message string) {
		if !json.Valid([]byte(message)) || strings.ContainsAny(id, "\r\n\x00") {
			t.Skip()
		}
		text := appendEvent(nil, id, []byte(message))
		body, ok := bytes.CutSuffix(text, []byte("\n\n"))
		lines := strings.Split(string(body), "\n")
		if id != "" {
			if lines[0] != "id: "+id {
				t.Fatalf("got %q", lines)
			}
			lines = lines[1:]
		}
		if !ok || len(lines) != 1 || strings.Contains(lines[0], "\r") {
			t.Fatalf("got more lines than one: %q", text)
		}
		data, ok := strings.CutPrefix(lines[0], "data: ")
		var got, want bytes.Buffer
		if !ok || json.Compact(&got, []byte(data)) != nil || json.Compact(&want, []byte(message)) != nil || got.String() != want.String() {
			t.Fatalf("got %q, want %q", data, message)
		}
	})
}
