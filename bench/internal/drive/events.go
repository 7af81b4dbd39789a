package drive

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/bowline-go/mcp/bench/internal/workload"
)

// verifyHTTP judges one answer: a JSON body or a whole event stream.
func verifyHTTP(w *workload.Workload, a *answer, id int64, full bool) error {
	if a.status != 200 {
		return fmt.Errorf("status %d: %s", a.status, workload.Clip(a.body))
	}
	msg, notes := a.body, 0
	if a.events {
		var err error
		if msg, notes, err = takeApart(a.body, id); err != nil {
			return err
		}
	}
	if notes != w.Notes {
		return fmt.Errorf("%d progress notifications before the answer, want %d: %s", notes, w.Notes, workload.Clip(a.body))
	}
	msg = bytes.TrimRight(msg, "\r\n")
	m, err := workload.Classify(msg)
	if err != nil {
		return err
	}
	if !m.IsAnswer || m.ID != id {
		return fmt.Errorf("answer to id %d, want %d", m.ID, id)
	}
	return w.Verify(msg, id, full)
}

// takeApart finds the answer in an event stream, and how many progress notifications of the request precede it.
func takeApart(body []byte, id int64) (msg []byte, notes int, err error) {
	for data := range events(body) {
		m, err := workload.Classify(data)
		switch {
		case err != nil:
			return nil, 0, err
		case m.IsAnswer:
			msg = data
		case m.Progress && m.ID == id && msg == nil:
			notes++
		}
	}
	return msg, notes, nil
}

// events iterates over the data of the server-sent events in body. MCP servers put each message on one data line.
func events(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(body) {
			data, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:"))
			if !ok {
				continue
			}
			data = bytes.TrimPrefix(data, []byte(" "))
			if len(data) > 0 && !yield(data) {
				return
			}
		}
	}
}

func lastEvent(body []byte) (last []byte) {
	for data := range events(body) {
		last = data
	}
	return last
}
