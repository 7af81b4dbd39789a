package suite

import (
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// soakLevel is the number of requests in flight, or connections, of the soak test.
const soakLevel = 16

// startTime bounds the first answer of the startup test.
const startTime = 10 * time.Second

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
				s.eachCell(func(transport, era string) { s.loadCell(round, w, level, transport, era) })
			}
		}
	}
}

func (s *Suite) loadCell(round int, w *workload.Workload, level int, transport, era string) {
	for i := range s.Servers {
		server := s.Servers[(i+round-1)%len(s.Servers)]
		if !server.runs("load", transport, era, w.Name) {
			continue
		}
		r := &Record{
			Test: "load", Round: round, Server: server.Name, Transport: transport,
			Era: era, Workload: w.Name, Level: level,
		}
		s.measure(server, w, r, s.Limits)
		s.Emit(r)
	}
}

// Startup measures the time from process start to the first tools/call answer, with the handshake in the legacy era.
func (s *Suite) Startup(starts int) {
	w := workload.Add()
	for round := 1; round <= starts; round++ {
		s.eachCell(func(transport, era string) {
			for _, server := range s.Servers {
				if !server.runs("startup", transport, era, "startup") {
					continue
				}
				r := &Record{Test: "startup", Round: round, Server: server.Name, Transport: transport, Era: era, Workload: "startup"}
				if err := s.start(server, w, r); err != nil {
					r.fail(err)
				}
				s.Emit(r)
			}
		})
	}
}

func (s *Suite) start(server *Server, w *workload.Workload, r *Record) error {
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

// Soak looks at the memory after many requests.
func (s *Suite) Soak(limits drive.Limits) {
	w := workload.Add()
	s.eachCell(func(transport, era string) {
		for _, server := range s.Servers {
			if !server.runs("soak", transport, era, w.Name) {
				continue
			}
			r := &Record{Test: "soak", Round: 1, Server: server.Name, Transport: transport, Era: era, Workload: w.Name, Level: soakLevel}
			s.measure(server, w, r, limits)
			s.Emit(r)
		}
	})
}

func (s *Suite) eachCell(run func(transport, era string)) {
	for _, transport := range s.Transports {
		for _, era := range s.Eras {
			run(transport, era)
		}
	}
}
