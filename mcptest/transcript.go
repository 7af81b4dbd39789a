package mcptest

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// Event is something that a transcript can make happen by its name, such as a change of the registry.
type Event struct {
	// Name is what stands behind the "!" in the script.
	Name string
	// Do makes it happen. An error ends the test.
	Do func(ctx context.Context, server *mcp.Server) error
}

// Transcript runs a script: it gives lines to a server and compares what comes out with what the script
// expects, byte for byte. A script is a text file:
//
//	# a comment
//	--- the name of a session
//	-> {"jsonrpc":"2.0",…}     a line that goes in
//	<- {"jsonrpc":"2.0",…}     a line that must come out, several if need be
//	<- nothing                 nothing must come out
//	! name                     one of events; what it makes the server tell follows
//	! close                    the session ends
//
// Lines are given one by one, and each is dealt with before the next. A "---" begins a new session, with a
// new server. What a server makes anew in every run is written by name: the tokens nextCursor, requestState
// and elicitationId as "nextCursor":"${nextCursor}", and the id of a request of its own as "id":"${ask}". In a
// line that goes in, such a name stands for the last value.
//
// When the test binary has a boolean flag called update and it is set, Transcript writes the file anew with
// what came out. A package defines the flag in one of its test files:
//
//	var update = flag.Bool("update", false, "write golden files anew")
func Transcript(t testing.TB, server func() *mcp.Server, path string, events ...Event) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("mcptest: %v", err)
	}
	s := parseScript(t, path, string(text))
	run := &run{t: t, path: path, server: server, events: events, update: updating()}
	defer func() { run.end() }()
	for i := range s {
		run.step(&s[i])
	}
	if !run.update || t.Failed() {
		return
	}
	if written := formatScript(s); written != string(text) {
		if err := os.WriteFile(path, []byte(written), 0o644); err != nil {
			t.Fatalf("mcptest: %v", err)
		}
	}
}

// updating looks at the flag of the test binary.
func updating() bool {
	f := flag.Lookup("update")
	if f == nil {
		return false
	}
	getter, ok := f.Value.(flag.Getter)
	if !ok {
		return false
	}
	set, _ := getter.Get().(bool)
	return set
}

// run is a transcript under way.
type run struct {
	t      testing.TB
	path   string
	server func() *mcp.Server
	events []Event
	update bool

	current *mcp.Server
	wire    *wire
	out     []string // what came out since the step began; guarded by wire.mu
	tokens  tokens
}

// step does what an entry says.
func (r *run) step(e *entry) {
	r.t.Helper()
	switch e.kind {
	case sessionEntry:
		r.end()
	case inEntry:
		r.begin(e)
		_ = r.wire.in(r.t.Context(), []byte(r.tokens.fill(e.text))) // the script says what comes out
		r.wire.settle()
		r.compare(e)
	case eventEntry:
		r.begin(e)
		r.event(e)
		r.compare(e)
	}
}

// begin opens the session if it is not open.
func (r *run) begin(e *entry) {
	r.t.Helper()
	if r.wire != nil {
		r.wire.mu.Lock()
		r.out = nil
		r.wire.mu.Unlock()
		return
	}
	r.out = nil
	r.current, r.tokens = r.server(), tokens{}
	w, err := newWire(r.t, r.current, func(line []byte) { r.out = append(r.out, string(line)) })
	if err != nil {
		r.t.Fatalf("%s:%d: the server cannot serve: %v", r.path, e.line, err)
	}
	r.wire = w
}

func (r *run) event(e *entry) {
	r.t.Helper()
	if e.text == "close" {
		r.wire.close(patience)
		return
	}
	for _, event := range r.events {
		if event.Name != e.text {
			continue
		}
		if err := event.Do(r.t.Context(), r.current); err != nil {
			r.t.Fatalf("%s:%d: event %q: %v", r.path, e.line, e.text, err)
		}
		r.wire.settle()
		return
	}
	r.t.Fatalf("%s:%d: there is no event %q; pass it to Transcript", r.path, e.line, e.text)
}

// compare holds what came out to what the script expects, or notes it for the new script.
func (r *run) compare(e *entry) {
	r.t.Helper()
	r.wire.mu.Lock()
	got := make([]string, len(r.out))
	for i, line := range r.out {
		got[i] = r.tokens.name(line)
	}
	r.wire.mu.Unlock()
	if r.update {
		e.want = got
		return
	}
	if !e.expects {
		r.t.Errorf("%s:%d: the script does not say what comes out; write %q, or run with -update.\n got %s",
			r.path, e.line, expectNothing, strings.Join(got, "\n     "))
		return
	}
	for i := range max(len(got), len(e.want)) {
		have, want := lineAt(got, i), lineAt(e.want, i)
		if have == want {
			continue
		}
		r.t.Errorf("%s:%d: line %d that comes out differs at byte %d.\n got %s\nwant %s", r.path, e.line, i+1, firstDifference(have, want), have, want)
		return
	}
}

// end closes the session.
func (r *run) end() {
	r.t.Helper()
	if r.wire != nil && !r.wire.close(patience) {
		r.t.Errorf("%s: a handler is still running %s after its session was closed; it should watch its context", r.path, patience)
	}
	r.wire = nil
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

func firstDifference(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
