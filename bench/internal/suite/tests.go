package suite

import (
	"fmt"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// SoakLevel is the number of requests in flight, or connections, of the soak test.
const SoakLevel = 16

// startTime bounds the first answer of the startup test.
const startTime = 10 * time.Second

// One makes one measurement of one server and emits it; nothing, if the server has no part in the cell.
func (s *Suite) One(test string, round int, server *Server, c Cell) {
	if !server.runs(test, c.Transport, c.Era, c.Workload) {
		return
	}
	r := &Record{
		Test: test, Round: round, Server: server.Name,
		Transport: c.Transport, Era: c.Era, Workload: c.Workload, Level: c.Level,
	}
	var err error
	switch test {
	case Load:
		err = s.measure(server, r, s.Limits)
	case Soak:
		err = s.measure(server, r, s.SoakLimits)
	case Startup:
		err = s.start(server, r)
	case Idle:
		err = s.idle(server, r)
	default:
		err = fmt.Errorf("unknown test %q; there are %s, %s, %s and %s", test, Load, Startup, Soak, Idle)
	}
	if err != nil {
		r.fail(err)
	}
	s.Emit(r)
}

// Load measures throughput, latency, CPU and memory. A server takes a turn in every cell of every round, and every
// round begins with another server.
func (s *Suite) Load() {
	for round := 1; round <= s.Rounds; round++ {
		for _, w := range s.Workloads {
			levels := w.Levels
			if len(s.Levels) > 0 {
				levels = s.Levels
			}
			for _, level := range levels {
				s.eachCell(w.Name, level, func(c Cell) {
					for i := range s.Servers {
						s.One(Load, round, s.Servers[(i+round-1)%len(s.Servers)], c)
					}
				})
			}
		}
	}
}

// Startup measures the time from process start to the first tools/call answer, with the handshake in the legacy era.
func (s *Suite) Startup(starts int) {
	for round := 1; round <= starts; round++ {
		s.eachCell("startup", 0, func(c Cell) { s.each(Startup, round, c) })
	}
}

// Soak looks at the memory after many requests.
func (s *Suite) Soak() {
	s.eachCell(workload.Add().Name, SoakLevel, func(c Cell) { s.each(Soak, 1, c) })
}

func (s *Suite) each(test string, round int, c Cell) {
	for _, server := range s.Servers {
		s.One(test, round, server, c)
	}
}

func (s *Suite) eachCell(what string, level int, run func(Cell)) {
	for _, transport := range s.Transports {
		for _, era := range s.Eras {
			run(Cell{transport, era, what, level})
		}
	}
}

func (s *Suite) start(server *Server, r *Record) error {
	w := workload.Add()
	begin := time.Now()
	c, err := s.connect(server, r.Transport, r.Era, nil)
	if err != nil {
		return err
	}
	defer c.stop()
	got := c.client.Run(w, 1, drive.Limits{Requests: 1, Time: startTime, Grace: startTime})
	r.Start = float64(time.Since(begin)) / 1e6
	r.StartCPU = float64(c.process.CPU()) / 1e6
	_, r.Peak = c.process.RSS()
	return got.First
}
