package drive

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

// A stdioRun is the state of one run over standard streams. Slices are indexed by id - base.
type stdioRun struct {
	client   *Stdio
	workload *workload.Workload
	base     int64 // the first id
	begin    time.Time
	deadline time.Time
	most     int64 // requests

	buf   []byte       // the writer's
	sent  []int64      // when, in nanoseconds since begin; atomic
	total atomic.Int64 // requests written
	done  atomic.Bool  // no more requests will be written

	notes    []uint8
	answered []bool
	got      atomic.Int64 // answers read
	sample   *Sample
}

func (r *stdioRun) more() bool { return r.total.Load() < r.most && time.Now().Before(r.deadline) }

func (r *stdioRun) complete() bool { return r.done.Load() && r.got.Load() == r.total.Load() }

// write sends the next n requests in one system call.
func (r *stdioRun) write(n int) error {
	r.buf = r.buf[:0]
	i := r.total.Load()
	for range n {
		r.buf = append(r.workload.AppendRequest(r.buf, r.client.era, r.base+i), '\n')
		atomic.StoreInt64(&r.sent[i], int64(time.Since(r.begin)))
		i++
	}
	r.total.Store(i)
	_, err := r.client.in.Write(r.buf)
	return err
}

// readUntilAnswer reads up to and with the next answer and judges it.
func (r *stdioRun) readUntilAnswer() error {
	for {
		line, err := r.client.lines.next()
		if err != nil {
			return err
		}
		r.sample.Bytes += int64(len(line)) + 1
		m, err := workload.Classify(line)
		if err != nil {
			return err
		}
		i := m.ID - r.base
		known := i >= 0 && i < int64(len(r.sent))
		switch {
		case !m.IsAnswer:
			if known && m.Progress {
				r.note(i)
			}
		case !known:
			return fmt.Errorf("answer with unknown id %d", m.ID)
		case r.answered[i]:
			return fmt.Errorf("second answer to id %d", m.ID)
		default:
			r.answer(i, line)
			return nil
		}
	}
}

func (r *stdioRun) note(i int64) {
	r.notes[i]++
	if r.answered[i] {
		r.sample.Late++
	}
}

func (r *stdioRun) answer(i int64, line []byte) {
	r.answered[i] = true
	r.sample.Duration = time.Since(r.begin)
	r.sample.Latencies = append(r.sample.Latencies, int64(r.sample.Duration)-atomic.LoadInt64(&r.sent[i]))
	if err := r.workload.Verify(line, r.base+i, i == 0); err != nil {
		r.sample.wrong(err)
	}
}
