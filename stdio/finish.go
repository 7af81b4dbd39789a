package stdio

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// moment is how long cancelled calls have to end.
const moment = 500 * time.Millisecond

// finish ends the connection and says how it went. inputErr is what the reader ended with; hurry is closed when there is
// no time for a client that reads slowly, and nil when there is none from the beginning. The grace period ends early then,
// and when the output fails.
func (c *conn) finish(inputErr error, hurry <-chan struct{}) error {
	defer c.cancel()
	begun := time.Now()
	c.stopping.Store(true)
	c.beside(c.session.Drain)
	c.waitIdle(c.options.Grace, hurry, c.out.broken)
	c.beside(c.session.Close)
	c.out.taken.Store(0)
	ended := c.waitIdle(moment, nil, nil)
	for !ended && c.advances(hurry) {
		ended = c.waitIdle(moment, hurry, c.out.broken)
	}
	settled := c.settled()
	written := settled.within(max(moment, c.options.Grace+moment-time.Since(begun)))
	for !written && c.advances(hurry) {
		written = settled.within(moment)
	}
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

// advances reports whether the client has taken something since the last question, so that it is worth while to wait on:
// what is left to write is bounded, because cancelled calls send nothing but their replies.
func (c *conn) advances(hurry <-chan struct{}) bool {
	select {
	case <-hurry:
		return false
	case <-c.out.broken:
		return false
	default:
	}
	return hurry != nil && c.out.taken.Swap(0) > 0
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

// An event is a channel that is closed when something has happened.
type event <-chan struct{}

// settled is closed when everything is written.
func (c *conn) settled() event {
	done := make(chan struct{})
	go func() {
		c.out.settle()
		close(done)
	}()
	return done
}

// within waits for at most d and reports whether it has happened.
func (e event) within(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-e:
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
