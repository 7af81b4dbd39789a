package stdio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

func TestCallsWaitForASlotAndCancellationsDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		var running, most atomic.Int32
		addTool(server, "count", func(ctx context.Context, text string) (string, error) {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			<-time.After(time.Second)
			return "counted", nil
		})
		c := connect(t, server, &stdio.Options{MaxConcurrent: 4, Grace: time.Hour})
		begun := time.Now()
		for id := 1; id <= 3; id++ {
			c.send(call(id, "count", "{}"))
		}
		c.send(wait(4, time.Hour))
		for id := 5; id <= 12; id++ {
			c.send(call(id, "count", "{}"))
		}
		synctest.Wait()
		c.send(cancelled(4)) // its slot is free at once
		c.in.Close()
		all, err := c.rest()
		if err != nil || len(all) != 11 {
			t.Errorf("%d answers, error %v; want 11", len(all), err)
		}
		if n := most.Load(); n != 4 {
			t.Errorf("at most %d calls ran at a time, want 4", n)
		}
		if d := time.Since(begun); d > 3*time.Second+time.Millisecond {
			t.Errorf("11 calls of a second in 4 slots took %v", d)
		}
	})
}

func TestAFullQueueRefusesCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		c := connect(t, server, &stdio.Options{MaxConcurrent: 1, QueueBytes: 8 << 10, Grace: time.Hour})
		c.send(wait(1, time.Second))
		synctest.Wait()
		for id := 2; id <= 40; id++ {
			c.send(echo(id, "a"))
		}
		c.in.Close()
		all, err := c.rest()
		if err != nil || len(all) != 40 {
			t.Fatalf("%d answers, error %v; want 40", len(all), err)
		}
		refused := 0
		for _, m := range all {
			if m.Error == nil {
				continue
			}
			refused++
			if m.Error.Code != -32603 || m.Error.Data.RetryAfterMs <= 0 || m.ID < 5 {
				t.Errorf("refused with %s", m.raw)
			}
		}
		if refused < 20 || refused > 36 {
			t.Errorf("%d of 40 calls refused with a queue of 8 KiB", refused)
		}
	})
}

func TestAClientThatWritesFirstAndReadsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newServer(nil), nil)
		for id := 1; id <= 5000; id++ {
			c.send(echo(id, strings.Repeat("x", 100)))
		}
		c.in.Close()
		all, err := c.rest()
		if err != nil || len(all) != 5000 {
			t.Errorf("%d answers, error %v; want 5000", len(all), err)
		}
	})
}

func TestAClientThatDoesNotReadStopsTheReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newServer(nil), nil)
		line := strings.Repeat("x", 100<<10)
		var sent atomic.Int64
		go func() {
			for id := 1; id <= 500; id++ {
				io.WriteString(c.in, echo(id, line)+"\n")
				sent.Store(int64(id))
			}
			c.in.Close()
		}()
		<-time.After(time.Minute)
		synctest.Wait()
		if n := sent.Load() * int64(len(line)); n > 32<<20 {
			t.Errorf("%d MiB were taken from a client that reads nothing", n>>20)
		}
		all, err := c.rest()
		seen := make(map[int]bool)
		for _, m := range all {
			if m.Result == nil || seen[m.ID] {
				t.Fatalf("message %.200s", m.raw)
			}
			seen[m.ID] = true
		}
		if err != nil || len(seen) != 500 {
			t.Errorf("%d answers, error %v; want 500", len(seen), err)
		}
	})
}

func TestABrokenOutputEndsEverythingAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		ended := make(chan struct{})
		addTool(server, "victim", func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			close(ended)
			return "", ctx.Err()
		})
		c := connect(t, server, nil)
		begun := time.Now()
		c.send(call(1, "victim", "{}"))
		broken := errors.New("broken")
		c.back.CloseWithError(broken)
		c.send(echo(2, "a"))
		err := <-c.done
		<-ended
		if !errors.Is(err, broken) || time.Since(begun) > 10*time.Millisecond {
			t.Errorf("error %v after %v, want %v at once", err, time.Since(begun), broken)
		}
	})
}

func TestSubscriptionsTakeNoSlotAndNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const listens = 1000
		server := newServer(&mcp.Options{ResourceUpdates: true})
		c := connect(t, server, &stdio.Options{MaxConcurrent: 2})
		go func() {
			for id := 1; id <= listens; id++ {
				fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"_meta":{%s},"notifications":{"resourceSubscriptions":["test://世界"]}}}`+"\n", id, meta)
			}
			io.WriteString(c.in, echo(listens+1, "a")+"\n")
		}()
		for range listens {
			if m := c.next(); m.Method != "notifications/subscriptions/acknowledged" {
				t.Fatalf("got %s, want an acknowledgement", m.raw)
			}
		}
		if m := c.next(); m.text() != "a" {
			t.Errorf("got %s, want the answer to the call", m.raw)
		}
		if n := goroutines("bowline-go/mcp/stdio.(*"); n > 3 {
			t.Errorf("%d goroutines for %d idle subscriptions", n, listens)
		}
		if err := server.ResourceUpdated(t.Context(), "test://世界"); err != nil {
			t.Fatal(err)
		}
		for range listens {
			if m := c.next(); m.Method != "notifications/resources/updated" || m.Params.URI != "test://世界" {
				t.Fatalf("got %s, want an update", m.raw)
			}
		}
		c.in.Close()
		all, err := c.rest()
		if err != nil || len(all) != 2*listens {
			t.Fatalf("%d messages at the end, error %v; want a result and a cancellation each", len(all), err)
		}
	})
}
