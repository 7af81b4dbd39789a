// Package suite runs the tests of the benchmark over all servers, one after the other within each cell, so that a change
// of the machine's speed meets all of them.
//
// This package does not judge answers, and does not compare servers.
package suite

import (
	"fmt"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// A Suite is what to run over which servers.
type Suite struct {
	Servers    []*Server
	Processes  *process.Group
	Transports []string // of "stdio" and "http"
	Eras       []string // of workload.Modern and workload.Legacy
	Workloads  []*workload.Workload
	Levels     []int        // empty: those of each workload
	Limits     drive.Limits // of one run
	SoakLimits drive.Limits // of one soak
	Warmup     time.Duration
	Rounds     int
	Emit       func(*Record) // takes every measurement
}

// connection is a started server and a client that is ready for requests.
type connection struct {
	process *process.Process // nil: the server runs outside
	client  drive.Client
}

func (c *connection) stop() {
	if c.process != nil {
		c.process.Stop()
	}
}

func (s *Suite) connect(server *Server, transport, era string, extra []string) (*connection, error) {
	if server.url != "" {
		client, err := drive.NewHTTP(server.url, era)
		return &connection{client: client}, err
	}
	command := append(server.Command[:len(server.Command):len(server.Command)], extra...)
	if transport == "stdio" {
		p, err := s.Processes.StartStdio(command)
		if err != nil {
			return nil, err
		}
		client, err := drive.NewStdio(p.Stdin, p.Stdout, era)
		return connected(p, client, err)
	}
	client, p, err := s.connectHTTP(command, era)
	if err != nil {
		return nil, err
	}
	return connected(p, client, err)
}

func (s *Suite) connectHTTP(command []string, era string) (*drive.HTTP, *process.Process, error) {
	p, err := s.Processes.StartHTTP(command)
	if err != nil {
		return nil, nil, err
	}
	client, err := drive.NewHTTP("http://"+p.Addr+"/mcp", era)
	if err != nil {
		p.Stop()
		return nil, nil, err
	}
	return client, p, nil
}

func connected(p *process.Process, client drive.Client, err error) (*connection, error) {
	if err != nil {
		p.Stop()
		return nil, err
	}
	return &connection{p, client}, nil
}

// argsFor are what a workload wants the server to be started with.
func (s *Server) argsFor(w *workload.Workload, transport string) []string {
	args := append([]string(nil), w.ServerArgs...)
	if transport == "http" && w.Notes > 0 {
		args = append(args, s.StreamArgs...)
	}
	return args
}

// measure runs one workload on a fresh server process and fills in r.
func (s *Suite) measure(server *Server, r *Record, limits drive.Limits) error {
	w, err := workload.Named(r.Workload)
	if err != nil {
		return err
	}
	c, err := s.connect(server, r.Transport, r.Era, server.argsFor(w, r.Transport))
	if err != nil {
		return err
	}
	defer c.stop()
	warmup := limits
	if warmup.Time = s.Warmup; server.warmup > 0 {
		warmup.Time = server.warmup
	}
	if warm := c.client.Run(w, r.Level, warmup); warm.Broken {
		r.Errors = warm.Errors
		return fmt.Errorf("warm-up: %w", warm.First)
	}
	var cpu time.Duration
	if c.process != nil {
		cpu = c.process.CPU()
		r.RSS0, _ = c.process.RSS()
	}
	got := c.client.Run(w, r.Level, limits)
	r.take(got)
	if c.process != nil && r.Requests > 0 {
		r.CPU = float64(c.process.CPU()-cpu) / 1e3 / float64(r.Requests)
		r.RSS, r.Peak = c.process.RSS()
	}
	return nil
}

// take fills in what the client has measured.
func (r *Record) take(got *drive.Sample) {
	r.Requests, r.Errors, r.Late = len(got.Latencies), got.Errors, got.Late
	if got.First != nil {
		r.Error = got.First.Error()
	}
	if r.Requests == 0 {
		return
	}
	r.Rate = float64(r.Requests) / got.Duration.Seconds()
	r.Bytes = float64(got.Bytes) / float64(r.Requests)
	r.P50 = float64(got.Quantile(0.50)) / 1e3
	r.P99 = float64(got.Quantile(0.99)) / 1e3
}
