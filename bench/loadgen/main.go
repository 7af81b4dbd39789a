// Loadgen measures MCP servers on the wire, side by side. It checks every answer.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/bowline-go/mcp/bench/internal/budget"
	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/report"
	"github.com/bowline-go/mcp/bench/internal/suite"
)

func main() {
	err := run(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadgen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	servers, err := o.comparison()
	if err != nil {
		return err
	}
	var records []*suite.Record
	if o.reportOnly {
		records, err = suite.ReadRecords(o.out)
	} else {
		records, err = measure(o, servers)
	}
	if err != nil {
		return err
	}
	if o.budget {
		return budgetReport(o, servers, records)
	}
	if err := writeReport(o.md, func(w io.Writer) error { return report.Write(w, servers, records) }); err != nil {
		return err
	}
	if o.strict {
		return judge(records)
	}
	return nil
}

// budgetReport begins with the table of the budget, and fails when an answer of Bowline or a floor was wrong.
func budgetReport(o *options, servers []*suite.Server, records []*suite.Record) error {
	entrants, err := budget.Enter(servers)
	if err != nil {
		return err
	}
	err = writeReport(o.md, func(w io.Writer) error {
		if err := entrants.Write(w, records); err != nil {
			return err
		}
		return report.Write(w, servers, records)
	})
	if err != nil {
		return err
	}
	return entrants.Judge(records)
}

// measure runs the tests and writes each measurement to o.out as it comes.
func measure(o *options, servers []*suite.Server) ([]*suite.Record, error) {
	f, err := os.Create(o.out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	processes := &process.Group{}
	if o.verbose {
		processes.Stderr = os.Stderr
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupts
		processes.KillAll()
		os.Exit(1)
	}()

	var records []*suite.Record
	lines := json.NewEncoder(f)
	emit := func(r *suite.Record) {
		records = append(records, r)
		fmt.Fprintln(os.Stderr, r)
		if err := lines.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, "loadgen:", err)
		}
	}
	about := func(note string) { emit(&suite.Record{Test: suite.About, Note: note}) }
	s, err := o.suite(servers, processes, emit)
	if err != nil {
		return nil, err
	}
	about("machine: " + report.Machine())
	about("source: " + report.Source())
	about("begun " + report.Moment())
	if err := o.run(s); err != nil {
		return nil, err
	}
	about("ended " + report.Moment())
	return records, f.Close()
}

// run runs the tests that were asked for.
func (o *options) run(s *suite.Suite) error {
	if o.budget {
		entrants, err := budget.Enter(s.Servers)
		if err != nil {
			return err
		}
		budget.Run(s, entrants, o.rounds)
		return nil
	}
	for _, test := range o.tests {
		switch test {
		case suite.Load:
			s.Load()
		case suite.Startup:
			s.Startup(o.starts)
		case suite.Soak:
			s.Soak()
		case suite.Idle:
			s.Idle(o.idle)
		default:
			return fmt.Errorf("unknown test %q; there are %s, %s, %s and %s", test, suite.Load, suite.Startup, suite.Soak, suite.Idle)
		}
	}
	return nil
}

func writeReport(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	return f.Close()
}

// judge is an error unless every server was measured and every answer was right and in time.
func judge(records []*suite.Record) error {
	var all []error
	measured := 0
	for _, r := range records {
		if r.Test != suite.About {
			measured++
		}
		if r.Errors > 0 || r.Late > 0 {
			all = append(all, fmt.Errorf("wrong: %s", r))
		}
	}
	if measured == 0 {
		return errors.New("nothing was measured; check -only and -workloads")
	}
	return errors.Join(all...)
}
