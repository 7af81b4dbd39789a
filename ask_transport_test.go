package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/mcphttp"
	"github.com/bowline-go/mcp/stdio"
)

// memory sends each message to the next of several servers.
type memory struct {
	sessions []*mcp.Session
	next     int
	take     func(line []byte)
	serving  sync.WaitGroup
}

func inMemory(servers int) func(t *testing.T, w *wizard, take func(line []byte)) client.Transport {
	return func(t *testing.T, w *wizard, take func(line []byte)) client.Transport {
		m := &memory{take: take}
		for range servers {
			m.sessions = append(m.sessions, askSession(t, w.server()))
		}
		t.Cleanup(m.serving.Wait)
		return m
	}
}

func (m *memory) Send(_ context.Context, message client.Outgoing) error {
	s := m.sessions[m.next%len(m.sessions)]
	m.next++
	call, err := s.Admit(context.Background(), message.Text, m, nil)
	if err != nil {
		return err
	}
	if call != nil {
		m.serving.Go(func() { call.Serve() })
	}
	return nil
}

func (m *memory) Notify(line []byte) error {
	m.take(line)
	return nil
}

func (m *memory) Reply(r *mcp.Reply) {
	line, _ := r.AppendTo(nil)
	m.take(line)
}

func (m *memory) Wake() {}

// pipe is a connection of lines.
type pipe struct{ out io.Writer }

func (p pipe) Send(_ context.Context, message client.Outgoing) error {
	_, err := p.out.Write(append(message.Text, '\n'))
	return err
}

func overStdio(t *testing.T, w *wizard, take func(line []byte)) client.Transport {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	var running sync.WaitGroup
	running.Go(func() {
		if err := stdio.ServeStream(t.Context(), w.server(), in, out, nil); err != nil {
			t.Error(err)
		}
		_ = out.Close()
	})
	running.Go(func() {
		lines := bufio.NewReader(fromServer)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			take(bytes.TrimSuffix(line, []byte("\n")))
		}
	})
	t.Cleanup(func() {
		_ = toServer.Close()
		running.Wait()
	})
	return pipe{toServer}
}

// post sends each message by a POST.
type post struct {
	t       *testing.T
	url     string
	session atomic.Pointer[string]
	take    func(line []byte)
	running sync.WaitGroup
}

func overHTTP(t *testing.T, w *wizard, take func(line []byte)) client.Transport {
	handler, err := mcphttp.NewHandler(w.server(), nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	p := &post{t: t, url: server.URL + "/mcp", take: take}
	t.Cleanup(func() {
		p.running.Wait()
		_ = handler.Close()
		server.Close()
	})
	return p
}

func (p *post) Send(ctx context.Context, message client.Outgoing) error {
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, p.url, bytes.NewReader(message.Text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Mcp-Protocol-Version", message.Revision.Name)
	if id := p.session.Load(); id != nil {
		request.Header.Set("Mcp-Session-Id", *id)
	}
	if message.Method != nil && message.Revision.MirroredHeaders {
		request.Header.Set("Mcp-Method", message.Method.Name)
		if message.Method.Name == "tools/call" {
			request.Header.Set("Mcp-Name", "wizard")
		}
	}
	p.running.Go(func() {
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			p.t.Error(err)
			return
		}
		defer response.Body.Close()
		if id := response.Header.Get("Mcp-Session-Id"); id != "" {
			p.session.Store(&id)
		}
		if err := p.read(response); err != nil {
			p.t.Error(err)
		}
	})
	return nil
}

func (p *post) read(response *http.Response) error {
	if response.StatusCode == http.StatusAccepted {
		return nil
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		body, err := io.ReadAll(response.Body)
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("status %d: %s", response.StatusCode, body)
		}
		p.take(body)
		return err
	}
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.TrimSpace(data) != "" {
			p.take([]byte(strings.TrimSpace(data)))
		}
		if err != nil {
			return nil
		}
	}
}
