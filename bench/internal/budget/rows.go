// Package budget is what Bowline may cost, row by row: what is measured for a row, how much it may be, and the table that
// says whether it is.
//
// This package does not measure anything itself.
package budget

import (
	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// A Row is one line of the budget.
type Row struct {
	Work   string // what is measured, in words
	Test   string // by which test
	Cell   suite.Cell
	Keeps  bool // libraries take part with the entries that keep sessions
	Figure Figure
	Most   float64 // of Bowline's figure
	Words  string  // replaces Most in the table
}

// A Figure is what of a measurement a row looks at.
type Figure int

// The figures.
const (
	CPU    Figure = iota // time of the server per request, as a multiple of the floor's
	Start                // time to the first answer, as a multiple of the floor's
	Growth               // MiB resident at the end, more than at the beginning
	Each                 // KiB for each of what is open
)

// Rows are the budget.
func Rows() []Row {
	load := func(work, transport, era, name string, level int, most float64) Row {
		return Row{Work: work, Test: suite.Load, Cell: suite.Cell{Transport: transport, Era: era, Workload: name, Level: level}, Figure: CPU, Most: most}
	}
	keeping := load("HTTP legacy `add`, 16 connections, sessions", "http", workload.Legacy, "add", 16, 1.3)
	keeping.Keeps = true
	progress := load("10 progress notifications and the result, HTTP modern", "http", workload.Modern, "sse10", 16, 1.3)
	progress.Words = "1.3, none lost"
	start := func(work, transport string) Row {
		// Two equal servers are never equal to the last tenth.
		cell := suite.Cell{Transport: transport, Era: workload.Modern, Workload: "startup"}
		return Row{Work: work, Test: suite.Startup, Cell: cell, Figure: Start, Most: 1.1, Words: "as the floor (1.1)"}
	}
	soak := func(work, transport string) Row {
		cell := suite.Cell{Transport: transport, Era: workload.Modern, Workload: "add", Level: suite.SoakLevel}
		return Row{Work: work, Test: suite.Soak, Cell: cell, Figure: Growth, Most: 3}
	}
	open := func(work, era, what string, n int, most float64) Row {
		return Row{Work: work, Test: suite.Idle, Cell: suite.Cell{Transport: "http", Era: era, Workload: what, Level: n}, Figure: Each, Most: most}
	}
	// What stands for nothing is 1 MiB for all of them, by which a resident set moves of itself.
	few := open("an idle legacy session, of 1,000", workload.Legacy, suite.Sessions, 1_000, 1)
	few.Words = "0 KiB (1)"
	many := open("an idle legacy session, of 10,000", workload.Legacy, suite.Sessions, 10_000, 0.1)
	many.Words = "0 KiB (0.1)"
	return []Row{
		load("stdio modern `add`, 1 in flight", "stdio", workload.Modern, "add", 1, 1.7),
		load("stdio modern `add`, 64 in flight", "stdio", workload.Modern, "add", 64, 8.3),
		load("HTTP modern `add`, 16 connections", "http", workload.Modern, "add", 16, 1.3),
		keeping,
		load("`echo` 64 KiB, HTTP modern", "http", workload.Modern, "echo64k", 16, 3.5),
		load("tools/list of 100 tools, HTTP modern", "http", workload.Modern, "list100", 16, 1.2),
		load("1 MiB image, HTTP modern", "http", workload.Modern, "image1m", 16, 1.3),
		progress,
		start("process start to first answer, stdio modern", "stdio"),
		start("process start to first answer, HTTP modern", "http"),
		soak("RSS after 100,000 calls, stdio modern", "stdio"),
		soak("RSS after 100,000 calls, HTTP modern", "http"),
		open("a held event stream, modern", workload.Modern, suite.Streams, 1_000, 16),
		few,
		many,
	}
}
