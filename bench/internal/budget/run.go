package budget

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// Names of the servers that the budget is about.
const (
	bowline = "bowline"
	second  = "floor-json"
)

const (
	// laps is how often the order of a load goes there and back. On a machine that is shared, the same server costs half as
	// much again from one second to the next, which many short turns even out and a few long ones do not.
	laps = 3
	// startsATurn is how often a server is started in its turn: a start is short, and differs more than a second of calls.
	startsATurn = 3
)

// Entrants are the servers of one run.
type Entrants struct {
	floor, second, ours *suite.Server
	peers               []*suite.Server
	keeping             map[*suite.Server]*suite.Server // the entry of a peer that keeps sessions
}

// Enter sorts the servers into those that the budget is about and those that are shown beside them: all that serve the
// modern era. Their entries that keep sessions are named after them.
func Enter(servers []*suite.Server) (*Entrants, error) {
	e := &Entrants{keeping: map[*suite.Server]*suite.Server{}}
	named := map[string]*suite.Server{}
	for _, s := range servers {
		named[s.Name] = s
		switch {
		case s.Floor:
			e.floor = s
		case s.Name == second:
			e.second = s
		case s.Name == bowline:
			e.ours = s
		case len(s.Eras) == 0 || slices.Contains(s.Eras, workload.Modern):
			e.peers = append(e.peers, s)
		}
	}
	if e.floor == nil || e.second == nil || e.ours == nil {
		return nil, fmt.Errorf("the budget compares %s with a floor and %s; give a list of servers that has all three", bowline, second)
	}
	for _, p := range e.peers {
		e.keeping[p] = p
		if s := named[p.Name+"-stateful"]; s != nil {
			e.keeping[p] = s
		}
	}
	return e, nil
}

// Run measures what the rows need, round by round.
func Run(s *suite.Suite, e *Entrants, rounds int) {
	for round := 1; round <= rounds; round++ {
		for _, row := range Rows() {
			for _, server := range e.turns(row, round) {
				s.One(row.Test, round, server, row.Cell)
			}
		}
	}
}

// turns is the order of the servers in one row and round. The three that the verdict depends on have their turns there and
// back, so that a machine that slows down or speeds up meanwhile is no gain to any of them; who begins changes from round to
// round. What memory is taken differs little: there one turn is enough, and for libraries one round.
func (e *Entrants) turns(row Row, round int) []*suite.Server {
	own := rotated([]*suite.Server{e.floor, e.second, e.ours}, round)
	peers := rotated(e.peers, round)
	if row.Keeps {
		for i, p := range peers {
			peers[i] = e.keeping[p]
		}
	}
	switch row.Test {
	case suite.Soak, suite.Idle:
		if round > 1 {
			return own
		}
		return append(own, peers...)
	case suite.Startup:
		once := append(there(own), peers...)
		return slices.Repeat(once, startsATurn)
	}
	return append(slices.Repeat(there(own), laps), peers...)
}

func there(servers []*suite.Server) []*suite.Server {
	back := slices.Clone(servers)
	slices.Reverse(back)
	return append(slices.Clone(servers), back...)
}

func rotated(servers []*suite.Server, round int) []*suite.Server {
	if len(servers) == 0 {
		return nil
	}
	i := (round - 1) % len(servers)
	return append(slices.Clone(servers[i:]), servers[:i]...)
}

// Judge is an error unless every row has a figure for Bowline and the floors, and each of their answers was right and in
// time. That a figure is over the budget is none: the table says so.
func (e *Entrants) Judge(records []*suite.Record) error {
	var all []error
	own := []*suite.Server{e.floor, e.second, e.ours}
	for _, r := range records {
		named := func(s *suite.Server) bool { return s.Name == r.Server }
		if slices.ContainsFunc(own, named) && r.Errors+r.Late > 0 {
			all = append(all, fmt.Errorf("wrong: %s", r))
		}
	}
	for _, row := range Rows() {
		for _, s := range own {
			if len(e.figures(row, s, records)) == 0 {
				all = append(all, fmt.Errorf("not measured: %s of %s", row.Work, s.Name))
			}
		}
	}
	return errors.Join(all...)
}
