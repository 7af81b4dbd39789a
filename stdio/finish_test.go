package stdio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

func TestTheEnd(t *testing.T) {
	const forever = 1000 * time.Hour
	tests := []struct {
		name     string
		options  *stdio.Options
		requests []string
		stop     bool          // end the context, not the input
		answers  int           // expected
		after    time.Duration // expected
		wantErr  string
	}{
		{"nothing runs: at once", nil, nil, false, 0, 0, ""},
		{"nothing runs, the context ends: at once", nil, nil, true, 0, 0, ""},
		{"a call that ends in time is answered", nil, []string{wait(1, time.Second)}, false, 1, time.Second, ""},
		{"a call that ends in time after the context is answered", nil, []string{wait(1, time.Second)}, true, 1, time.Second, ""},
		{"two seconds, then calls are cancelled", nil, []string{wait(1, forever), wait(2, time.Second)}, false, 1, 2 * time.Second, ""},
		{"two seconds after the context", nil, []string{wait(1, forever), wait(2, time.Second)}, true, 1, 2 * time.Second, ""},
		{"the grace period is an option", &stdio.Options{Grace: time.Minute}, []string{wait(1, 50*time.Second)}, false, 1, 50 * time.Second, ""},
		{"no grace period", &stdio.Options{Grace: -1}, []string{wait(1, time.Second)}, false, 0, 0, ""},
		{
			"calls that wait for a slot are answered, too", &stdio.Options{MaxConcurrent: 1, Grace: time.Minute},
			[]string{wait(1, time.Second), wait(2, time.Second), wait(3, time.Second)},
			false, 3, 3 * time.Second, "",
		},
		{"a handler that does not end is left behind", nil, []string{call(1, "stuck", "{}"), wait(2, time.Second)}, false, 1, 2500 * time.Millisecond, "1 calls did not end"},
		{"a handler that does not end after the context", nil, []string{call(1, "stuck", "{}")}, true, 0, 2500 * time.Millisecond, "1 calls did not end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := newServer(nil)
				addWait(server)
				release := make(chan struct{})
				addTool(server, "stuck", func(context.Context, string) (string, error) {
					<-release
					return "", nil
				})
				c := connect(t, server, test.options)
				if len(test.requests) > 0 {
					c.send(test.requests...)
				}
				<-time.After(time.Millisecond) // all of them run
				begun := time.Now()
				if test.stop {
					c.stop()
				} else {
					c.in.Close()
				}
				all, err := c.rest()
				answers := 0
				for _, m := range all {
					if _, err := time.ParseDuration(m.text()); err == nil {
						answers++
					}
				}
				if answers != test.answers {
					t.Errorf("%d answers in %v, want %d", answers, all, test.answers)
				}
				if d := time.Since(begun); d < test.after-10*time.Millisecond || d > test.after+10*time.Millisecond {
					t.Errorf("ended after %v, want %v", d, test.after)
				}
				if test.wantErr == "" && err != nil || test.wantErr != "" && (err == nil || !strings.Contains(err.Error(), test.wantErr)) {
					t.Errorf("error %v, want %q", err, test.wantErr)
				}
				close(release)
			})
		})
	}
}

func TestTheContextCutsTheGracePeriodShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		c := connect(t, server, &stdio.Options{Grace: time.Hour})
		c.send(wait(1, 2*time.Hour))
		c.in.Close()
		begun := time.Now()
		time.AfterFunc(time.Minute, c.stop)
		if _, err := c.rest(); err != nil || time.Since(begun) > time.Minute+time.Second {
			t.Errorf("ended after %v with %v, want a minute", time.Since(begun), err)
		}
	})
}

func TestAClientThatNeverReadsDoesNotHoldUpTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newServer(nil), nil)
		c.send(echo(1, "a"))
		c.in.Close()
		begun := time.Now()
		if err := <-c.done; err == nil || time.Since(begun) > 3*time.Second {
			t.Errorf("ended after %v with error %v, want an error within seconds", time.Since(begun), err)
		}
		c.back.Close()
	})
}

func TestReadErrorsArePassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		addWait(server)
		c := connect(t, server, nil)
		c.send(wait(1, time.Second))
		broken := errors.New("broken")
		c.in.CloseWithError(broken)
		all, err := c.rest()
		if !errors.Is(err, broken) || len(all) != 1 {
			t.Errorf("error %v after %d answers, want %v after 1", err, len(all), broken)
		}
	})
}

func TestMistakesOfRegistrationComeFirst(t *testing.T) {
	server := mcp.NewServer("test", "1.0.0", nil)
	addTool(server, "not a name", func(context.Context, string) (string, error) { return "", nil })
	err := stdio.ServeStream(context.Background(), server, strings.NewReader(echo(1, "a")), io.Discard, nil)
	if err == nil || !strings.Contains(err.Error(), "not a name") {
		t.Errorf("error %v, want one about the tool's name", err)
	}
}

func TestServeConn(t *testing.T) {
	address := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	done := make(chan error, 1)
	server := newServer(nil)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			done <- err
			return
		}
		done <- stdio.ServeConn(context.Background(), server, conn, nil)
	}()
	conn, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for id := 1; id <= 3; id++ {
		fmt.Fprintln(conn, echo(id, "世界"))
	}
	conn.(*net.UnixConn).CloseWrite()
	all, err := io.ReadAll(conn) // to the end: the server closes its side
	if n := strings.Count(string(all), "世界"); err != nil || n != 3 {
		t.Errorf("%d answers in %q, error %v; want 3", n, all, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestServeConnEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	near, far := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- stdio.ServeConn(ctx, newServer(nil), far, nil) }()
	fmt.Fprintln(near, echo(1, "a"))
	near.Read(make([]byte, 1000))
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := near.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("reading from a connection that was served: %v, want %v", err, io.EOF)
	}
}
