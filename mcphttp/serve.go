package mcphttp

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/bowline-go/mcp"
)

const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10

	// After the grace, cancelled calls have the first of these to answer, and connections the second to take it: with the
	// default grace the end takes less than 4 s in all.
	cancelTime = 500 * time.Millisecond
	flushTime  = 300 * time.Millisecond
)

// ListenAndServe serves the server at addr, such as "127.0.0.1:8080", until ctx is done; port 0 is any free port, which
// Options.OnListen is told. Only loopback addresses are listened on unless Options.AllowRemote is set.
//
// A client has 10 s to send the header of a request, of at most 64 KiB, and may leave its connection without a request for
// 2 min; [Options] bound what else takes time.
//
// When ctx is done, new requests are refused, subscriptions end with their result, and running requests go on for
// Options.Grace and are then cancelled. The result is nil if they all have ended by then, or what went wrong: the mistakes
// of the registration or the options (nothing was served), the address, the listener, or requests that did not end.
func ListenAndServe(ctx context.Context, addr string, server *mcp.Server, o *Options) error {
	h, err := newServingHandler(server, o)
	if err != nil {
		return err
	}
	defer h.Close()
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("mcphttp: listening on %q: %w", addr, err)
	}
	return h.serve(ctx, listener)
}

// Serve is [ListenAndServe] on a listener that exists, which it closes. Addresses that are no IP addresses, such as those of
// Unix sockets, count as local.
func Serve(ctx context.Context, listener net.Listener, server *mcp.Server, o *Options) error {
	defer listener.Close()
	h, err := newServingHandler(server, o)
	if err != nil {
		return err
	}
	defer h.Close()
	return h.serve(ctx, listener)
}

func newServingHandler(server *mcp.Server, o *Options) (*Handler, error) {
	var set Options
	if o != nil {
		set = *o
	}
	if set.Path == "" {
		set.Path = defaultPath
	}
	h, err := NewHandler(server, &set)
	if err != nil {
		return nil, err
	}
	h.bounded = true // by gatedConn
	if set.Wrap == nil {
		h.held = &heldStreams{open: map[*heldConn]struct{}{}}
	}
	return h, nil
}

var errNoHandler = errors.New("mcphttp: Options.Wrap returned no handler, in whose place net/http would serve whatever is " +
	"registered in the whole program; return one that calls the given handler")

// wrapped is the handler in the program's own middleware.
func (h *Handler) wrapped() (http.Handler, error) {
	if h.options.Wrap == nil {
		return h, nil
	}
	wrapped := h.options.Wrap(h)
	if wrapped == nil {
		return nil, errNoHandler
	}
	return wrapped, nil
}

func (h *Handler) serve(ctx context.Context, listener net.Listener) error {
	defer listener.Close()
	if !h.options.AllowRemote && isRemote(listener.Addr()) {
		return fmt.Errorf("mcphttp: %s can be reached from other machines, and whoever reaches it may call every tool; "+
			"listen on 127.0.0.1, or set Options.AllowRemote and put authentication in front with Options.Wrap", listener.Addr())
	}
	handler, err := h.wrapped()
	if err != nil {
		return err
	}
	base, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          connectionLog(h.options.Logger),
	}
	if h.options.OnListen != nil {
		h.options.OnListen(listener.Addr())
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(newGatedListener(listener, &h.options)) }()
	select {
	case err := <-failed:
		server.Close()
		h.held.close()
		return fmt.Errorf("mcphttp: accepting connections: %w", err)
	case <-ctx.Done():
	}
	listener.Close()
	<-failed
	return h.shutDown(server, func() { cancel(errDraining) })
}

// shutDown ends the handler and its server in steps: drain, cancel, close.
func (h *Handler) shutDown(server *http.Server, cancel func()) error {
	h.draining.Store(true)
	h.session.Drain()
	// This closes connections that are idle, also one whose next request has just been read. That one is refused by now, so
	// that no call runs whose answer cannot be sent.
	server.SetKeepAlivesEnabled(false)
	err := h.waitFor(max(h.options.Grace, 0))
	if err != nil {
		cancel()
		h.Close()
		err = h.waitFor(cancelTime)
	}
	// A response is written to its end only after its exchange is over.
	flush, stop := context.WithTimeout(context.Background(), flushTime)
	defer stop()
	_ = server.Shutdown(flush) // connections without a request are closed next
	err = errors.Join(err, server.Close())
	h.held.close()
	return err
}

func (h *Handler) waitFor(most time.Duration) error {
	ctx, stop := context.WithTimeout(context.Background(), most)
	defer stop()
	return h.wait(ctx)
}

// isRemote reports an address that other machines may reach.
func isRemote(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

// connectionLog is where net/http writes; without a logger it is nowhere, not the standard log.
func connectionLog(logger *slog.Logger) *log.Logger {
	if logger == nil {
		return slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)
	}
	return slog.NewLogLogger(logger.Handler(), slog.LevelWarn)
}
