package mcphttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

// What a goroutine says that outlives its handler comes in before the answer or not at all, and never in the answer of
// another request.
func TestAGoroutineThatOutlivesItsHandlerCannotSpoilAnAnswer(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(nil)
		var stray sync.WaitGroup
		mcp.AddTool(f.server, mcp.Tool{Name: "stray", Description: "Leaves a goroutine"}, func(ctx context.Context, in stepsIn) (string, error) {
			stray.Go(func() {
				for i := range 20 {
					switch in.Steps % 3 {
					case 0:
						mcp.Reconnect(ctx, time.Millisecond)
					case 1:
						mcp.Progress(ctx, float64(i), 0, fmt.Sprintf("of %d.", in.Steps))
					default:
						mcp.Logger(ctx).Info(fmt.Sprintf("of %d.", in.Steps))
					}
				}
			})
			return strings.Repeat("x", 10_000), nil
		})
		s := f.serveOver(t, proto, nil)
		header := initializeWith(t, s.Client(), s.URL, priming2025)
		for i := range 300 {
			arguments := fmt.Sprintf(`{"steps":%d}`, i)
			r := request(t, http.MethodPost, s.URL, header, legacyCall(fmt.Sprint(i), "stray", arguments))
			if i/3%2 == 1 {
				r = toolCall(t, s.URL, fmt.Sprint(i), "stray", arguments, token+`,"io.modelcontextprotocol/logLevel":"debug"`)
			}
			response, err := s.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body := read(t, response)
			response.Body.Close()
			wantUnspoilt(t, i, response.Header.Get("Content-Type"), body)
		}
		stray.Wait()
	}
}

// wantUnspoilt checks that an answer is whole, and that every message before it is of the same request.
func wantUnspoilt(t *testing.T, n int, contentType, body string) {
	t.Helper()
	messages := []string{body}
	if contentType == eventType {
		messages = nil
		events := readEvents(t, strings.NewReader(body))
		for e, ok := events.read(); ok; e, ok = events.read() {
			if e.data != "" {
				messages = append(messages, e.data)
			}
		}
	}
	for i, message := range messages {
		mark := fmt.Sprintf("of %d.", n)
		if i == len(messages)-1 {
			mark = fmt.Sprintf(`"id":%d,"result"`, n)
		}
		if !json.Valid([]byte(message)) || !strings.Contains(message, mark) {
			t.Fatalf("%d: got %.300q as message %d of %d, want %s in it", n, message, i, len(messages), mark)
		}
	}
	if len(messages) == 0 && !strings.Contains(body, "retry: 1\n") { // else the answer waits for the client to come back
		t.Fatalf("%d: no message in %q", n, body)
	}
}

// telling is a source that tells when it has come to its end.
type telling struct {
	left int
	end  chan struct{}
}

func (r *telling) Read(p []byte) (int, error) {
	if r.left -= len(p); r.left > 0 {
		return len(p), nil
	}
	close(r.end)
	for range 1000 {
		runtime.Gosched() // who was told gets as far as it can
	}
	return 0, io.EOF
}

func TestALateReconnectCannotSpoilTheAnswer(t *testing.T) {
	t.Parallel()
	f := newFixture(nil)
	var stray sync.WaitGroup
	mcp.AddTool(f.server, mcp.Tool{Name: "stray", Description: "Leaves a goroutine"}, func(ctx context.Context, _ none) (content.Block, error) {
		source := &telling{1 << 20, make(chan struct{})}
		for range 8 {
			stray.Go(func() {
				<-source.end
				mcp.Reconnect(ctx, time.Millisecond)
			})
		}
		return content.Image{MIMEType: "image/png", Reader: source}, nil
	})
	client := initialize(t, f.serve(t, nil).URL, priming2025)
	for i := range 20 {
		if a := client.post(legacyCall(fmt.Sprint(i), "stray", "{}")).expect(t, 200, jsonType); !json.Valid([]byte(a.body)) {
			t.Fatalf("%d: the answer ends in %q", i, a.body[len(a.body)-100:])
		}
	}
	stray.Wait()
}
