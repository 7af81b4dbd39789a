package drive

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

// lateTime is how long notifications may come behind the last answer.
const lateTime = 200 * time.Millisecond

// Stdio drives one server over its standard streams.
type Stdio struct {
	in     *os.File // the server's standard input
	out    *os.File // the server's standard output
	lines  *lineReader
	era    string
	nextID int64
}

// NewStdio makes a client of a server that has just started; in the legacy era it shakes hands.
func NewStdio(in, out *os.File, era string) (*Stdio, error) {
	c := &Stdio{in: in, out: out, lines: newLineReader(out), era: era, nextID: 1}
	if era == workload.Modern {
		return c, nil
	}
	out.SetReadDeadline(time.Now().Add(connectTime))
	if _, err := in.Write(append(workload.InitializeRequest(c.nextID), '\n')); err != nil {
		return nil, err
	}
	line, err := c.lines.next()
	if err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	if _, err := workload.Negotiated(line); err != nil {
		return nil, err
	}
	c.nextID++
	_, err = in.Write([]byte(workload.InitializedNotification + "\n"))
	return c, err
}

// Run implements [Client]; level is the window of requests that are pipelined.
func (c *Stdio) Run(w *workload.Workload, level int, limits Limits) *Sample {
	begin := time.Now()
	deadline := begin.Add(limits.Time)
	c.out.SetReadDeadline(deadline.Add(limits.Grace))
	c.in.SetWriteDeadline(deadline.Add(limits.Grace))
	r := &stdioRun{
		client: c, workload: w, base: c.nextID, begin: begin, deadline: deadline, most: int64(limits.Requests),
		sent: make([]int64, limits.Requests), notes: make([]uint8, limits.Requests), answered: make([]bool, limits.Requests),
		sample: newSample(limits.Requests),
	}
	if level == 1 {
		r.takeTurns()
	} else {
		r.pipeline(level)
	}
	r.sample.Errors += int(r.total.Load() - r.got.Load())
	c.nextID = r.base + r.total.Load()
	r.collectNotes()
	return r.sample
}

// takeTurns sends a request when the one before has been answered.
func (r *stdioRun) takeTurns() {
	for r.more() {
		err := r.write(1)
		if err == nil {
			err = r.readUntilAnswer()
		}
		if err != nil {
			r.sample.breaks(err)
			return
		}
		r.got.Add(1)
	}
}

// pipeline keeps window requests unanswered: one goroutine writes, this one reads.
func (r *stdioRun) pipeline(window int) {
	tokens := make(chan struct{}, window)
	for range window {
		tokens <- struct{}{}
	}
	stop := make(chan struct{})
	written := make(chan error, 1)
	go func() {
		err := r.writeAll(tokens, stop)
		r.done.Store(true)
		if r.complete() {
			r.client.out.SetReadDeadline(time.Now()) // nothing more will come
		}
		written <- err
	}()
	for !r.complete() {
		if err := r.readUntilAnswer(); err != nil {
			if !r.complete() {
				r.sample.breaks(err)
				r.client.in.SetWriteDeadline(time.Now())
			}
			break
		}
		r.got.Add(1)
		tokens <- struct{}{}
	}
	close(stop)
	if err := <-written; err != nil && !r.sample.Broken {
		r.sample.wrong(fmt.Errorf("write: %w", err))
	}
}

// writeAll sends requests as tokens come, all that may be sent at a time with one system call.
func (r *stdioRun) writeAll(tokens, stop <-chan struct{}) error {
	for r.more() {
		select {
		case <-tokens:
		case <-stop:
			return nil
		}
		n := 1
		for left := r.most - r.total.Load(); int64(n) < left && len(tokens) > 0; n++ {
			<-tokens
		}
		if err := r.write(n); err != nil {
			return err
		}
	}
	return nil
}

// collectNotes waits a moment for notifications that were overtaken by their answers and then counts the requests that
// did not get all of theirs.
func (r *stdioRun) collectNotes() {
	if r.workload.Notes == 0 {
		return
	}
	notes := r.notes[:r.total.Load()]
	missing := func() (n int) {
		for _, k := range notes {
			if int(k) < r.workload.Notes {
				n++
			}
		}
		return n
	}
	r.client.out.SetReadDeadline(time.Now().Add(lateTime))
	for missing() > 0 {
		line, err := r.client.lines.next()
		if err != nil {
			break
		}
		if m, err := workload.Classify(line); err == nil && m.Progress && m.ID >= r.base && m.ID-r.base < int64(len(notes)) {
			notes[m.ID-r.base]++
			r.sample.Late++
		}
	}
	for range missing() {
		r.sample.wrong(errors.New("progress notifications missing"))
	}
}
