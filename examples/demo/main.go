// Demo is an MCP server with one of everything: tools that return text, structured data, a
// picture and an error, a slow tool that can be cancelled, tools that ask the user, the
// client's model or the client, a prompt, a resource and a resource template with completion.
//
//	go run ./examples/demo
//
// serves it on standard input and output, as AI clients start local servers, and
//
//	go run ./examples/demo -http 127.0.0.1:8080
//
// over HTTP.
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
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	address := flags.String("http", "", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q; run with -h for help", flags.Arg(0))
	}
	if *address != "" {
		return mcphttp.ListenAndServe(ctx, *address, newServer(), &mcphttp.Options{
			OnListen: func(at net.Addr) { fmt.Fprintf(stderr, "demo: serving http://%s/mcp\n", at) },
		})
	}
	if isTerminal(os.Stdin) {
		fmt.Fprint(stderr, welcome)
	}
	return stdio.Serve(ctx, newServer(), nil)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const usage = `Demo is an MCP server with one of everything.

Usage:
	demo			serve standard input and output; an AI client starts it like this
	demo -http ADDRESS	serve http://ADDRESS/mcp; ADDRESS is such as 127.0.0.1:8080

`

const welcome = `This is the Bowline demo, an MCP server on standard input and output. It waits for JSON-RPC
messages, one a line. An AI client would start it for you; to try it by hand, paste this line:

{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}

Ctrl-D ends it.
`
