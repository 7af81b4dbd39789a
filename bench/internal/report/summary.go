package report

import (
	"bytes"
	"fmt"

	"github.com/bowline-go/mcp/bench/internal/suite"
)

// summary has a row for each cell and a column for each server: the CPU time of a request as a multiple of the floor's. A
// cell with wrong answers is marked, because its figure is worth nothing.
func summary(b *bytes.Buffer, servers []*suite.Server, records []*suite.Record) {
	all := cells(records, suite.Load)
	if len(all) == 0 {
		return
	}
	columns := measured(servers, records)
	b.WriteString("\n## CPU of the server per request, as a multiple of the floor\n\n| transport | era | workload | level |")
	for _, s := range columns {
		fmt.Fprintf(b, " %s |", s.Name)
	}
	b.WriteString("\n|---|---|---|---|")
	for range columns {
		b.WriteString("---|")
	}
	b.WriteString("\n")
	for _, c := range all {
		fmt.Fprintf(b, "| %s | %s | %s | %d |", c.Transport, c.Era, c.Workload, c.Level)
		floor := floorOf(servers, records, c)
		for _, s := range columns {
			rounds := Pick(records, suite.Load, c, s.Name)
			mark := ""
			if wrongAnswers(rounds) {
				mark = " (wrong answers)"
			}
			fmt.Fprintf(b, " %s%s |", number(ratio(rounds, floor, cpu)), mark)
		}
		b.WriteString("\n")
	}
}

func wrongAnswers(rounds []*suite.Record) bool {
	for _, r := range rounds {
		if r.Errors > 0 || r.Late > 0 {
			return true
		}
	}
	return false
}

// measured are the servers beside the floor that took part in the load test.
func measured(servers []*suite.Server, records []*suite.Record) (out []*suite.Server) {
	took := map[string]bool{}
	for _, r := range records {
		took[r.Server] = took[r.Server] || r.Test == suite.Load
	}
	for _, s := range servers {
		if took[s.Name] && !s.Floor {
			out = append(out, s)
		}
	}
	return out
}
