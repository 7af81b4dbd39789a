package suite

import (
	"fmt"
	"io"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// What the idle test opens.
const (
	Connections = "connections" // keep-alive connections that made one request
	Streams     = "streams"     // subscriptions/listen; in the legacy era a session with a GET stream each
	Sessions    = "sessions"    // of the legacy era: initialized and left, without a stream
)

const (
	settleTime  = 500 * time.Millisecond // for a server to come to rest
	sessionTime = 20 * time.Second       // for the opening of all sessions
	earlier     = 1000                   // sessions before the first look: the first ones pay for code and pools
)

// Idle looks at the memory of n of everything that can be open and carry nothing.
func (s *Suite) Idle(n int) {
	for _, kind := range []string{Connections, Streams, Sessions} {
		for _, era := range s.Eras {
			if kind == Sessions && era != workload.Legacy {
				continue
			}
			for _, server := range s.Servers {
				if kind == Connections && era == workload.Legacy && server.runs(Idle, "http", workload.Modern, kind) {
					continue // the same connections
				}
				s.One(Idle, 1, server, Cell{"http", era, kind, n})
			}
		}
	}
}

func (s *Suite) idle(server *Server, r *Record) error {
	command := server.Command[:len(server.Command):len(server.Command)]
	if r.Workload != Connections && r.Era == workload.Legacy {
		command = append(command, server.ListenArgs...)
	}
	client, p, err := s.connectHTTP(command, r.Era)
	if err != nil {
		return err
	}
	defer p.Stop()
	if err := s.warmIdle(client, r); err != nil {
		return err
	}
	time.Sleep(settleTime)
	r.RSS0, _ = p.RSS()
	if r.Workload == Sessions {
		r.Connected, err = client.LeaveSessions(r.Level, time.Now().Add(sessionTime))
		if err == nil {
			r.weigh(p)
		}
		return err
	}
	held := make([]io.Closer, 0, r.Level)
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	for range r.Level {
		c, err := hold(client, r.Workload)
		if err != nil {
			return fmt.Errorf("%d open: %w", r.Connected, err)
		}
		held = append(held, c)
		r.Connected++
	}
	r.weigh(p)
	return nil
}

func (s *Suite) warmIdle(client *drive.HTTP, r *Record) error {
	limits := drive.Limits{Requests: 10_000, Time: 2 * time.Second, Grace: startTime} // some rounds of the garbage collector
	if warm := client.Run(workload.Add(), SoakLevel, limits); warm.First != nil {
		return fmt.Errorf("warm-up: %w", warm.First)
	}
	if r.Workload != Sessions {
		return nil
	}
	_, err := client.LeaveSessions(earlier, time.Now().Add(startTime))
	return err
}

func hold(client *drive.HTTP, what string) (io.Closer, error) {
	if what == Streams {
		return client.HoldStream()
	}
	return client.HoldConnection(workload.Add())
}

// weigh shares what the server has grown by among all that is open.
func (r *Record) weigh(p *process.Process) {
	time.Sleep(2 * settleTime)
	r.RSS, r.Peak = p.RSS()
	r.PerConn = float64(r.RSS-r.RSS0) / float64(max(r.Connected, 1))
}
