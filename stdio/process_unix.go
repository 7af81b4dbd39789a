//go:build unix && !solaris

package stdio

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// takeStandardStreams returns the process's input and output for the protocol. Until restore is called, descriptor 1 is
// standard error, so that nothing else reaches the client, and SIGPIPE does not end the process.
//
// basic/transports/stdio: nothing that is not a valid MCP message MUST be written to stdout.
func takeStandardStreams() (in io.Reader, out io.Writer, restore func(), err error) {
	const stdout, stderr = 1, 2
	syscall.ForkLock.RLock() // no child may inherit the copy: it would hold the client's stream open
	fd, err := syscall.Dup(stdout)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("stdio: standard output is not open: %w", err)
	}
	file := os.NewFile(uintptr(fd), "stdout")
	if err := pointElsewhere(stdout, stderr); err != nil {
		file.Close()
		return nil, nil, nil, fmt.Errorf("stdio: pointing standard output at standard error: %w", err)
	}
	// A write to a broken descriptor 1 or 2 ends a Go process unless SIGPIPE is notified. Ignoring it instead could not
	// be taken back without touching what the program itself has asked for.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	return os.Stdin, file, func() {
		signal.Stop(pipe)
		dup2(fd, stdout)
		file.Close()
	}, nil
}

// pointElsewhere makes descriptor from a copy of to, or, if that is not open, of the null device.
func pointElsewhere(from, to int) error {
	if err := dup2(to, from); err == nil {
		return nil
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	return dup2(int(null.Fd()), from)
}
