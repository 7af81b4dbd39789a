package mcphttp_test

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// event is one event of a stream.
type event struct {
	id, name, data, retry string
	hasData               bool
	comment               bool
}

// eventReader reads a stream as a client does.
type eventReader struct {
	t     testing.TB
	lines *bufio.Reader
}

func readEvents(t testing.TB, r io.Reader) *eventReader {
	return &eventReader{t, bufio.NewReaderSize(r, 1<<20)}
}

// read returns the next event, or false at the end of the stream.
func (r *eventReader) read() (e event, ok bool) {
	r.t.Helper()
	for first := true; ; first = false {
		line, err := r.lines.ReadString('\n')
		if err != nil && first && line == "" {
			return e, false
		}
		if err != nil {
			r.t.Fatalf("the stream breaks off in an event: %q, %v", line, err)
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			return e, true
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "":
			e.comment = true
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "retry":
			e.retry = value
		case "data":
			if e.hasData {
				r.t.Fatalf("a second data line: %q", value)
			}
			e.data, e.hasData = value, true
		default:
			r.t.Fatalf("an unknown field: %q", line)
		}
	}
}

// next returns the next event that is no comment.
func (r *eventReader) next() event {
	r.t.Helper()
	for {
		e, ok := r.read()
		if !ok {
			r.t.Fatal("the stream has ended")
		}
		if !e.comment {
			return e
		}
	}
}

// end fails if anything but comments comes.
func (r *eventReader) end() {
	r.t.Helper()
	for {
		e, ok := r.read()
		if !ok {
			return
		}
		if !e.comment {
			r.t.Fatalf("got %+v, want the end of the stream", e)
		}
	}
}
