package mcphttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/mcphttp"
)

// secret is what panics say. No client may see it.
const secret = "secret 世界"

// bomb panics wherever it is read, marshalled or told.
type bomb struct{ after int }

func (b *bomb) Read(p []byte) (int, error) {
	if b.after <= 0 {
		panic(secret)
	}
	n := min(len(p), b.after)
	copy(p, bytes.Repeat([]byte("x"), n))
	b.after -= n
	return n, nil
}

func (b *bomb) Close() error                 { panic(secret) }
func (b *bomb) Error() string                { panic(secret) }
func (b *bomb) MarshalJSON() ([]byte, error) { panic(secret) }

type nowhere struct{ text string }

func (n *nowhere) block() content.Block { return content.NewText(n.text) }

// quitter ends the goroutine that reads it, as a failing assertion of a test does.
type quitter struct{ after int }

func (q *quitter) Read(p []byte) (int, error) {
	if q.after <= 0 {
		runtime.Goexit()
	}
	q.after -= len(p)
	return len(p), nil
}

// armed adds tools that go wrong in every way a program can.
func armed(f *fixture) []string {
	var names []string
	tool := func(name string, handle func(ctx context.Context) (content.Block, error)) {
		names = append(names, name)
		mcp.AddTool(f.server, mcp.Tool{Name: name, Description: name}, func(ctx context.Context, _ none) (content.Block, error) {
			return handle(ctx)
		})
	}
	image := func(after int) content.Block { return content.Image{MIMEType: "image/png", Reader: &bomb{after}} }
	tool("panics", func(context.Context) (content.Block, error) { panic(secret) })
	tool("panics-late", func(ctx context.Context) (content.Block, error) {
		mcp.Progress(ctx, 1, 2, "")
		panic(secret)
	})
	tool("panics-with-abort", func(context.Context) (content.Block, error) { panic(http.ErrAbortHandler) })
	tool("panics-with-nil", func(context.Context) (content.Block, error) { return (*nowhere)(nil).block(), nil })
	tool("error-panics", func(context.Context) (content.Block, error) { return nil, &bomb{} })
	tool("read-panics", func(context.Context) (content.Block, error) { return image(0), nil })
	tool("read-panics-midway", func(context.Context) (content.Block, error) { return image(300 << 10), nil })
	tool("read-panics-far", func(context.Context) (content.Block, error) { return image(5 << 20), nil })
	tool("read-ends", func(context.Context) (content.Block, error) {
		return content.Image{MIMEType: "image/png", Reader: &quitter{after: 0}}, nil
	})
	tool("read-ends-far", func(context.Context) (content.Block, error) {
		return content.Image{MIMEType: "image/png", Reader: &quitter{after: 5 << 20}}, nil
	})
	tool("goroutine-ends", func(context.Context) (content.Block, error) { runtime.Goexit(); return nil, nil })
	mcp.AddTool(f.server, mcp.Tool{Name: "marshal-panics", Description: "marshal"}, func(context.Context, none) (map[string]any, error) {
		return map[string]any{"a": &bomb{}}, nil
	})
	f.server.Use(func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			switch req.Name() {
			case "middleware-before":
				panic(secret)
			case "middleware-behind":
				_, _ = next(ctx, req)
				panic(secret)
			}
			return next(ctx, req)
		}
	})
	for _, name := range []string{"middleware-before", "middleware-behind"} {
		tool(name, func(context.Context) (content.Block, error) { return content.NewText("fine"), nil })
	}
	return append(names, "marshal-panics")
}

func TestWhateverGoesWrongInAHandlerTheClientGetsAnAnswerWithoutASecret(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(nil)
		names := armed(f)
		s := f.serveOver(t, proto, &mcphttp.Options{KeepAlive: time.Hour})
		header := initializeWith(t, s.Client(), s.URL, priming2025)
		for i, name := range names {
			for _, accept := range []string{jsonType, eventType, jsonType + ", " + eventType} {
				for era, r := range map[string]*http.Request{
					"modern": toolCall(t, s.URL, fmt.Sprint(i), name, "{}", token, "Accept: "+accept),
					"legacy": request(t, http.MethodPost, s.URL, header, legacyCall(fmt.Sprint(i), name, "{}"), "Accept: "+accept),
				} {
					answerOfArmed(t, s.Client(), fmt.Sprintf("%s, %s, %s, %s", name, proto, accept, era), r)
				}
			}
		}
		r := toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, "")
		answerOfArmed(t, s.Client(), "afterwards", r)
	}
}

// answerOfArmed checks that a whole answer comes, and no secret in it. Where the goroutine has ended there is none, but the
// client sees that.
func answerOfArmed(t *testing.T, client *http.Client, what string, r *http.Request) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	body := ""
	response, err := client.Do(r.WithContext(ctx))
	if err == nil {
		defer response.Body.Close()
		var all []byte
		all, err = io.ReadAll(response.Body)
		body = string(all)
	}
	switch ended := strings.Contains(what, "-ends"); {
	case errors.Is(err, context.DeadlineExceeded):
		t.Errorf("%s: the client is left waiting after %.300q", what, body)
	case strings.Contains(body, "secret") || strings.Contains(body, "goroutine 1") || strings.Contains(body, ".go:"):
		t.Errorf("%s: the answer tells too much: %.300q", what, body)
	case !ended && (err != nil || strings.Count(body, `"jsonrpc":"2.0","id":`) != 1):
		t.Errorf("%s: got %.300q, %v, want one answer", what, body, err)
	}
}

// mined is a response whose middleware panics in the middle of it.
type mined struct {
	http.ResponseWriter
	left int
}

func (m *mined) Write(p []byte) (int, error) {
	if m.left -= len(p); m.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return m.ResponseWriter.Write(p)
}

func (m *mined) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// A panic of the program's middleware ends its request, and neither the process nor the server's end hangs on it.
func TestMiddlewareThatPanicsInAWriteEndsItsOwnRequestOnly(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(nil)
		h := f.handler(t, nil)
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if left, err := strconv.Atoi(r.Header.Get("X-Left")); err == nil {
				w = &mined{w, left}
			}
			h.ServeHTTP(w, r)
		}))
		s.EnableHTTP2 = proto == "HTTP/2.0"
		s.StartTLS()
		header := initializeWith(t, s.Client(), s.URL, priming2025)
		id := 0
		for _, left := range []string{"0", "100", "5000", "900000"} {
			for tool, arguments := range map[string]string{"add": `{"a":1,"b":2}`, "steps": `{"steps":3}`, "huge": `{"steps":1000000}`} {
				for _, accept := range []string{jsonType, eventType, jsonType + ", " + eventType} {
					id++
					for _, r := range []*http.Request{
						toolCall(t, s.URL, fmt.Sprint(id), tool, arguments, token, "Accept: "+accept, "X-Left: "+left),
						request(t, http.MethodPost, s.URL, header, legacyCall(fmt.Sprint(id), tool, arguments), "Accept: "+accept, "X-Left: "+left),
					} {
						if response, err := s.Client().Do(r); err == nil {
							_, _ = io.Copy(io.Discard, response.Body)
							response.Body.Close()
						}
					}
				}
			}
		}
		answerOfArmed(t, s.Client(), "afterwards", toolCall(t, s.URL, "1", "add", `{"a":1,"b":2}`, ""))
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		if err := h.Drain(ctx); err != nil {
			t.Errorf("%s: %v", proto, err)
		}
		stop()
		s.CloseClientConnections()
		s.Close()
	}
}
