package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// exitTime is how long the server may take to end.
const exitTime = 10 * time.Second

// packageDir is the folder of a package of this module.
func packageDir(ctx context.Context, path string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("finding %s; run it from within the module: %w", path, err)
	}
	return string(bytes.TrimSpace(out)), nil
}

// A server is the one under test.
type server struct {
	cmd *exec.Cmd
	url string
}

// startServer builds the server of package conformance and starts it on a free port of this machine.
func startServer(ctx context.Context, binary string) (*server, error) {
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/bowline-go/mcp/conformance")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building the server: %w", err)
	}
	cmd := exec.CommandContext(ctx, binary, "-http", "127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = exitTime
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(stderr)
	url, err := lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(url, "http://") {
		cmd.Process.Kill()
		return nil, errors.Join(fmt.Errorf("the server does not listen; it says %q", url), cmd.Wait())
	}
	go io.Copy(os.Stderr, lines) // ends with the server
	return &server{cmd, strings.TrimSpace(url)}, nil
}

// stop ends the server, by force if it does not go.
func (s *server) stop() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(exitTime, func() { s.cmd.Process.Kill() })
	defer kill.Stop()
	if err := s.cmd.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, "conformance: the server ended badly:", err)
	}
}
