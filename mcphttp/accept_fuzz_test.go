package mcphttp

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzAccept holds the parser of Accept headers to a slow twin that collects all ranges first.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{
		"application/json, text/event-stream", "*/*;q=0", "*/*, application/json;q=0", "text/*;q=0.5,TEXT/EVENT-STREAM;q=0.000",
		"application/*;q=0,application/json", ";,/,*", "application/json;Q=0", "application/json;q=", "application/json;q=0;q=1", "世界/*",
		"text/event-stream;q=. ", "application/json;q=0.0.0, text/event-stream;q=00", "application/json;q=0.",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got := parseAccept([]string{line})
		if want := (accepted{slowAccepts(line, typeJSON), slowAccepts(line, typeEvents)}); got != want {
			t.Fatalf("%q: got %+v, want %+v", line, got, want)
		}
	})
}

func slowAccepts(line, media string) bool {
	family, _, _ := strings.Cut(media, "/")
	for _, wanted := range []string{media, family + "/*", "*/*"} { // most specific first
		named, taken := false, false
		for _, item := range strings.Split(line, ",") {
			parts := strings.Split(item, ";")
			if !strings.EqualFold(strings.TrimSpace(parts[0]), wanted) {
				continue
			}
			named = true
			taken = taken || !slowZero(parts[1:])
		}
		if named {
			return taken
		}
	}
	return false
}

var zero = regexp.MustCompile(`^0(\.0*)?$`)

func slowZero(params []string) bool {
	for _, param := range params {
		name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
		if strings.EqualFold(name, "q") {
			return zero.MatchString(value)
		}
	}
	return false
}
