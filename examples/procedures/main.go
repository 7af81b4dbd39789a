// Procedures is an MCP server whose tools are ordinary Go functions, registered by name and declared beside.
//
//	go run ./examples/procedures                        on standard input and output
//	go run ./examples/procedures -http 127.0.0.1:8079   on http://127.0.0.1:8079/mcp
//
// On standard input it takes messages one a line, or with a Content-Length header, whichever the client begins with. Clients
// need no handshake.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/bowline-go/mcp/mcphttp"
	"github.com/bowline-go/mcp/stdio"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "procedures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("procedures", flag.ContinueOnError)
	flags.SetOutput(stderr)
	address := flags.String("http", "", "serve HTTP on this `address`, such as 127.0.0.1:8079, instead of standard input and output")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q; run with -h for help", flags.Arg(0))
	}
	server, err := newServer()
	if err != nil {
		return err
	}
	if *address == "" {
		return stdio.Serve(ctx, server, nil)
	}
	return mcphttp.ListenAndServe(ctx, *address, server, &mcphttp.Options{
		OnListen: func(a net.Addr) { fmt.Fprintf(stderr, "serving http://%s/mcp\n", a) },
	})
}
