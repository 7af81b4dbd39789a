package drive

import (
	"bytes"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

// HTTP drives one endpoint over keep-alive connections.
type HTTP struct {
	addr, path string
	era        string
	version    string // negotiated, legacy only
	session    string // legacy only
	nextID     int64
}

// NewHTTP makes a client of an endpoint; in the legacy era it shakes hands.
func NewHTTP(endpoint, era string) (*HTTP, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	c := &HTTP{addr: u.Host, path: u.Path, era: era, nextID: 1}
	if era == workload.Legacy {
		err = c.initialize()
	}
	return c, err
}

// header returns the request head up to the value of Content-Length.
func (c *HTTP) header(method, tool string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: loadgen\r\n", c.path, c.addr)
	b.WriteString("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n")
	switch {
	case c.era == workload.Modern:
		fmt.Fprintf(&b, "MCP-Protocol-Version: %s\r\nMcp-Method: %s\r\n", workload.ModernVersion, method)
		if tool != "" {
			fmt.Fprintf(&b, "Mcp-Name: %s\r\n", tool)
		}
	case method != "initialize":
		fmt.Fprintf(&b, "MCP-Protocol-Version: %s\r\n", c.version)
		if c.session != "" {
			fmt.Fprintf(&b, "Mcp-Session-Id: %s\r\n", c.session)
		}
	}
	b.WriteString("Content-Length: ")
	return b.Bytes()
}

// Run implements [Client]; level is the number of connections, with one request each.
func (c *HTTP) Run(w *workload.Workload, level int, limits Limits) *Sample {
	r := &httpRun{
		client: c, workload: w, base: c.nextID, most: int64(limits.Requests),
		header: c.header(w.Method, w.Tool),
	}
	all := newSample(limits.Requests)
	conns := make([]*conn, level)
	for i := range conns {
		conn, err := dial(c.addr)
		if err != nil {
			return all.breaks(err)
		}
		conns[i] = conn
	}
	begin := time.Now()
	r.deadline = begin.Add(limits.Time)
	r.end = r.deadline.Add(limits.Grace)
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, conn := range conns {
		running.Go(func() {
			s := r.connection(conn, limits.Requests/level+1)
			mu.Lock()
			all.merge(s)
			mu.Unlock()
		})
	}
	running.Wait()
	all.Duration = time.Since(begin)
	c.nextID = r.base + r.next.Load()
	return all
}

// An httpRun is what the connections of one run share.
type httpRun struct {
	client        *HTTP
	workload      *workload.Workload
	header        []byte
	base          int64 // the first id
	most          int64 // requests
	next          atomic.Int64
	deadline, end time.Time
}

// connection sends one request after the other over one connection.
func (r *httpRun) connection(c *conn, n int) *Sample {
	s := newSample(n)
	defer func() { c.Close() }()
	c.SetDeadline(r.end)
	var body []byte
	for {
		start := time.Now()
		if start.After(r.deadline) {
			return s
		}
		i := r.next.Add(1) - 1
		if i >= r.most {
			return s
		}
		body = r.workload.AppendRequest(body[:0], r.client.era, r.base+i)
		answer, err := c.exchange(r.header, body)
		if err != nil {
			s.wrong(err)
			return s
		}
		s.Latencies = append(s.Latencies, int64(time.Since(start)))
		s.Bytes += int64(len(answer.body))
		if err := verifyHTTP(r.workload, answer, r.base+i, i == 0); err != nil {
			s.wrong(err)
		}
		if !answer.close {
			continue
		}
		c.Close()
		again, err := dial(r.client.addr)
		if err != nil {
			s.wrong(err)
			return s
		}
		again.SetDeadline(r.end)
		c = again
	}
}
