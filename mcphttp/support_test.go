package mcphttp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/mcphttp"
)

const (
	modernRevision = "2026-07-28"
	meta           = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}%s}`
)

type addIn struct {
	A int `json:"a" doc:"First"`
	B int `json:"b" doc:"Second"`
}

type stepsIn struct {
	Steps int `json:"steps" doc:"How many"`
}

type echoIn struct {
	Text string `json:"text" doc:"What to say"`
}

type none struct{}

// fixture is a server with tools that a test can hold and watch.
type fixture struct {
	server    *mcp.Server
	started   chan struct{} // one token for each call of wait that has begun
	release   chan struct{} // closed or fed: wait returns
	cancelled chan error    // the cause for which a call of wait ended early
	calls     atomic.Int64  // of add
}

func newFixture(o *mcp.Options) *fixture {
	f := &fixture{
		server:    mcp.NewServer("test", "1.0.0", o),
		started:   make(chan struct{}, 4096),
		release:   make(chan struct{}),
		cancelled: make(chan error, 4096),
	}
	mcp.AddTool(f.server, mcp.Tool{Name: "add", Description: "Add"}, func(_ context.Context, in addIn) (string, error) {
		f.calls.Add(1)
		return fmt.Sprint(in.A + in.B), nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "echo", Description: "Echo"}, func(_ context.Context, in echoIn) (string, error) {
		return in.Text, nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "steps", Description: "Report progress"}, func(ctx context.Context, in stepsIn) (string, error) {
		for i := range in.Steps {
			mcp.Progress(ctx, float64(i+1), float64(in.Steps), "世界😀")
		}
		return "done 世界😀", nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "wait", Description: "Report progress, then wait"}, f.wait)
	mcp.AddTool(f.server, mcp.Tool{Name: "quiet", Description: "Wait in silence"}, func(ctx context.Context, _ none) (string, error) {
		return f.wait(ctx, none{})
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "reconnect", Description: "Let the connection go, then wait"}, func(ctx context.Context, in none) (string, error) {
		mcp.Reconnect(ctx, 25*time.Millisecond)
		return f.wait(ctx, in)
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "huge", Description: "Stream a picture"}, func(_ context.Context, in stepsIn) (content.Block, error) {
		return content.Image{MIMEType: "image/png", Reader: io.LimitReader(endless{}, int64(in.Steps))}, nil
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "failing", Description: "Report progress, then fail"}, func(ctx context.Context, _ none) (string, error) {
		mcp.Progress(ctx, 1, 2, "")
		return "", &mcp.Error{Code: mcp.CodeInternalError, Message: "it failed"}
	})
	mcp.AddTool(f.server, mcp.Tool{Name: "pretty", Description: "Structured content with line breaks"}, func(context.Context, none) (*mcp.ToolResult, error) {
		return &mcp.ToolResult{
			Content:    []content.Block{content.Text{Text: "a\nb\r世界😀"}},
			Structured: json.RawMessage("{\n  \"a\":\r\n 1\n}"),
		}, nil
	})
	return f
}

func (f *fixture) wait(ctx context.Context, _ none) (string, error) {
	mcp.Progress(ctx, 1, 3, "")
	f.started <- struct{}{}
	select {
	case <-f.release:
		mcp.Progress(ctx, 2, 3, "")
		return "released", nil
	case <-ctx.Done():
		f.cancelled <- context.Cause(ctx)
		return "", ctx.Err()
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// handler makes a handler that ends with the test.
func (f *fixture) handler(t testing.TB, o *mcphttp.Options) *mcphttp.Handler {
	t.Helper()
	h, err := mcphttp.NewHandler(f.server, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// serve makes a handler on a loopback port.
func (f *fixture) serve(t testing.TB, o *mcphttp.Options) *httptest.Server {
	t.Helper()
	return serveHandler(t, f.handler(t, o))
}

// call is the body of a modern tools/call.
func call(id, tool, arguments, extraMeta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s,`+meta+`}}`, id, tool, arguments, extraMeta)
}

const token = `,"progressToken":"p"` // of the modern _meta

func modernHeaders(method, name string) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {modernRevision}, "Mcp-Method": {method},
	}
	if name != "" {
		h["Mcp-Name"] = []string{name}
	}
	return h
}

// request makes a request; changes are header lines "Name: value" that replace, or "Name:" that remove.
func request(t testing.TB, method, url string, header http.Header, body string, changes ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body == "" {
		r.Body = http.NoBody
	}
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	for _, line := range changes {
		name, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	return r
}

// toolCall makes a modern tools/call.
func toolCall(t testing.TB, url, id, tool, arguments, extraMeta string, changes ...string) *http.Request {
	t.Helper()
	return request(t, http.MethodPost, url, modernHeaders("tools/call", tool), call(id, tool, arguments, extraMeta), changes...)
}

// answer is a response that has been read to its end.
type answer struct {
	*http.Response
	body string
}

func do(t testing.TB, r *http.Request) answer {
	t.Helper()
	response := open(t, http.DefaultClient, r)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("reading the body: %v after %q", err, body)
	}
	return answer{response, string(body)}
}

