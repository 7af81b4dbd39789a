// Loadgen measures MCP servers on the wire, side by side. It checks every answer.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/bowline-go/mcp/bench/internal/drive"
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
	if o.reportOnly {
		records, err := suite.ReadRecords(o.out)
		if err != nil {
			return err
		}
		return writeReport(o.md, servers, records)
	}
	records, err := measure(o, servers)
	if err != nil {
		return err
	}
	if err := writeReport(o.md, servers, records); err != nil {
		return err
	}
	if o.strict {
		return judge(records)
	}
	return nil
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
	s, err := o.suite(servers, processes, func(r *suite.Record) {
		records = append(records, r)
		fmt.Fprintln(os.Stderr, r)
		if err := lines.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, "loadgen:", err)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, test := range o.tests {
		switch test {
		case "load":
			s.Load()
		case "startup":
			s.Startup(o.starts)
		case "soak":
			s.Soak(drive.Limits{Requests: o.soakRequests, Time: o.soakTime, Grace: grace})
		case "idle":
			s.Idle(o.idle)
		default:
			return nil, fmt.Errorf("unknown test %q; there are load, startup, soak and idle", test)
		}
	}
	return records, f.Close()
}

func writeReport(name string, servers []*suite.Server, records []*suite.Record) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := report.Write(f, report.Machine(), servers, records); err != nil {
		return err
	}
	return f.Close()
}

// judge is an error unless every server was measured and every answer was right and in time.
func judge(records []*suite.Record) error {
	var all []error
	for _, r := range records {
		if r.Errors > 0 || r.Late > 0 {
			all = append(all, fmt.Errorf("wrong: %s", r))
		}
	}
	if len(records) == 0 {
		return errors.New("nothing was measured; check -only and -workloads")
	}
	return errors.Join(all...)
}
