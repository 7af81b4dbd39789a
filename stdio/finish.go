package stdio

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// moment is how long cancelled calls have to end.
const moment = 500 * time.Millisecond

// finish ends the connection and says how it went. inputErr is what the reader ended with; the grace period ends early
// when hurry is closed or the output fails.
func (c *conn) finish(inputErr error, hurry <-chan struct{}) error {
	defer c.cancel()
	begun := time.Now()
	c.stopping.Store(true)
	c.beside(c.session.Drain)
	c.waitIdle(c.options.Grace, hurry, c.out.broken)
	c.beside(c.session.Close)
	ended := c.waitIdle(moment, nil, nil)
	written := c.waitWritten(max(moment, c.options.Grace+moment-time.Since(begun)))
	switch {
	case c.out.failed():
		return fmt.Errorf("stdio: writing failed: %w", c.out.failure())
	case inputErr != nil:
		return inputErr
	case !written:
		return errors.New("stdio: the last replies could not be written in time: the client does not read, or a streamed result does not end")
	case !ended:
		return fmt.Errorf("stdio: %d calls did not end within %v of their cancellation and are left behind: handlers must watch their context",
			c.busy.Load(), moment)
	}
	return nil
}

// beside runs f as if it were a call: it may have to wait for a client that does not read.
func (c *conn) beside(f func()) {
	c.busy.Add(1)
	go func() {
		defer c.end()
		f()
	}()
}

// waitIdle waits until no call runs, for at most d or until hurry or broken is closed, and reports whether it is so.
func (c *conn) waitIdle(d time.Duration, hurry, broken <-chan struct{}) bool {
	timer := time.NewTimer(max(d, 0))
	defer timer.Stop()
	for c.busy.Load() != 0 {
		select {
		case <-c.idle:
		case <-hurry:
			return false
		case <-broken:
			return false
		case <-timer.C:
			return false
		}
	}
	return true
}

// waitWritten waits until everything is written, for at most d.
func (c *conn) waitWritten(d time.Duration) bool {
	settled := make(chan struct{})
	go func() {
		c.out.settle()
		close(settled)
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-settled:
		return true
	case <-timer.C:
		return false
	}
}

func endOfInput(err error) error {
	if err == io.EOF {
		return nil
	}
	return fmt.Errorf("stdio: reading failed: %w", err)
}
