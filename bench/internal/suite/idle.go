package suite

import (
	"fmt"
	"io"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

const (
	connections = "connections"
	streams     = "streams"
)

// Idle looks at the memory of n open connections that carry nothing: connections that made one request, and
// notification streams (subscriptions/listen in the modern era; a session with a GET stream each in the legacy era).
func (s *Suite) Idle(n int) {
	for _, kind := range []string{connections, streams} {
		for _, era := range s.Eras {
			for _, server := range s.Servers {
				if !server.runs("idle", "http", era, kind) {
					continue
				}
				if kind == connections && era == workload.Legacy && server.runs("idle", "http", workload.Modern, kind) {
					continue // the same connections
				}
				r := &Record{Test: "idle", Round: 1, Server: server.Name, Transport: "http", Era: era, Workload: kind, Level: n}
				if err := s.idleOne(server, r); err != nil {
					r.fail(err)
				}
				s.Emit(r)
			}
		}
	}
}

func (s *Suite) idleOne(server *Server, r *Record) error {
	command := server.Command[:len(server.Command):len(server.Command)]
	if r.Workload == streams && r.Era == workload.Legacy {
		command = append(command, server.ListenArgs...)
	}
	client, p, err := s.connectHTTP(command, r.Era)
	if err != nil {
		return err
	}
	defer p.Stop()
	w := workload.Add()
	if warm := client.Run(w, soakLevel, drive.Limits{Requests: 2000, Time: 2 * time.Second, Grace: startTime}); warm.First != nil {
		return warm.First
	}
	time.Sleep(500 * time.Millisecond)
	r.RSS0, _ = p.RSS()
	held := make([]io.Closer, 0, r.Level)
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	for range r.Level {
		var c io.Closer
		if r.Workload == streams {
			c, err = client.HoldStream()
		} else {
			c, err = client.HoldConnection(w)
		}
		if err != nil {
			return fmt.Errorf("%d open: %w", r.Connected, err)
		}
		held = append(held, c)
		r.Connected++
	}
	time.Sleep(time.Second)
	r.RSS, r.Peak = p.RSS()
	r.PerConn = float64(r.RSS-r.RSS0) / float64(r.Connected)
	return nil
}
