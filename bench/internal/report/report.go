// Package report turns the measurements of a run into Markdown tables: medians over the rounds, and ratios to the floor
// of the same cell and round.
//
// This package does not measure anything.
package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

const legend = `
- *rate*: requests per second with load generator and server sharing the machine.
- *CPU*: user and system time of the server process per request, the figure least sensitive to the load generator and to
  other tenants of the machine.
- *RSS*: peak resident set.
- *CPU×* and *rate÷*: CPU relative to, and rate of, the floor server of the same cell and round (CPU× 10 means ten times
  the CPU of the floor; rate÷ 10 means a tenth of its rate).
- *level*: requests in flight (stdio) or connections (http).
- *bytes*: mean size of an answer, without HTTP heads.
- *err*: wrong, missing or failed answers in all rounds; *late*: progress notifications that arrived after their answer.

`

// Write writes the report of records to w.
func Write(w io.Writer, servers []*suite.Server, records []*suite.Record) error {
	var b bytes.Buffer
	b.WriteString("# Results\n\nMedians over the rounds.\n\n")
	for _, r := range records {
		if r.Test == suite.About {
			fmt.Fprintf(&b, "- %s\n", r.Note)
		}
	}
	b.WriteString(legend)
	for _, s := range servers {
		if s.Note != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", s.Name, s.Note)
		}
	}
	summary(&b, servers, records)
	load(&b, servers, records)
	startup(&b, servers, records)
	soak(&b, servers, records)
	idle(&b, servers, records)
	_, err := w.Write(b.Bytes())
	return err
}

func load(b *bytes.Buffer, servers []*suite.Server, records []*suite.Record) {
	heading := ""
	for _, c := range cells(records, suite.Load) {
		if h := c.Transport + ", " + c.Era; h != heading {
			if heading == "" {
				b.WriteString("\n## Load\n")
			}
			heading = h
			fmt.Fprintf(b, "\n### %s\n\n| workload | level | server | rate req/s | CPU us/req | p50 us | p99 us | RSS MiB | CPU× | rate÷ | bytes | err | late |\n"+
				"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n", h)
		}
		floor := floorOf(servers, records, c)
		for _, s := range servers {
			if rounds := Pick(records, suite.Load, c, s.Name); len(rounds) > 0 {
				loadRow(b, c, s.Name, rounds, floor)
			}
		}
	}
}

func loadRow(b *bytes.Buffer, c suite.Cell, name string, rounds, floor []*suite.Record) {
	errs, first := mistakes(rounds)
	if first != "" {
		first = " " + first
	}
	late := 0
	for _, r := range rounds {
		late += r.Late
	}
	inverse := 0.0
	if v := ratio(rounds, floor, rate); v > 0 {
		inverse = 1 / v
	}
	fmt.Fprintf(b, "| %s | %d | %s | %.0f | %s | %.0f | %.0f | %.1f | %s | %s | %.0f | %d%s | %d |\n",
		c.Workload, c.Level, name, mid(rounds, rate), number(mid(rounds, cpu)),
		mid(rounds, func(r *suite.Record) float64 { return r.P50 }), mid(rounds, func(r *suite.Record) float64 { return r.P99 }),
		mid(rounds, peakMiB), number(ratio(rounds, floor, cpu)), number(inverse),
		mid(rounds, func(r *suite.Record) float64 { return r.Bytes }), errs, first, late)
}

func startup(b *bytes.Buffer, servers []*suite.Server, records []*suite.Record) {
	all := cells(records, suite.Startup)
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Startup\n\nProcess start to the first correct `tools/call` answer, handshake included.\n\n" +
		"| transport | era | server | ms | CPU ms | peak RSS MiB | err |\n|---|---|---|---|---|---|---|\n")
	for _, c := range all {
		for _, s := range servers {
			rounds := Pick(records, suite.Startup, c, s.Name)
			if len(rounds) == 0 {
				continue
			}
			errs, _ := mistakes(rounds)
			fmt.Fprintf(b, "| %s | %s | %s | %.1f | %.1f | %.1f | %d |\n", c.Transport, c.Era, s.Name,
				mid(rounds, func(r *suite.Record) float64 { return r.Start }),
				mid(rounds, func(r *suite.Record) float64 { return r.StartCPU }), mid(rounds, peakMiB), errs)
		}
	}
}

func soak(b *bytes.Buffer, servers []*suite.Server, records []*suite.Record) {
	all := cells(records, suite.Soak)
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Soak\n\nMemory after many `add` requests at level 16.\n\n" +
		"| transport | era | server | requests | RSS before MiB | RSS after MiB | peak MiB | rate req/s | CPU us/req | err |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range all {
		for _, s := range servers {
			rounds := Pick(records, suite.Soak, c, s.Name)
			if len(rounds) == 0 {
				continue
			}
			errs, first := mistakes(rounds)
			fmt.Fprintf(b, "| %s | %s | %s | %.0f | %.1f | %.1f | %.1f | %.0f | %s | %d %s |\n", c.Transport, c.Era, s.Name,
				mid(rounds, func(r *suite.Record) float64 { return float64(r.Requests) }),
				mid(rounds, before), mid(rounds, after), mid(rounds, peakMiB), mid(rounds, rate), number(mid(rounds, cpu)), errs, first)
		}
	}
}

func idle(b *bytes.Buffer, servers []*suite.Server, records []*suite.Record) {
	all := cells(records, suite.Idle)
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Idle\n\nMemory of what is open and carries nothing. *connections*: keep-alive connections after one request each.\n" +
		"*streams*: `subscriptions/listen` (modern) or one session with a GET stream each (legacy). *sessions*: initialized and\nleft, without a stream.\n\n" +
		"| kind | era | server | open | RSS before MiB | RSS after MiB | KiB each | err |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range all {
		for _, s := range servers {
			rounds := Pick(records, suite.Idle, c, s.Name)
			if len(rounds) == 0 {
				continue
			}
			_, first := mistakes(rounds)
			fmt.Fprintf(b, "| %s | %s | %s | %.0f | %.1f | %.1f | %.2f | %s |\n", c.Workload, c.Era, s.Name,
				mid(rounds, func(r *suite.Record) float64 { return float64(r.Connected) }),
				mid(rounds, before), mid(rounds, after), each(rounds), first)
		}
	}
}

// mistakes counts the errors of all rounds and quotes the first.
func mistakes(rounds []*suite.Record) (n int, first string) {
	for _, r := range rounds {
		n += r.Errors
		if first == "" {
			first = inCell(r.Error)
		}
	}
	return n, first
}

// inCell makes a text fit a cell of a table.
func inCell(text string) string { return strings.ReplaceAll(workload.Clip([]byte(text)), "|", "/") }
