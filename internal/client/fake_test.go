package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

// server is a transport to a server that says what its script says.
type server struct {
	t      *testing.T
	client *client.Client
	answer func(s *server, m client.Outgoing) // what comes back for a message; nil: nothing

	mu   sync.Mutex
	sent []string
	down bool
}

func (s *server) Send(_ context.Context, m client.Outgoing) error {
	s.mu.Lock()
	s.sent = append(s.sent, string(m.Text))
	down := s.down
	s.mu.Unlock()
	if down {
		return errors.New("the line is dead")
	}
	if s.answer != nil {
		s.answer(s, m)
	}
	return nil
}

// say sends a line to the client.
func (s *server) say(line string) {
	s.t.Helper()
	if err := s.client.Receive([]byte(line)); err != nil {
		s.t.Errorf("%s: %v", line, err)
	}
}

func (s *server) result(m client.Outgoing, result string) {
	s.t.Helper()
	s.say(`{"jsonrpc":"2.0","id":` + m.ID.Text() + `,"result":` + result + `}`)
}

// lines are what was sent since the last call.
func (s *server) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent := s.sent
	s.sent = nil
	return sent
}

func (s *server) expect(want ...string) {
	s.t.Helper()
	got := s.lines()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// connected is a client of revision r whose handshake is behind it.
func connected(t *testing.T, r *protocol.Revision, o client.Options) *server {
	t.Helper()
	o.Revision = r
	s := &server{t: t}
	s.client = client.New(s, o)
	if r.Modern {
		return s
	}
	s.answer = func(s *server, m client.Outgoing) {
		if m.Method != nil && m.Method.ID == protocol.Initialize {
			s.result(m, `{"protocolVersion":"`+r.Name+`","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
		}
	}
	if _, err := s.client.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.answer = nil
	s.lines()
	return s
}

// always answers every request with one result.
func always(result string) func(s *server, m client.Outgoing) {
	return func(s *server, m client.Outgoing) {
		if m.Method != nil && !m.Method.Notification {
			s.result(m, result)
		}
	}
}

func echo(text string) protocol.CallToolParams {
	arguments, _ := json.Marshal(map[string]string{"text": text})
	return protocol.CallToolParams{Name: "echo", Arguments: arguments}
}
