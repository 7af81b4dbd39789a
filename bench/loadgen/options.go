package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// grace is how long a run waits for outstanding answers.
const grace = 20 * time.Second

// options are the command line.
type options struct {
	servers        string
	added, urls    list
	only           list
	tests          list
	transports     list
	eras           list
	workloads      list
	levels         list
	requests       int
	time, warmup   time.Duration
	rounds, starts int
	soakRequests   int
	soakTime       time.Duration
	idle           int
	out, md        string
	budget         bool
	reportOnly     bool
	strict         bool
	verbose        bool
}

// A list is a flag of words that are separated by commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set replaces the list; the empty text is the empty list.
func (l *list) Set(v string) error {
	*l = strings.FieldsFunc(v, func(r rune) bool { return r == ',' })
	return nil
}

// repeated is a flag that may be given several times.
type repeated struct{ *list }

func (r repeated) Set(v string) error {
	*r.list = append(*r.list, v)
	return nil
}

func (r repeated) String() string {
	if r.list == nil { // package flag asks a zero value
		return ""
	}
	return r.list.String()
}

func parse(args []string) (*options, error) {
	o := &options{
		tests:      list{"load", "startup", "soak", "idle"},
		transports: list{"stdio", "http"},
		eras:       list{workload.Modern, workload.Legacy},
	}
	f := flag.NewFlagSet("loadgen", flag.ContinueOnError)
	f.StringVar(&o.servers, "servers", "servers.json", "file with the servers to compare")
	f.Var(repeated{&o.added}, "server", "additional server as name=command; the name floor makes it the reference of the ratios (may be repeated)")
	f.Var(repeated{&o.urls}, "url", "additional running server as name=http://host:port/mcp; no CPU and memory figures (may be repeated)")
	f.Var(&o.only, "only", "names of the servers of the file to run (default all)")
	f.Var(&o.tests, "tests", "tests to run")
	f.Var(&o.transports, "transports", "transports to run")
	f.Var(&o.eras, "eras", "protocol eras to run")
	f.Var(&o.workloads, "workloads", "workloads to run (default all)")
	f.Var(&o.levels, "levels", "windows or connection counts, such as 1,16,64 (default per workload)")
	f.IntVar(&o.requests, "n", 200_000, "most requests per run")
	f.DurationVar(&o.time, "time", time.Second, "most time per run")
	f.DurationVar(&o.warmup, "warmup", 400*time.Millisecond, "warm-up time before each run")
	f.IntVar(&o.rounds, "rounds", 3, "rounds; every round runs all servers, one after the other, for each cell")
	f.IntVar(&o.starts, "starts", 10, "process starts per server for the startup test")
	f.IntVar(&o.soakRequests, "soak", 100_000, "requests for the soak test")
	f.DurationVar(&o.soakTime, "soaktime", time.Minute, "most time per soak run")
	f.IntVar(&o.idle, "idle", 1000, "connections for the idle test")
	f.StringVar(&o.out, "out", "results.jsonl", "file for the raw measurements")
	f.StringVar(&o.md, "md", "RESULTS.md", "file for the report")
	f.BoolVar(&o.budget, "budget", false, "measure what the budget is about and nothing else, and begin the report with its table; about 12 minutes")
	f.BoolVar(&o.reportOnly, "report", false, "only write the report from the raw measurements")
	f.BoolVar(&o.strict, "strict", false, "fail when an answer was wrong, missing or late")
	f.BoolVar(&o.verbose, "v", false, "show the servers' standard error")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.budget {
		return o, o.budgetDefaults(f)
	}
	return o, nil
}

// budgetDefaults sets what the command line does not: more and shorter rounds than a full run has, since the servers that
// the verdict depends on have several turns in each, and files of their own.
func (o *options) budgetDefaults(f *flag.FlagSet) error {
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, name := range []string{"tests", "transports", "eras", "workloads", "levels", "starts", "idle"} {
		if given[name] {
			return fmt.Errorf("-%s: the budget has its own; leave the flag out", name)
		}
	}
	if !given["rounds"] {
		o.rounds = 5
	}
	if !given["time"] {
		o.time = 250 * time.Millisecond
	}
	if !given["warmup"] {
		o.warmup = 200 * time.Millisecond
	}
	if !given["soaktime"] {
		o.soakTime = 10 * time.Second
	}
	if !given["out"] {
		o.out = "budget.jsonl"
	}
	if !given["md"] {
		o.md = "BUDGET.md"
	}
	return nil
}

// comparison is the servers of the file that were asked for, and those of the command line.
func (o *options) comparison() ([]*suite.Server, error) {
	servers, err := suite.ReadServers(o.servers)
	if err != nil && len(o.added)+len(o.urls) == 0 {
		return nil, err
	}
	if len(o.only) > 0 {
		servers = slices.DeleteFunc(servers, func(s *suite.Server) bool { return !slices.Contains(o.only, s.Name) })
	}
	for _, text := range o.added {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("-server %s: want name=command", text)
		}
		servers = append(servers, &suite.Server{Name: name, Command: strings.Fields(command), Floor: name == "floor"})
	}
	for _, text := range o.urls {
		name, url, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("-url %s: want name=url", text)
		}
		servers = append(servers, suite.Running(name, url))
	}
	return servers, nil
}

func (o *options) suite(servers []*suite.Server, processes *process.Group, emit func(*suite.Record)) (*suite.Suite, error) {
	s := &suite.Suite{
		Servers: servers, Processes: processes, Transports: o.transports, Eras: o.eras,
		Limits:     drive.Limits{Requests: o.requests, Time: o.time, Grace: grace},
		SoakLimits: drive.Limits{Requests: o.soakRequests, Time: o.soakTime, Grace: grace},
		Warmup:     o.warmup, Rounds: o.rounds, Emit: emit,
	}
	for _, text := range o.levels {
		level, err := strconv.Atoi(text)
		if err != nil || level < 1 {
			return nil, fmt.Errorf("-levels: %q is no number of requests", text)
		}
		s.Levels = append(s.Levels, level)
	}
	for _, w := range workload.All() {
		if len(o.workloads) == 0 || slices.Contains(o.workloads, w.Name) {
			s.Workloads = append(s.Workloads, w)
		}
	}
	return s, nil
}
