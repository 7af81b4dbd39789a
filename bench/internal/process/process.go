// Package process starts servers and asks the kernel what they cost. It works on Linux, where /proc tells.
//
// This package does not know what the servers are asked.
package process

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTime = 20 * time.Second       // for a server to listen
	exitTime  = 2 * time.Second        // for a server to end after the end of its input
	closeTime = 200 * time.Millisecond // for an HTTP server, which may wait for open connections: the run is over
)

// A Group is the servers that run. Its zero value is ready to use.
type Group struct {
	Stderr *os.File // of the servers; nil: discarded

	running sync.Map // process id to *os.Process
}

// A Process is a running server.
type Process struct {
	Stdin, Stdout *os.File // of a server on standard streams
	Addr          string   // of a server over HTTP

	group *Group
	cmd   *exec.Cmd
}

// StartStdio starts a server on standard streams.
func (g *Group) StartStdio(command []string) (*Process, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		inR.Close()
		inW.Close()
		return nil, err
	}
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], "-stdio")...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, g.Stderr
	p, err := g.start(cmd)
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, err
	}
	p.Stdin, p.Stdout = inW, outR
	return p, nil
}

// StartHTTP starts a server on a free loopback port and waits until it accepts connections.
func (g *Group) StartHTTP(command []string) (*Process, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	l.Close()
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], "-http", addr)...)
	cmd.Stdout, cmd.Stderr = g.Stderr, g.Stderr
	p, err := g.start(cmd)
	if err != nil {
		return nil, err
	}
	p.Addr = addr
	for end := time.Now().Add(startTime); time.Now().Before(end); time.Sleep(500 * time.Microsecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
			return p, nil
		}
	}
	p.Stop()
	return nil, fmt.Errorf("%s: not listening on %s", strings.Join(command, " "), addr)
}

func (g *Group) start(cmd *exec.Cmd) (*Process, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g.running.Store(cmd.Process.Pid, cmd.Process)
	return &Process{group: g, cmd: cmd}, nil
}

// Stop ends the server, by force if it does not go.
func (p *Process) Stop() {
	patience := exitTime
	if p.Stdin != nil {
		p.Stdin.Close()
	}
	if p.Addr != "" {
		p.cmd.Process.Signal(syscall.SIGTERM)
		patience = closeTime
	}
	kill := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	p.cmd.Wait() // how it ended is of no interest: it may have been killed
	kill.Stop()
	p.group.running.Delete(p.cmd.Process.Pid)
	if p.Stdout != nil {
		p.Stdout.Close()
	}
}

// KillAll kills what still runs, each by its own id, because the load generator was interrupted.
func (g *Group) KillAll() {
	g.running.Range(func(_, v any) bool {
		v.(*os.Process).Kill()
		return true
	})
}
