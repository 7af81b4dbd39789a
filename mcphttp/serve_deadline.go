package mcphttp

import (
	"net"
	"sync"
	"time"
)

// readDeadline is the deadline of reads of a connection. net/http moves it seven times in a request, most times further away
// or while nothing is read. The connection hears of an earlier one when something is read, and of a later one when the one
// that it has has come: of two in a request, which saves a fiftieth of a small call.
type readDeadline struct {
	mu      sync.Mutex
	wanted  time.Time // zero: none
	set     time.Time // what the connection has
	passed  bool      // set has come
	reading int       // reads under way
}

// move changes what is wanted. A read that is under way must not wait for longer than that.
func (d *readDeadline) move(conn net.Conn, t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.reading > 0 {
		return d.hurry(conn)
	}
	return nil
}

// begin is called before a read.
func (d *readDeadline) begin(conn net.Conn) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reading++
	if d.passed {
		return d.apply(conn)
	}
	return d.hurry(conn)
}

// end is called behind a read, and says whether it is to be repeated: it ran into a deadline, but not into the wanted one.
func (d *readDeadline) end(timedOut bool) (again bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reading--
	if !timedOut {
		return false
	}
	d.passed = true
	return !d.set.Equal(d.wanted)
}

// hurry tells the connection of a deadline that comes before the one that it has. mu is held.
func (d *readDeadline) hurry(conn net.Conn) error {
	if d.wanted.IsZero() || !d.set.IsZero() && !d.wanted.Before(d.set) {
		return nil
	}
	return d.apply(conn)
}

// apply tells the connection what is wanted. mu is held.
func (d *readDeadline) apply(conn net.Conn) error {
	d.set, d.passed = d.wanted, false
	return conn.SetReadDeadline(d.wanted)
}
