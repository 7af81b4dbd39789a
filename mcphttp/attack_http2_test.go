package mcphttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

var errTorn = errors.New("the client has torn its body off")

// A client that resets its streams, before, in and behind the body, leaves the connection to the others on it: modern calls end
// at once, those of older revisions with the window.
func TestStreamsOfHTTP2ThatAreResetLeaveNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(&mcp.Options{Dynamic: true})
	h := f.handler(t, &mcphttp.Options{ResumeWindow: 50 * time.Millisecond, KeepAlive: 20 * time.Millisecond})
	s := newHTTP2(t, h)
	var sessions []http.Header
	for _, revision := range []string{priming2025, older2025} {
		sessions = append(sessions, initializeWith(t, s.Client(), s.URL, revision))
	}
	var group sync.WaitGroup
	for i := range 300 {
		group.Go(func() {
			r := toolCall(t, s.URL, fmt.Sprint(i), "quiet", "{}", token)
			if era := i % 3; era < len(sessions) {
				r = request(t, http.MethodPost, s.URL, sessions[era], legacyCall(fmt.Sprint(i), "wait", "{}"))
			}
			ctx, reset := context.WithTimeout(t.Context(), time.Duration(i%20)*time.Millisecond)
			defer reset()
			if i%4 == 0 { // in the body
				body, writer := io.Pipe()
				r.Body = body
				go func() {
					_, _ = writer.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools`))
					writer.CloseWithError(errTorn)
				}()
			}
			if response, err := s.Client().Do(r.WithContext(ctx)); err == nil {
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
	for i := range 20 {
		answerOfArmed(t, s.Client(), "meanwhile", toolCall(t, s.URL, fmt.Sprint(i), "add", `{"a":1,"b":2}`, ""))
	}
	group.Wait()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if err := h.Drain(ctx); err != nil { // nobody releases the tools
		t.Error(err)
	}
	if started, ended := len(f.started), len(f.cancelled); started != ended || started == 0 {
		t.Errorf("%d calls began, %d were cancelled", started, ended)
	}
}

// A call that goes on for a client that has left is at work all the same: who drains, and then ends the process, would end it
// in the middle.
func TestADrainWaitsForTheCallOfAClientThatHasLeft(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	release := make(chan struct{})
	mcp.AddTool(f.server, mcp.Tool{Name: "stubborn", Description: "Does not listen"}, func(ctx context.Context, _ none) (string, error) {
		mcp.Progress(ctx, 1, 2, "")
		<-release
		return "done", nil
	})
	h := f.handler(t, nil)
	s := newHTTP2(t, h)
	header := initializeWith(t, s.Client(), s.URL, priming2025)
	ctx, leave := context.WithCancel(t.Context())
	response := open(t, s.Client(), request(t, http.MethodPost, s.URL, header, legacyCall("1", "stubborn", "{}")).WithContext(ctx))
	readEvents(t, response.Body).next()
	leave()
	response.Body.Close()
	short, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	if err := h.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a drain did not wait: %v", err)
	}
	close(release)
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}
