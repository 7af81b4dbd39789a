package report_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/bench/internal/report"
	"github.com/bowline-go/mcp/bench/internal/suite"
)

func TestRatiosCompareServersOfOneRound(t *testing.T) {
	servers := []*suite.Server{{Name: "floor", Floor: true}, {Name: "ours", Note: "ours, 世界"}}
	var records []*suite.Record
	load := func(round int, server string, rate, cpu float64) {
		records = append(records, &suite.Record{
			Test: "load", Round: round, Server: server, Transport: "stdio", Era: "modern", Workload: "add", Level: 1,
			Requests: 10, Rate: rate, CPU: cpu, P50: 3, P99: 9, Bytes: 100, Peak: 2048,
		})
	}
	load(1, "floor", 1000, 10) // a slow round
	load(1, "ours", 500, 20)
	load(2, "floor", 4000, 2)
	load(2, "ours", 2000, 4)
	load(3, "floor", 4000, 2)
	load(3, "ours", 1000, 5)
	records = append(records, &suite.Record{Test: suite.About, Note: "a machine, 世界"})
	records[5].Errors, records[5].Error = 2, "a|b\nc"
	var b strings.Builder
	if err := report.Write(&b, servers, records); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n- a machine, 世界\n",
		"- `ours`: ours, 世界\n",
		"| transport | era | workload | level | ours |\n|---|---|---|---|---|\n| stdio | modern | add | 1 | 2.00 (wrong answers) |\n",
		"## Load\n\n### stdio, modern\n",
		"| add | 1 | floor | 4000 | 2.00 | 3 | 9 | 2.0 | 1.00 | 1.00 | 100 | 0 | 0 |\n",
		"| add | 1 | ours | 1000 | 5.00 | 3 | 9 | 2.0 | 2.00 | 2.00 | 100 | 2 a/b c | 0 |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	for _, heading := range []string{"## Startup", "## Soak", "## Idle"} {
		if strings.Contains(b.String(), heading) {
			t.Errorf("%s without a measurement", heading)
		}
	}
}

func TestEachTestHasItsTable(t *testing.T) {
	servers := []*suite.Server{{Name: "ours"}}
	records := []*suite.Record{
		{Test: "startup", Round: 1, Server: "ours", Transport: "http", Era: "legacy", Workload: "startup", Start: 4, StartCPU: 3, Peak: 1024},
		{Test: "startup", Round: 2, Server: "ours", Transport: "http", Era: "legacy", Workload: "startup", Start: 6, StartCPU: 5, Peak: 1024},
		{Test: "soak", Round: 1, Server: "ours", Transport: "stdio", Era: "modern", Workload: "add", Level: 16, Requests: 7, RSS0: 1024, RSS: 2048, Peak: 4096, Rate: 50, CPU: 12.25},
		{Test: "idle", Round: 1, Server: "ours", Transport: "http", Era: "modern", Workload: "streams", Level: 9, Connected: 9, RSS0: 1024, RSS: 2048, PerConn: 1.5},
	}
	var b strings.Builder
	if err := report.Write(&b, servers, records); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| http | legacy | ours | 5.0 | 4.0 | 1.0 | 0 |\n",
		"| stdio | modern | ours | 7 | 1.0 | 2.0 | 4.0 | 50 | 12.2 | 0  |\n",
		"| streams | modern | ours | 9 | 1.0 | 2.0 | 1.50 |  |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "## Load") {
		t.Error("a table of loads without a load")
	}
}
