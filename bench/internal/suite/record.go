package suite

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// The tests.
const (
	Load    = "load"    // throughput, latency, CPU
	Startup = "startup" // process start to the first answer
	Soak    = "soak"    // memory after many requests
	Idle    = "idle"    // memory of what is open and carries nothing
	About   = "about"   // no test: a Note on the run itself
)

// A Cell is what servers are compared in.
type Cell struct {
	Transport, Era, Workload string
	Level                    int
}

// A Record is one measurement of one server.
type Record struct {
	Test      string  `json:"test"`
	Round     int     `json:"round"`
	Server    string  `json:"server"`
	Transport string  `json:"transport"`
	Era       string  `json:"era"`
	Workload  string  `json:"workload"`
	Level     int     `json:"level"`
	Requests  int     `json:"requests,omitempty"`
	Errors    int     `json:"errors"`
	Late      int     `json:"late,omitempty"`
	Error     string  `json:"error,omitempty"`     // the first of Errors
	Rate      float64 `json:"rate,omitempty"`      // requests per second
	CPU       float64 `json:"cpu_us,omitempty"`    // of the server per request, microseconds
	P50       float64 `json:"p50_us,omitempty"`    // latency, microseconds
	P99       float64 `json:"p99_us,omitempty"`    // latency, microseconds
	Bytes     float64 `json:"bytes,omitempty"`     // received per request, without HTTP heads
	RSS0      int64   `json:"rss0_kib,omitempty"`  // before the test
	RSS       int64   `json:"rss_kib,omitempty"`   // after the test
	Peak      int64   `json:"peak_kib,omitempty"`  // during the test
	Start     float64 `json:"start_ms,omitempty"`  // process start to first answer
	StartCPU  float64 `json:"startcpu,omitempty"`  // CPU milliseconds until then
	Connected int     `json:"connected,omitempty"` // connections, streams or sessions that were opened
	PerConn   float64 `json:"per_conn,omitempty"`  // KiB for each of them
	Note      string  `json:"note,omitempty"`
}

// Cell is what r was measured in.
func (r *Record) Cell() Cell { return Cell{r.Transport, r.Era, r.Workload, r.Level} }

// ReadRecords reads the measurements of an earlier run, one a line.
func ReadRecords(name string) ([]*Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var records []*Record
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		r := new(Record)
		if err := json.Unmarshal(lines.Bytes(), r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		records = append(records, r)
	}
	return records, lines.Err()
}

// fail notes why nothing was measured.
func (r *Record) fail(err error) { r.Errors, r.Error = max(r.Errors, 1), err.Error() }

// String is the record on one line.
func (r *Record) String() string {
	switch r.Test {
	case About:
		return r.Note
	case Startup:
		return fmt.Sprintf("%d %-5s %-6s startup %-18s %.1f ms, %.1f ms CPU %s", r.Round, r.Transport, r.Era, r.Server, r.Start, r.StartCPU, r.Error)
	case Idle:
		return fmt.Sprintf("%d http  %-6s %-11s %-18s %d open, %.2f KiB each %s", r.Round, r.Era, r.Workload, r.Server, r.Connected, r.PerConn, r.Error)
	}
	return fmt.Sprintf("%d %-5s %-6s %-8s %2d %-18s %8.0f req/s %8.1f us CPU  p50 %7.0f  p99 %7.0f  rss %d KiB  errors %d late %d %s",
		r.Round, r.Transport, r.Era, r.Workload, r.Level, r.Server, r.Rate, r.CPU, r.P50, r.P99, r.Peak, r.Errors, r.Late, r.Error)
}
