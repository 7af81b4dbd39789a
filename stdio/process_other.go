//go:build !unix || solaris

package stdio

import (
	"io"
	"os"
)

// takeStandardStreams returns the process's input and output for the protocol. Until restore is called, os.Stdout is
// standard error. Here the descriptor itself cannot be moved: a child process that inherits it reaches the client.
func takeStandardStreams() (in io.Reader, out io.Writer, restore func(), err error) {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	return os.Stdin, stdout, func() { os.Stdout = stdout }, nil
}
