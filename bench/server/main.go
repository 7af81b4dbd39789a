// Server is Bowline's entry in the benchmark: the tools that every server of the comparison has, on standard streams or
// over Streamable HTTP.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"

	"github.com/bowline-go/mcp/mcphttp"
	"github.com/bowline-go/mcp/stdio"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	var (
		standard = flags.Bool("stdio", false, "serve on standard input and output")
		address  = flags.String("http", "", "serve Streamable HTTP on this `address`, endpoint /mcp")
		fillers  = flags.Int("tools", 0, "additional tools to list")
		encodes  = flags.Bool("encode", false, "encode the picture of the image tool in every call, as if it were a new one")
		profile  = flags.String("cpuprofile", "", "write a CPU profile of the whole run to this file")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		// A profile is written at the end. Otherwise signals end the process, as they do every other server of the comparison.
		notified, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		ctx = notified
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	switch server := newServer(*fillers, *encodes); {
	case *standard:
		return stdio.Serve(ctx, server, nil)
	case *address != "":
		return mcphttp.ListenAndServe(ctx, *address, server, nil)
	}
	return errors.New("nothing to serve; give -stdio or -http ADDRESS")
}
