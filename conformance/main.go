// Conformance is the server that the official conformance suite is run against: one tool, resource and prompt for each
// thing that the suite looks at, for clients of every revision, on one endpoint. Package conformance/run runs the suite.
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
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// run serves as the arguments say. Over HTTP it writes the endpoint to stderr once it listens.
func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	standard := flags.Bool("stdio", false, "serve on standard input and output")
	address := flags.String("http", "", "serve Streamable HTTP on this `address`; port 0 is any free one")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q; run with -h for help", flags.Arg(0))
	case *standard == (*address != ""):
		return errors.New("want one of -stdio and -http ADDRESS")
	}
	if *standard {
		return stdio.Serve(ctx, newServer(), nil)
	}
	return mcphttp.ListenAndServe(ctx, *address, newServer(), &mcphttp.Options{
		OnListen: func(bound net.Addr) { fmt.Fprintf(stderr, "http://%s/mcp\n", bound) },
	})
}
