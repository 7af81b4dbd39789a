package stdio_test

import (
	"bufio"
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

// addWait adds the tool wait, which ends after the time that its text says, or with its context.
func addWait(server *mcp.Server) {
	addTool(server, "wait", func(ctx context.Context, text string) (string, error) {
		d, err := time.ParseDuration(text)
		if err != nil {
			return "", err
		}
		select {
		case <-time.After(d):
			return text, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
}

func wait(id int, d time.Duration) string {
	return call(id, "wait", `{"text":"`+d.String()+`"}`)
}

func TestEveryCallIsAnsweredOnce(t *testing.T) {
	const calls = 10000
	latencies := []time.Duration{16: 0, 3: time.Microsecond, 7: 40 * time.Microsecond, 9: 60 * time.Microsecond, 15: 2 * time.Millisecond}
	server := newServer(nil)
	addWait(server)
	c := connect(t, server, &stdio.Options{QueueBytes: 64 << 20})
	go func() {
		for i := 1; i <= calls; i += 50 {
			var lines []string
			for id := i; id < i+50; id++ {
				if d := latencies[id%len(latencies)]; d > 0 {
					lines = append(lines, wait(id, d))
				} else {
					lines = append(lines, echo(id, "世界😀"+strconv.Itoa(id)))
				}
			}
			io.WriteString(c.in, strings.Join(lines, "\n")+"\n")
		}
		c.in.Close()
	}()
	all, err := c.rest()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[int]bool)
	for _, m := range all {
		want := "世界😀" + strconv.Itoa(m.ID)
		if d := latencies[m.ID%len(latencies)]; d > 0 {
			want = d.String()
		}
		if seen[m.ID] || m.text() != want {
			t.Fatalf("id %d, answered before: %v, with %q, want %q", m.ID, seen[m.ID], m.text(), want)
		}
		seen[m.ID] = true
	}
	if len(seen) != calls {
		t.Errorf("%d calls answered, want %d", len(seen), calls)
	}
}

func TestCancellationReachesACallWhileOthersRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		gone := make(chan string, 1)
		addTool(server, "victim", func(ctx context.Context, text string) (string, error) {
			<-ctx.Done()
			gone <- text
			return "", ctx.Err()
		})
		c := connect(t, server, nil)
		for id := 1; id <= 64; id++ {
			c.send(wait(id, time.Second))
		}
		c.send(call(65, "victim", `{"text":"it"}`))
		begun := time.Now()
		c.send(cancelled(65))
		<-gone
		if d := time.Since(begun); d > time.Millisecond {
			t.Errorf("cancelled after %v, while other calls ran", d)
		}
		c.in.Close()
		all, err := c.rest()
		if err != nil || len(all) != 64 {
			t.Errorf("%d answers, error %v; want 64 and none for the cancelled call", len(all), err)
		}
	})
}

// A handshake that is not waited for cannot race with what follows it.
func TestAPipelinedHandshakeIsAnsweredFirst(t *testing.T) {
	for range 50 {
		c := connect(t, newServer(nil), nil)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"世界"}}}`,
			`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		if m := c.next(); m.ID != 1 || m.Result == nil {
			t.Fatalf("got %s, want the answer to initialize", m.raw)
		}
		for range 2 {
			if m := c.next(); m.Error != nil || m.ID == 2 && m.text() != "世界" {
				t.Errorf("after the handshake: %s", m.raw)
			}
		}
		c.end()
	}
}

func TestPipelinedCallsShareAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes for a busy goroutine
		var lines []string
		for id := range 64 {
			lines = append(lines, echo(id, "a"))
		}
		w := &countingWriter{}
		err := stdio.ServeStream(t.Context(), newServer(nil), strings.NewReader(strings.Join(lines, "\n")+"\n"), w, nil)
		if err != nil || w.writes > 2 || strings.Count(w.String(), "\n") != 64 {
			t.Errorf("%d writes of %d lines, error %v; want at most 2 of 64", w.writes, strings.Count(w.String(), "\n"), err)
		}
	})
}

type countingWriter struct {
	strings.Builder
	writes int
}

func (c *countingWriter) Write(p []byte) (int, error) {
	c.writes++
	return c.Builder.Write(p)
}

