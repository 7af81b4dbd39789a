package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Client is a client that is connected to a server in the same process. Its methods are safe for
// concurrent use, except for Send.
type Client struct {
	t      testing.TB
	wire   *wire
	core   *client.Client
	server Server
	raw    *[]string // not nil while Send collects lines; guarded by wire.mu
}

// Server is what a server says of itself.
type Server struct {
	// Name, Title and Version identify it.
	Name, Title, Version string
	// Instructions tell a model how to use it.
	Instructions string
	// Capabilities is the JSON object of what it offers.
	Capabilities json.RawMessage
}

// patience is how long a handler may take to end once its session has been closed.
const patience = 10 * time.Second

// Connect connects a client to server, by discovery or by the handshake of the revision. Nil options are
// those of the newest revision. The test fails at once when that is not possible, and also when server
// has mistakes in its registration. The connection is closed when the test ends, and a handler that does
// not end within 10 seconds then is an error of the test.
func Connect(t testing.TB, server *mcp.Server, o *Options) *Client {
	t.Helper()
	if o == nil {
		o = new(Options)
	}
	revision, level := settings(t, o)
	c := &Client{t: t}
	w, err := newWire(t, server, c.take)
	if err != nil {
		t.Fatalf("mcptest: the server cannot serve: %v", err)
	}
	c.wire = w
	c.core = client.New(transport{w}, o.core(revision, level))
	t.Cleanup(c.close)
	found, err := c.core.Connect(t.Context())
	switch {
	case err != nil:
		t.Fatalf("mcptest: connecting in revision %s: %v", revision.Name, err)
	case found.Revision != revision:
		t.Fatalf("mcptest: the server answered the handshake for %s with %s", revision.Name, found.Revision.Name)
	}
	c.server = Server{found.Info.Name, found.Info.Title, found.Info.Version, found.Instructions, found.Capabilities}
	return c
}

// settings checks what stands in options as text.
func settings(t testing.TB, o *Options) (*protocol.Revision, protocol.Level) {
	t.Helper()
	revision, level := protocol.Modern(), protocol.LevelNone
	if o.Revision != "" {
		if revision = protocol.Lookup(o.Revision); revision == nil {
			t.Fatalf("mcptest: Options.Revision is %q; use one of %s", o.Revision, strings.Join(Revisions(), ", "))
		}
	}
	if o.LogLevel != "" {
		known := false
		if level, known = protocol.ParseLevel(o.LogLevel); !known {
			t.Fatalf("mcptest: Options.LogLevel is %q; use a level such as debug, info, warning or error", o.LogLevel)
		}
	}
	return revision, level
}

// Revision is the dated name of the revision that the client speaks.
func (c *Client) Revision() string { return c.core.Revision().Name }

// Server is what the server said of itself when the client connected.
func (c *Client) Server() Server { return c.server }

// Flush hands everything that the server has told so far to Options.OnNotification.
func (c *Client) Flush(ctx context.Context) {
	c.wire.flush()
	c.core.Flush(ctx)
}

// Send gives one raw line to the server, whatever stands in it, and returns every line that comes out: the
// answer, the notifications before it, and what the server tells by itself. It returns when everything is
// answered, or when a handler waits for the answer to a question of its own, which the next Send can give.
// It must not run while other methods do.
func (c *Client) Send(message string) []string {
	lines := []string{}
	c.wire.mu.Lock()
	c.raw = &lines
	c.wire.mu.Unlock()
	_ = c.wire.in(c.t.Context(), []byte(message)) // a line without an answer has none to show
	c.wire.settle()
	c.wire.mu.Lock()
	c.raw = nil
	c.wire.mu.Unlock()
	return lines
}

// take gets every line of the server, under the wire's lock.
func (c *Client) take(line []byte) {
	if c.raw != nil {
		*c.raw = append(*c.raw, string(line))
		return
	}
	if err := c.core.Receive(line); err != nil && !errors.Is(err, client.ErrClosed) {
		c.t.Errorf("mcptest: %v: %.200s", err, line)
	}
}

// call makes a request and then looks what the server tells by itself.
func (c *Client) call(ctx context.Context, method protocol.MethodID, params, result any) error {
	raw, err := c.core.Call(ctx, method, params)
	if err == nil {
		err = protocol.Decode(raw, result)
	}
	c.Flush(ctx)
	return public(err)
}

// public gives an error that the server answered the shape that errors of this module have.
func public(err error) error {
	var answered *client.Error
	if !errors.As(err, &answered) {
		return err
	}
	e := &mcp.Error{Code: answered.Code, Message: answered.Message}
	if answered.Data != nil {
		e.Data = answered.Data
	}
	return e
}

func (c *Client) close() {
	c.t.Helper()
	ended := c.wire.close(patience)
	c.core.Close(nil)
	if !ended {
		c.t.Errorf("mcptest: a handler is still running %s after its session was closed; it should watch its context", patience)
	}
}

// transport is the wire as the client's half of the protocol wants it.
type transport struct{ *wire }

// Send gives a message to the server.
func (t transport) Send(ctx context.Context, message client.Outgoing) error {
	return t.in(ctx, message.Text)
}
