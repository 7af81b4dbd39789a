package procedure_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
)

var pixels = strings.Repeat("P", 32<<10)

// source is a reader of n bytes that may fail at its end, and counts how often it is closed.
type source struct {
	n      int64
	err    error
	onRead func()
	closed int
}

func (s *source) Read(p []byte) (int, error) {
	if s.onRead != nil {
		s.onRead()
	}
	if s.n == 0 {
		if s.err != nil {
			return 0, s.err
		}
		return 0, io.EOF
	}
	n := copy(p, pixels[:min(int64(len(pixels)), s.n)])
	s.n -= int64(n)
	return n, nil
}

func (s *source) Close() error {
	s.closed++
	return nil
}

// flow is a sink that counts the bytes of the answer and keeps its ends.
type flow struct {
	size       int64
	head, tail []byte
}

func (f *flow) Notify([]byte) error { return nil }
func (f *flow) Reply(r *mcp.Reply)  { _, _ = r.WriteTo(f) }
func (f *flow) Wake()               {}

func (f *flow) Write(p []byte) (int, error) {
	f.size += int64(len(p))
	f.head = append(f.head, p[:min(len(p), 100-min(len(f.head), 100))]...)
	f.tail = append(append(f.tail[:0], f.tail[max(0, len(f.tail)-40):]...), p[max(0, len(p)-60):]...)
	return len(p), nil
}

func TestA64MiBImageGoesOutWithFlatMemory(t *testing.T) {
	const size = 64 << 20
	image := &source{n: size}
	p := served(t, func() io.Reader { return image }, content.ImageOf(""))
	p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	sink := &flow{head: make([]byte, 0, 128), tail: make([]byte, 0, 128)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.session.Handle(context.Background(), []byte(callX), sink)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("%d bytes were allocated, want less than 1 MiB", allocated)
	}
	overhead := int64(len(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"","mimeType":"image/png"}],"isError":false}}`))
	if want := int64(base64.StdEncoding.EncodedLen(size)) + overhead; sink.size != want {
		t.Errorf("%d bytes were sent, want %d", sink.size, want)
	}
	if !strings.HasPrefix(string(sink.head), `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"UFBQ`) ||
		!strings.HasSuffix(string(sink.tail), `UA==","mimeType":"image/png"}],"isError":false}}`) {
		t.Errorf("got %s … %s", sink.head, sink.tail)
	}
	if image.closed != 1 {
		t.Errorf("the reader was closed %d times", image.closed)
	}
}

func TestASourceThatFailsBeforeItsFirstByteIsAnErrorInBand(t *testing.T) {
	image := &source{err: errors.New("no such file 世界")}
	p := served(t, func() io.Reader { return image }, content.ImageOf(""))
	a := p.send(callX)
	a.tells(t, "no such file 世界")
	if strings.Contains(a.String(), "image") || image.closed != 1 {
		t.Errorf("got %s, closed %d times", a, image.closed)
	}
}

func TestASourceThatFailsMidwayEndsInValidJSON(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 12 << 10, 12<<10 + 1, 1 << 20} {
		image := &source{n: n, err: errors.New("disk 世界 gone")}
		var m struct {
			Result struct {
				Content []struct{ Type, Data, Text, MIMEType string }
				IsError bool
			}
		}
		a := served(t, func() io.Reader { return image }, content.ImageOf("")).send(callX)
		if err := json.Unmarshal(a.text, &m); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		last := m.Result.Content[len(m.Result.Content)-1]
		if !m.Result.IsError || last.Type != "text" || !strings.Contains(last.Text, "disk 世界 gone") || image.closed != 1 {
			t.Errorf("%d bytes: got %+v, closed %d times", n, last, image.closed)
		}
	}
}

func TestReadersAreClosedOnce(t *testing.T) {
	t.Run("when the renderer does not take them", func(t *testing.T) {
		image := &source{n: 3}
		served(t, func() any { return image }, nil).send(callX).tells(t, "rendering the result")
		if image.closed != 1 {
			t.Errorf("closed %d times", image.closed)
		}
	})
	t.Run("when the client cancels before the answer", func(t *testing.T) {
		image := &source{n: 3}
		ctx, cancel := context.WithCancel(context.Background())
		var p peer
		p = served(t, func() io.Reader {
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{` + modernMeta + `,"requestId":1}}`)
			cancel()
			return image
		}, content.ImageOf(""))
		if got := p.sendIn(ctx, callMessage("x", `{}`)).String(); got != "" {
			t.Errorf("got %s, want no answer to a cancelled request", got)
		}
		if image.closed != 1 {
			t.Errorf("closed %d times", image.closed)
		}
	})
	t.Run("when they panic", func(t *testing.T) {
		image := &source{n: 3, onRead: func() { panic("boom 世界") }}
		a := served(t, func() io.Reader { return image }, content.ImageOf("")).send(callX)
		if strings.Contains(a.String(), "boom") || !strings.Contains(a.String(), `"isError":true`) || image.closed != 1 {
			t.Errorf("got %s, closed %d times", a, image.closed)
		}
	})
}

func TestBytesAreNotCopiedOnTheirWay(t *testing.T) {
	data := make([]byte, 8<<20)
	var table procedure.Table
	register(t, &table, "x", func() []byte { return data })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).Render(content.AudioOf("audio/wav"))
	p := connect(t, procedure.NewServer(d, &table, nil))
	sink := &flow{}
	message := []byte(callMessage("x", `{}`))
	p.session.Handle(context.Background(), message, sink)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.session.Handle(context.Background(), message, sink)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 256<<10 {
		t.Errorf("%d bytes were allocated for an answer of %d", allocated, sink.size/2)
	}
}
