package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Server is one row of the comparison.
type Server struct {
	Name string `json:"name"`
	// Command starts the server, with "-stdio" or "-http ADDR" appended, and "-tools 100" for list100.
	Command []string `json:"command"`
	// StreamArgs are further arguments for sse10 over HTTP, for servers that must be told to stream.
	StreamArgs []string `json:"stream_args,omitempty"`
	// ListenArgs are further arguments for the idle tests of the legacy era, for servers that must be told to keep
	// sessions.
	ListenArgs []string `json:"listen_args,omitempty"`
	Eras       []string `json:"eras,omitempty"`       // empty: both
	Transports []string `json:"transports,omitempty"` // empty: both
	Tests      []string `json:"tests,omitempty"`      // empty: all
	Skip       []string `json:"skip,omitempty"`       // what it cannot do: transport/workload, or http/streams for the idle test
	Warmup     string   `json:"warmup,omitempty"`     // replaces the general warm-up, for runtimes that compile while running
	Floor      bool     `json:"floor,omitempty"`      // the reference of the ratios
	Note       string   `json:"note,omitempty"`

	url    string // of a server that runs already: HTTP load only
	warmup time.Duration
}

// Running is a server that runs already. Its CPU time and memory are not known.
func Running(name, url string) *Server { return &Server{Name: name, url: url} }

// ReadServers reads a list of servers. Commands that begin with "./" are relative to the file.
func ReadServers(name string) ([]*Server, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var servers []*Server
	if err := json.Unmarshal(text, &servers); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		if s.Warmup != "" {
			if s.warmup, err = time.ParseDuration(s.Warmup); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, s.Name, err)
			}
		}
		for i, arg := range s.Command {
			if strings.HasPrefix(arg, "./") {
				s.Command[i] = filepath.Join(dir, arg)
			}
		}
	}
	return servers, nil
}

// runs reports whether the server takes part in a cell.
func (s *Server) runs(test, transport, era, what string) bool {
	in := func(list []string, v string) bool { return len(list) == 0 || slices.Contains(list, v) }
	if s.url != "" && (transport != "http" || test != "load") {
		return false
	}
	return in(s.Tests, test) && in(s.Transports, transport) && in(s.Eras, era) && !slices.Contains(s.Skip, transport+"/"+what)
}
