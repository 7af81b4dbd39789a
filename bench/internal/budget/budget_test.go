package budget_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/bench/internal/budget"
	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/suite"
)

// servers are a floor, floor-json, bowline, two libraries, one of them with an entry that keeps sessions, and one library
// that knows the legacy era alone.
func servers() []*suite.Server {
	return []*suite.Server{
		{Name: "floor", Floor: true},
		{Name: "floor-json"},
		{Name: "bowline"},
		{Name: "peer"},
		{Name: "peer-stateful", Eras: []string{"legacy"}},
		{Name: "slow"},
		{Name: "old", Eras: []string{"legacy"}},
	}
}

func enter(t *testing.T, list []*suite.Server) *budget.Entrants {
	t.Helper()
	e, err := budget.Enter(list)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// canned is a measurement of one server in one row, for each round.
func canned(row budget.Row, server string, figures ...float64) (out []*suite.Record) {
	for i, v := range figures {
		r := &suite.Record{
			Test: row.Test, Round: i + 1, Server: server, Transport: row.Cell.Transport, Era: row.Cell.Era,
			Workload: row.Cell.Workload, Level: row.Cell.Level,
		}
		switch row.Figure {
		case budget.CPU:
			r.CPU, r.Requests = v, 100
		case budget.Start:
			r.Start = v
		case budget.Growth:
			r.RSS, r.RSS0, r.Requests = int64(v*1024)+10240, 10240, 100_000
		case budget.Each:
			r.PerConn, r.Connected = v, row.Cell.Level
		}
		out = append(out, r)
	}
	return out
}

// rowOf is the row whose words begin like this.
func rowOf(t *testing.T, words string) budget.Row {
	t.Helper()
	for _, row := range budget.Rows() {
		if strings.HasPrefix(row.Work, words) {
			return row
		}
	}
	t.Fatalf("no row begins with %q", words)
	return budget.Row{}
}

// A whole run as it may come: five rounds and one, wrong and late answers, a library that is missing, one that did not
// finish, and rows that were not measured at all.
func TestTheTable(t *testing.T) {
	var records []*suite.Record
	add := func(more []*suite.Record) []*suite.Record { records = append(records, more...); return more }
	one := rowOf(t, "stdio modern `add`, 1 in")
	add(canned(one, "floor", 2, 4, 2, 2, 2))
	add(canned(one, "floor-json", 4, 8, 4, 4, 4))
	add(canned(one, "bowline", 3, 6.4, 3.2, 3.8, 2.8)) // 1.5, 1.6, 1.6, 1.9, 1.4: the slow round of the floor counts for nothing
	add(canned(one, "peer", 60, 120, 60, 60, 60))
	many := rowOf(t, "stdio modern `add`, 64")
	add(canned(many, "floor", 1, 1, 1))
	add(canned(many, "bowline", 8, 8.2, 9))
	http := rowOf(t, "HTTP modern `add`")
	add(canned(http, "floor", 10))
	add(canned(http, "floor-json", 13))
	add(canned(http, "bowline", 14))
	keeping := rowOf(t, "HTTP legacy `add`")
	add(canned(keeping, "floor", 10))
	add(canned(keeping, "bowline", 13))
	add(canned(keeping, "peer", 500)) // without sessions: not what the row is about
	add(canned(keeping, "peer-stateful", 40))
	progress := rowOf(t, "10 progress")
	add(canned(progress, "floor", 10))
	add(canned(progress, "bowline", 9))[0].Late = 3
	add(canned(progress, "peer", 27))[0].Errors = 151
	start := rowOf(t, "process start to first answer, stdio")
	add(canned(start, "floor", 3))
	add(canned(start, "bowline", 9))[0].Errors = 1 // no answer: the time means nothing
	soak := rowOf(t, "RSS after 100,000 calls, HTTP modern")
	add(canned(soak, "floor", 1, 1))
	add(canned(soak, "bowline", 3.5, 4.5))
	add(canned(soak, "peer", 2))[0].Requests = 13_362
	stream := rowOf(t, "a held")
	add(canned(stream, "floor", 15.8))
	add(canned(stream, "bowline", 25.25))
	session := rowOf(t, "an idle legacy session, of 10,000")
	add(canned(session, "floor", 0))
	add(canned(session, "bowline", -0.02, 0.04))
	records = append(records, &suite.Record{Test: suite.About, Note: "load average 1.00, 世界"})

	var b strings.Builder
	if err := enter(t, servers()).Write(&b, records); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "table.md")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s differs; got\n%s", golden, b.String())
	}
}

