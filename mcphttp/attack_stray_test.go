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

// What a goroutine says that outlives its handler comes in before the answer or not at all.
func TestAGoroutineThatOutlivesItsHandlerCannotSpoilTheAnswer(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(nil)
		var stray sync.WaitGroup
		mcp.AddTool(f.server, mcp.Tool{Name: "stray", Description: "Leaves a goroutine"}, func(ctx context.Context, in stepsIn) (string, error) {
			stray.Go(func() {
				for i := range 20 {
					switch in.Steps {
					case 0:
						mcp.Reconnect(ctx, time.Millisecond)
					case 1:
						mcp.Progress(ctx, float64(i), 0, "")
					default:
						mcp.Logger(ctx).Info("stray")
					}
				}
			})
			return strings.Repeat("x", 10_000), nil
		})
		s := f.serveOver(t, proto, nil)
		header := initializeWith(t, s.Client(), s.URL, priming2025)
		for i := range 300 {
			r := request(t, http.MethodPost, s.URL, header, legacyCall(fmt.Sprint(i), "stray", fmt.Sprintf(`{"steps":%d}`, i%3)))
			response, err := s.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body := read(t, response)
			response.Body.Close()
			if response.Header.Get("Content-Type") == jsonType && !json.Valid([]byte(body)) {
				t.Fatalf("%s, %d: got %.200q … %q", proto, i, body, body[max(0, len(body)-100):])
			}
		}
		stray.Wait()
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
	for i := range 50 {
		if a := client.post(legacyCall(fmt.Sprint(i), "stray", "{}")).expect(t, 200, jsonType); !json.Valid([]byte(a.body)) {
			t.Fatalf("%d: the answer ends in %q", i, a.body[len(a.body)-100:])
		}
	}
	stray.Wait()
}