func open(t testing.TB, client *http.Client, r *http.Request) *http.Response {
	t.Helper()
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func (a answer) expect(t testing.TB, status int, contentType string) answer {
	t.Helper()
	if a.StatusCode != status || a.Header.Get("Content-Type") != contentType {
		t.Fatalf("got %d %q %q, want %d %q", a.StatusCode, a.Header.Get("Content-Type"), a.body, status, contentType)
	}
	return a
}

func (a answer) contains(t testing.TB, parts ...string) answer {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(a.body, part) {
			t.Fatalf("got %q, want %q in it", a.body, part)
		}
	}
	return a
}

const (
	jsonType  = "application/json"
	eventType = "text/event-stream"
)

// event is one event of a stream.
type event struct {
	id, name, data, retry string
	hasData               bool
	comment               bool
}

// eventReader reads a stream as a client does.
type eventReader struct {
	t     testing.TB
	lines *bufio.Reader
}

func readEvents(t testing.TB, r io.Reader) *eventReader {
	return &eventReader{t, bufio.NewReaderSize(r, 1<<20)}
}

// read returns the next event, or false at the end of the stream.
func (r *eventReader) read() (e event, ok bool) {
	r.t.Helper()
	for first := true; ; first = false {
		line, err := r.lines.ReadString('\n')
		if err != nil && first && line == "" {
			return e, false
		}
		if err != nil {
			r.t.Fatalf("the stream breaks off in an event: %q, %v", line, err)
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			return e, true
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "":
			e.comment = true
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "retry":
			e.retry = value
		case "data":
			if e.hasData {
				r.t.Fatalf("a second data line: %q", value)
			}
			e.data, e.hasData = value, true
		default:
			r.t.Fatalf("an unknown field: %q", line)
		}
	}
}

// next returns the next event that is no comment.
func (r *eventReader) next() event {
	r.t.Helper()
	for {
		e, ok := r.read()
		if !ok {
			r.t.Fatal("the stream has ended")
		}
		if !e.comment {
			return e
		}
	}
}

// end fails if anything but comments comes.
func (r *eventReader) end() {
	r.t.Helper()
	for {
		e, ok := r.read()
		if !ok {
			return
		}
		if !e.comment {
			r.t.Fatalf("got %+v, want the end of the stream", e)
		}
	}
}

// legacyClient is a session of an older revision.
type legacyClient struct {
	t      testing.TB
	url    string
	header http.Header
}

const initializeBody = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`

func initialize(t testing.TB, url, revision string) *legacyClient {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	a := do(t, request(t, http.MethodPost, url, header, fmt.Sprintf(initializeBody, revision))).expect(t, 200, jsonType)
	session := a.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatalf("no session id came with %s", a.body)
	}
	header.Set("Mcp-Session-Id", session)
	header.Set("Mcp-Protocol-Version", revision)
	c := &legacyClient{t, url, header}
	if a := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.StatusCode != http.StatusAccepted || a.body != "" {
		t.Fatalf("got %d %q, want 202 and nothing", a.StatusCode, a.body)
	}
	return c
}

func (c *legacyClient) post(body string, changes ...string) answer {
	c.t.Helper()
	return do(c.t, request(c.t, http.MethodPost, c.url, c.header, body, changes...))
}

// open posts and returns the response as soon as it has begun.
func (c *legacyClient) open(ctx context.Context, body string, changes ...string) (*http.Response, *eventReader) {
	c.t.Helper()
	response := open(c.t, http.DefaultClient, request(c.t, http.MethodPost, c.url, c.header, body, changes...).WithContext(ctx))
	return response, readEvents(c.t, response.Body)
}

func (c *legacyClient) get(ctx context.Context, changes ...string) (*http.Response, *eventReader) {
	c.t.Helper()
	changes = append([]string{"Accept: text/event-stream", "Content-Type:"}, changes...)
	response := open(c.t, http.DefaultClient, request(c.t, http.MethodGet, c.url, c.header, "", changes...).WithContext(ctx))
	return response, readEvents(c.t, response.Body)
}

func legacyCall(id, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":7}}}`, id, tool, arguments)
}

// textOf is the first text block of a result.
func textOf(t testing.TB, message string) string {
	t.Helper()
	var m struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil || len(m.Result.Content) == 0 {
		t.Fatalf("no text in %q: %v", message, err)
	}
	return m.Result.Content[0].Text
}

// memory is a network in memory, for tests in which time does not pass by itself.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newMemory() *memory { return &memory{make(chan net.Conn), make(chan struct{})} }

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	select {
	case <-m.closed:
	default:
		close(m.closed)
	}
	return nil
}

func (m *memory) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "memory" }

func (m *memory) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case m.conns <- theirs:
		return ours, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// client is an HTTP client on the network in memory.
func (m *memory) client(t testing.TB) *http.Client {
	transport := &http.Transport{DialContext: m.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func serveHandler(t testing.TB, h http.Handler) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// serveOver is serve over one version of HTTP; HTTP/2 needs TLS.
func (f *fixture) serveOver(t testing.TB, proto string, o *mcphttp.Options) *httptest.Server {
	t.Helper()
	if proto == "HTTP/1.1" {
		return f.serve(t, o)
	}
	s := httptest.NewUnstartedServer(f.handler(t, o))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// initializeWith opens a session and returns the headers of its requests.
func initializeWith(t testing.TB, client *http.Client, url, revision string) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	response := open(t, client, request(t, http.MethodPost, url, header, fmt.Sprintf(initializeBody, revision)))
	response.Body.Close()
	header.Set("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
	header.Set("Mcp-Protocol-Version", revision)
	return header
}
