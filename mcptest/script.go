package mcptest

import (
	"strings"
	"testing"
)

// entry is one line of a script, with the lines that it expects.
type entry struct {
	kind entryKind
	line int    // from 1
	text string // the line; without its mark where it has one
	want []string
	// expects: the script says what comes out, be it nothing.
	expects bool
}

type entryKind uint8

const (
	plainEntry   entryKind = iota // blank, or a comment
	sessionEntry                  // a new session
	inEntry                       // a line goes in
	eventEntry                    // an event happens
)

const (
	markSession   = "---"
	markIn        = "-> "
	markOut       = "<- "
	markEvent     = "! "
	expectNothing = "<- nothing"
)

// parseScript reads a script, or ends the test with the first line that is none.
func parseScript(t testing.TB, path, text string) []entry {
	t.Helper()
	var entries []entry
	last := -1 // the entry that expected lines belong to
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		e := entry{line: number, text: line}
		switch {
		case line == expectNothing, strings.HasPrefix(line, markOut):
			if last < 0 {
				t.Fatalf("%s:%d: an expected line with nothing before it that could cause it; begin with %q or %q", path, number, markIn, markEvent)
			}
			entries[last].expects = true
			if line != expectNothing {
				entries[last].want = append(entries[last].want, line[len(markOut):])
			}
			continue
		case strings.HasPrefix(line, markIn):
			e.kind, e.text = inEntry, line[len(markIn):]
		case strings.HasPrefix(line, markEvent):
			e.kind, e.text = eventEntry, line[len(markEvent):]
		case strings.HasPrefix(line, markSession):
			e.kind = sessionEntry
		case line != "" && line[0] != '#':
			t.Fatalf("%s:%d: the line begins with none of %q, %q, %q, %q and #", path, number, markIn, markOut, markEvent, markSession)
		}
		entries = append(entries, e)
		switch e.kind {
		case inEntry, eventEntry:
			last = len(entries) - 1
		case sessionEntry:
			last = -1
		}
	}
	return entries
}

// formatScript is the text of a script.
func formatScript(entries []entry) string {
	var b strings.Builder
	for _, e := range entries {
		switch e.kind {
		case inEntry:
			b.WriteString(markIn)
		case eventEntry:
			b.WriteString(markEvent)
		}
		b.WriteString(e.text + "\n")
		if e.kind != inEntry && e.kind != eventEntry {
			continue
		}
		for _, line := range e.want {
			b.WriteString(markOut + line + "\n")
		}
		if len(e.want) == 0 {
			b.WriteString(expectNothing + "\n")
		}
	}
	return b.String()
}
