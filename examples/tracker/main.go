// Tracker is an MCP server of issues over HTTP, as one serves it to many people: it stands on a mux beside other routes,
// lets in who has a token, gives each caller issues of their own, and ends without losing an answer.
//
//	go run ./examples/tracker -http 127.0.0.1:8078 -token ann=secret1 -token bob=secret2
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "tracker:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("tracker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	address := flags.String("http", "127.0.0.1:8078", "serve HTTP on this `address`")
	known := tokens{}
	flags.Func("token", "let in a caller with a token, as in `ann=secret`; once for each caller", func(text string) error {
		caller, token, ok := strings.Cut(text, "=")
		if !ok || caller == "" || token == "" {
			return errors.New("write a name, an equals sign and a token")
		}
		known.add(caller, token)
		return nil
	})
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	}
	if len(known) == 0 {
		return errors.New("nobody could call; let somebody in with -token ann=secret")
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "tracker: serving http://%s/mcp\n", listener.Addr())
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	return serve(ctx, listener, newServer(&mcp.Options{Logger: logger, ResourceUpdates: true, PageSize: 50}), known)
}

// grace is how long requests may go on after the context has ended.
const grace = 5 * time.Second

// serve serves until ctx is done, and then until what runs has been answered.
func serve(ctx context.Context, listener net.Listener, server *mcp.Server, known tokens) error {
	handler, err := mcphttp.NewHandler(server, nil)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", known.require(handler))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })

	// No ReadTimeout and no WriteTimeout: they would end calls and event streams in the middle.
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		left, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		// Draining ends the streams that stay open; Shutdown would wait for them.
		ended <- errors.Join(handler.Drain(left), web.Shutdown(left))
	})
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return errors.Join(err, handler.Close())
	}
	return <-ended
}
