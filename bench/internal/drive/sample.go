// Package drive sends a workload's requests to one server and takes the time of its answers. It speaks
// newline-delimited JSON over standard streams and HTTP/1.1 by itself, so that the load generator costs as little as
// possible beside the server that it measures.
//
// This package does not know which servers there are, and does not compare them.
package drive

import (
	"slices"
	"time"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

// connectTime bounds the handshake.
const connectTime = 20 * time.Second

// A Client drives one server.
type Client interface {
	// Run sends requests of one kind, at most level of them unanswered, and waits for every answer.
	Run(w *workload.Workload, level int, limits Limits) *Sample
}

// Limits bound one run.
type Limits struct {
	Requests int
	Time     time.Duration // during which new requests are sent
	Grace    time.Duration // to wait for outstanding answers
}

// A Sample is what one run measured.
type Sample struct {
	Latencies []int64 // nanoseconds, one for each answer
	Duration  time.Duration
	Bytes     int64 // received
	Errors    int   // wrong or missing answers
	Late      int   // notifications that came after their answer
	Broken    bool  // the server is of no further use
	First     error // the first of Errors
}

func newSample(n int) *Sample { return &Sample{Latencies: make([]int64, 0, n)} }

func (s *Sample) wrong(err error) {
	s.Errors++
	if s.First == nil {
		s.First = err
	}
}

func (s *Sample) breaks(err error) *Sample {
	s.wrong(err)
	s.Broken = true
	return s
}

func (s *Sample) merge(o *Sample) {
	s.Latencies = append(s.Latencies, o.Latencies...)
	s.Bytes += o.Bytes
	s.Errors += o.Errors
	s.Late += o.Late
	if s.First == nil {
		s.First = o.First
	}
}

// Quantile returns the latency below which the fraction q of the answers came.
func (s *Sample) Quantile(q float64) time.Duration {
	if len(s.Latencies) == 0 {
		return 0
	}
	slices.Sort(s.Latencies)
	return time.Duration(s.Latencies[min(len(s.Latencies)-1, int(q*float64(len(s.Latencies))))])
}