func TestNotificationsComeInOrderBeforeTheReply(t *testing.T) {
	server := newServer(nil)
	addTool(server, "steps", func(ctx context.Context, _ string) (string, error) {
		for i := range 50 {
			mcp.Progress(ctx, float64(i+1), 50, "世界")
		}
		return "done", nil
	})
	c := connect(t, server, nil)
	go func() {
		for id := 1; id <= 100; id++ {
			io.WriteString(c.in, call(id, "steps", "{}")+"\n")
		}
		c.in.Close()
	}()
	all, err := c.rest()
	if err != nil {
		t.Fatal(err)
	}
	last := make(map[int]float64)
	for _, m := range all {
		switch {
		case m.Method != "" && m.Params.Progress != last[m.Params.ProgressToken]+1:
			t.Fatalf("progress %v after %v", m.Params.Progress, last[m.Params.ProgressToken])
		case m.Method != "":
			last[m.Params.ProgressToken]++
		case last[m.ID] != 50:
			t.Fatalf("the reply came after %v notifications, want 50", last[m.ID])
		}
	}
	if len(all) != 100*51 {
		t.Errorf("%d messages, want %d", len(all), 100*51)
	}
}

func TestASlowCallsNotificationWaitsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		addTool(server, "slow", func(ctx context.Context, _ string) (string, error) {
			mcp.Progress(ctx, 1, 0, "")
			<-time.After(time.Second)
			mcp.Progress(ctx, 2, 0, "")
			<-time.After(time.Second)
			return "done", nil
		})
		c := connect(t, server, nil)
		begun := time.Now()
		// Calls that are read together with it and take longer must not hold it up either.
		c.send(echo(1, "a"), call(2, "slow", "{}"), wait(3, time.Hour), wait(4, time.Hour))
		for _, want := range []time.Duration{0, 0, time.Second, 2 * time.Second} {
			m := c.next()
			if d := time.Since(begun); d < want || d > want+time.Millisecond {
				t.Errorf("%s came after %v, want %v", m.raw, d, want)
			}
		}
		c.send(cancelled(3), cancelled(4))
		c.end()
	})
}

func TestASlowRepliesDoNotHoldUpQuickOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		c := connect(t, server, nil)
		begun := time.Now()
		c.send(wait(1, time.Second), echo(2, "a"), wait(3, time.Second), echo(4, "b"))
		for _, want := range []int{2, 4, 1, 3} {
			if m := c.next(); m.ID != want && !(want == 1 && m.ID == 3) && !(want == 3 && m.ID == 1) {
				t.Errorf("answer %d came at the place of %d", m.ID, want)
			}
		}
		if d := time.Since(begun); d > time.Second+time.Millisecond {
			t.Errorf("two calls of a second took %v together", d)
		}
		c.end()
	})
}

// A client may write all its requests before it reads the first answer.
func TestAHandlerThatEndsItsGoroutineHoldsUpNobody(t *testing.T) {
	server := newServer(nil)
	addTool(server, "exit", func(_ context.Context, text string) (string, error) {
		if text == "late" {
			<-time.After(10 * time.Millisecond)
		}
		runtime.Goexit()
		return "", nil
	})
	c := connect(t, server, &stdio.Options{MaxConcurrent: 2})
	for id := 1; id < 10; id += 3 {
		c.send(call(id, "exit", `{"text":"late"}`), call(id+1, "exit", "{}"), echo(id+2, "a"))
	}
	c.in.Close()
	all, err := c.rest()
	echoes := 0
	for _, m := range all {
		if m.text() == "a" {
			echoes++
		}
	}
	if err != nil || echoes != 3 {
		t.Errorf("%d of 3 other calls answered, error %v", echoes, err)
	}
}

func TestAnyReaderAndWriter(t *testing.T) {
	var out strings.Builder
	in := io.MultiReader(strings.NewReader(echo(1, "a")), bufio.NewReader(strings.NewReader("\n"+echo(2, "b"))))
	if err := stdio.ServeStream(context.Background(), newServer(nil), in, &out, &stdio.Options{MaxConcurrent: -1, QueueBytes: -1, Grace: -1}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d answers in %q, want 2", n, out.String())
	}
}
