// Run runs the official conformance suite of the protocol against Bowline, and judges every check of it.
//
//	go run ./conformance/run
//
// It installs the suite by its lock file, builds and starts the server of package conformance on a free port, runs both
// requirement sets and every scenario that is in no set, and compares what failed with expected.json. It needs Go, npm and
// a network that reaches the npm registry the first time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	url := flags.String("url", "", "run against the server that listens at this `URL` instead of starting one")
	keep := flags.String("o", "", "keep what the suite writes in this `directory`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	home, err := packageDir(ctx, "github.com/bowline-go/mcp/conformance/run")
	if err != nil {
		return err
	}
	expected, err := readExpected(filepath.Join(home, "expected.json"))
	if err != nil {
		return err
	}
	suite, err := install(ctx, home)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if *keep == "" {
		*keep = scratch
	}
	if *url == "" {
		server, err := startServer(ctx, filepath.Join(scratch, "server"))
		if err != nil {
			return err
		}
		defer server.stop()
		*url = server.url
	}
	var all []scenario
	for _, set := range sets() {
		results, err := suite.run(ctx, set, *url, filepath.Join(*keep, set.name))
		if err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
		all = append(all, results...)
	}
	return judge(stdout, all, expected)
}
