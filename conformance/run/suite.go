package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// oldestNode is the oldest major version of Node that the suite starts on.
const oldestNode = 22

// A set is one run of the suite. The number of scenarios is pinned, so that none is lost without notice.
type set struct {
	name      string
	args      []string
	scenarios int
}

// sets are together everything that the suite has for servers. "all" alone is not: it runs each scenario in one revision.
func sets() []set {
	return []set{
		{"2025-11-25", []string{"--requirements", "2025-11-25"}, 33},
		{"2026-07-28", []string{"--requirements", "2026-07-28"}, 50},
		{"pending", []string{"--suite", "pending"}, 17},
		{"all", []string{"--suite", "all"}, 65},
	}
}

// A suite is an installed conformance suite.
type suite struct{ node, script string }

// install installs the suite into home, unless it is there already.
func install(ctx context.Context, home string) (*suite, error) {
	s := &suite{script: filepath.Join(home, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")}
	if !installed(home) {
		// No package of the lock file needs its install script.
		npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
		npm.Dir, npm.Stdout, npm.Stderr = home, os.Stderr, os.Stderr
		if err := npm.Run(); err != nil {
			return nil, fmt.Errorf("installing the suite: npm ci in %s: %w", home, err)
		}
	}
	var err error
	s.node, err = findNode(ctx, home)
	return s, err
}

// installed reports whether node_modules is as the lock file wants it: npm keeps a copy of the lock file there.
func installed(home string) bool {
	lock, err := os.Stat(filepath.Join(home, "package-lock.json"))
	if err != nil {
		return false
	}
	copied, err := os.Stat(filepath.Join(home, "node_modules", ".package-lock.json"))
	return err == nil && !copied.ModTime().Before(lock.ModTime())
}

// findNode returns the Node of the lock file, or, where there is none for the platform, the machine's own.
func findNode(ctx context.Context, home string) (string, error) {
	pinned, err := filepath.Glob(filepath.Join(home, "node_modules", "node-*", "bin", "node"))
	if err != nil {
		return "", err
	}
	if len(pinned) > 0 {
		return pinned[0], nil
	}
	out, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("running node: %w", err)
	}
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldestNode {
		return "", fmt.Errorf("node is %s, and the suite needs %d; install a newer one", version, oldestNode)
	}
	return "node", nil
}

// run runs one set and returns what it wrote below dir.
func (s *suite) run(ctx context.Context, set set, url, dir string) ([]scenario, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	args := append([]string{s.script, "server", "--url", url, "-o", dir}, set.args...)
	cmd := exec.CommandContext(ctx, s.node, args...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("starting the suite: %w", err)
	}
	results, readErr := readResults(set.name, dir)
	if readErr != nil || len(results) != set.scenarios {
		return nil, fmt.Errorf("%d scenarios ran, want %d (%v, %v); the suite says:\n%s", len(results), set.scenarios, err, readErr, &log)
	}
	return results, nil
}