func TestOnlyWhatConcernsBowlineAndTheFloorsFails(t *testing.T) {
	e := enter(t, servers())
	whole := func() (records []*suite.Record) {
		for _, row := range budget.Rows() {
			for _, name := range []string{"floor", "floor-json", "bowline"} {
				records = append(records, canned(row, name, 1000, 1000)...) // far over every budget
			}
		}
		return records
	}
	if err := e.Judge(whole()); err != nil {
		t.Errorf("a budget that does not hold is a result, no failure: %v", err)
	}
	wrong := whole()
	wrong = append(wrong, canned(budget.Rows()[0], "peer", 5)...)
	wrong[len(wrong)-1].Errors = 7
	if err := e.Judge(wrong); err != nil {
		t.Errorf("a library's wrong answer: %v", err)
	}
	for name, spoil := range map[string]func(*suite.Record){
		"a wrong answer":      func(r *suite.Record) { r.Errors = 1 },
		"a late notification": func(r *suite.Record) { r.Late = 1 },
	} {
		for i := range 3 { // floor, floor-json, bowline
			records := whole()
			spoil(records[2*i])
			if err := e.Judge(records); err == nil {
				t.Errorf("%s of %s was passed over", name, records[2*i].Server)
			}
		}
	}
	if err := e.Judge(whole()[6:]); err == nil || !strings.Contains(err.Error(), "not measured: "+budget.Rows()[0].Work) {
		t.Errorf("a row that is missing: %v", err)
	}
}

func TestTheBudgetNeedsTheServersThatItIsAbout(t *testing.T) {
	for i, name := range []string{"floor", "floor-json", "bowline"} {
		list := servers()
		if _, err := budget.Enter(append(list[:i], list[i+1:]...)); err == nil {
			t.Errorf("without %s", name)
		}
	}
}

// None of these servers can be started, which leaves the order in which they were to be measured.
func TestTurnsAreFair(t *testing.T) {
	list := servers()
	for _, s := range list {
		s.Command = []string{filepath.Join(t.TempDir(), "no-such-program")}
	}
	turns := map[string][]string{} // of a row and a round
	s := &suite.Suite{Processes: &process.Group{}, Emit: func(r *suite.Record) {
		key := strings.Join([]string{string(rune('0' + r.Round)), r.Test, r.Transport, r.Era, r.Workload}, " ")
		turns[key] = append(turns[key], r.Server)
	}}
	budget.Run(s, enter(t, list), 2)
	for key, want := range map[string]string{
		"1 load http modern list100":     strings.Repeat("floor floor-json bowline bowline floor-json floor ", 3) + "peer slow",
		"2 load http modern list100":     strings.Repeat("floor-json bowline floor floor bowline floor-json ", 3) + "slow peer",
		"1 load http legacy add":         strings.Repeat("floor floor-json bowline bowline floor-json floor ", 3) + "peer-stateful slow",
		"1 soak http modern add":         "floor floor-json bowline peer slow", // once, though two rows look at it
		"2 soak http modern add":         "floor-json bowline floor",
		"2 idle http modern streams":     "floor-json bowline floor",
		"1 startup stdio modern startup": strings.Repeat("floor floor-json bowline bowline floor-json floor peer slow ", 3),
	} {
		if got := strings.Join(turns[key], " "); got != strings.TrimSpace(want) {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
}
