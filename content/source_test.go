package content_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
)

var errDisk = errors.New("disk on fire 🔥")

// faulty gives data, then fails in its own way, and counts how often it is closed.
type faulty struct {
	data   string
	fail   func() (int, error)
	closed int
}

func (f *faulty) Read(p []byte) (int, error) {
	if f.closed > 0 {
		panic("read after close")
	}
	if f.data == "" {
		return f.fail()
	}
	n := copy(p, f.data)
	f.data = f.data[n:]
	return n, nil
}

func (f *faulty) Close() error {
	f.closed++
	panic("a close that panics changes nothing")
}

func failWith(err error) func() (int, error) { return func() (int, error) { return 0, err } }

// result is a tool result with a block before and a block after the one that reads r.
func result(t *testing.T, b *content.Body, block content.Block) {
	t.Helper()
	b.SetFailureEnd(func(dst []byte, err error) []byte {
		text, _ := json.Marshal(err.Error())
		return fmt.Appendf(dst, `,{"type":"text","text":%s}],"isError":true}`, text)
	})
	b.AppendString(`{"content":`)
	blocks := []content.Block{content.NewText(strings.Repeat("世", 10_000)), block, content.PNG([]byte("later"))}
	if err := b.AppendBlocks(blocks, current); err != nil {
		t.Fatal(err)
	}
	b.AppendString(`,"isError":false}`)
}

func TestAReaderThatFailsMidwayLeavesValidJSON(t *testing.T) {
	failures := map[string]func() (int, error){
		"an error":               failWith(errDisk),
		"a panic":                func() (int, error) { panic("secret") },
		"a nil dereference":      func() (int, error) { var p *faulty; return len(p.data), nil },
		"an impossible count":    func() (int, error) { return 1 << 40, nil },
		"a negative count":       func() (int, error) { return -1, nil },
		"no progress":            failWith(nil),
		"an unexpected end":      failWith(io.ErrUnexpectedEOF),
		"an end that is wrapped": failWith(fmt.Errorf("at last: %w", io.EOF)),
	}
	lengths := map[string]int{"at byte 0": 0, "after 1 byte": 1, "within the first read": 5_000, "on a read's border": 12 << 10, "later": 50_001}
	for failure, fail := range failures {
		for place, n := range lengths {
			t.Run(failure+" "+place, func(t *testing.T) {
				for _, ahead := range []int{0, 1, 20_000} {
					checkFailure(t, n, ahead, fail)
				}
			})
		}
	}
}

func checkFailure(t *testing.T, n, ahead int, fail func() (int, error)) {
	t.Helper()
	readers := map[string]func(r io.Reader) content.Block{
		"image": func(r io.Reader) content.Block { return content.Image{Reader: r, Meta: meta, Annotations: marked()} },
		"text": func(r io.Reader) content.Block {
			return content.Embedded{Resource: content.Contents{URI: "u:x", TextReader: r, Meta: meta}, Meta: meta}
		},
	}
	for name, block := range readers {
		var appended string
		for _, way := range []string{"append", "write"} {
			r := &faulty{data: strings.Repeat("é", n)[:n], fail: fail}
			var b content.Body
			result(t, &b, block(r))
			aheadErr := b.ReadAhead(ahead)
			if aheadErr == nil && n < ahead {
				t.Errorf("%s: reading %d ahead did not find the failure after %d", name, ahead, n)
			}
			out := &partWriter{}
			var err error
			if way == "append" {
				var text []byte
				text, err = b.AppendTo(nil)
				out.Write(text)
				appended = string(text)
			} else {
				_, err = b.WriteTo(out)
			}
			b.Close()
			checkEnd(t, name, out.Bytes(), n, err)
			if out.String() != appended {
				t.Errorf("%s: AppendTo and WriteTo end differently", name)
			}
			if r.closed != 1 {
				t.Errorf("%s: the reader was closed %d times", name, r.closed)
			}
		}
	}
}

func checkEnd(t *testing.T, name string, line []byte, n int, err error) {
	t.Helper()
	var source *content.SourceError
	if !errors.As(err, &source) {
		t.Errorf("%s: the error is %v", name, err)
		return
	}
	var got struct {
		Content []json.RawMessage
		IsError bool
	}
	if err := json.Unmarshal(line, &got); err != nil || !got.IsError || len(got.Content) != 3 {
		t.Errorf("%s: %v; got %d blocks: …%s", name, err, len(got.Content), line[max(0, len(line)-300):])
		return
	}
	if strings.Contains(string(line), "secret") {
		t.Errorf("%s: the text of a panic went out", name)
	}
	block, err := content.DecodeBlock(got.Content[1])
	if err != nil {
		t.Errorf("%s: the block that was cut is %v", name, err)
	}
	switch block := block.(type) {
	case content.Image:
		if len(block.Data) != n || block.MIMEType != "image/png" || block.Meta == nil || block.Annotations == nil {
			t.Errorf("%s: the cut block has %d of %d bytes and %q", name, len(block.Data), n, block.MIMEType)
		}
	case content.Embedded:
		if want := strings.ToValidUTF8(strings.Repeat("é", n)[:n], "\uFFFD"); block.Resource.Text != want || block.Resource.Meta == nil || block.Meta == nil {
			t.Errorf("%s: the cut text has %d of %d bytes", name, len(block.Resource.Text), len(want))
		}
	}
}

func TestAFailureAtTheEndIsAFailure(t *testing.T) {
	r := &faulty{data: "data", fail: failWith(errDisk)}
	var b content.Body
	b.SetFailureEnd(func(dst []byte, err error) []byte { return append(dst, "}"...) })
	b.AppendString(`{"a":`)
	b.Base64Reader(r, `,"b":1`)
	b.AppendString(`,"c":2}`)
	got, err := b.AppendTo(nil)
	if want := `{"a":"ZGF0YQ==","b":1}`; string(got) != want || !errors.Is(err, errDisk) {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestWithoutAFailureEndTheMessageBreaksOff(t *testing.T) {
	build := func() *content.Body {
		b := new(content.Body)
		b.AppendString(`{"a":`)
		b.TextReader(&faulty{data: "世", fail: failWith(errDisk)}, "")
		b.AppendString(`}`)
		return b
	}
	if got, err := build().AppendTo([]byte("kept")); string(got) != "kept" || !errors.Is(err, errDisk) {
		t.Errorf("AppendTo gave %s, %v", got, err)
	}
	var out strings.Builder
	if n, err := build().WriteTo(&out); out.String() != `{"a":"世` || n != int64(out.Len()) || !errors.Is(err, errDisk) {
		t.Errorf("WriteTo wrote %s, %d, %v", out.String(), n, err)
	}
}

func TestAPanicIsKeptForTheLog(t *testing.T) {
	var b content.Body
	b.Base64Reader(&faulty{fail: func() (int, error) { panic("secret") }}, "")
	var source *content.SourceError
	if err := b.Prime(); !errors.As(err, &source) || source.Panic != "secret" || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestPrimeFindsAFailureBeforeAnythingIsWritten(t *testing.T) {
	good := &faulty{data: "x", fail: failWith(io.EOF)}
	bad := &faulty{fail: failWith(errDisk)}
	never := &faulty{data: "x", fail: failWith(io.EOF)}
	var b content.Body
	for _, r := range []io.Reader{good, bad, never} {
		b.Base64Reader(r, "")
	}
	for range 2 {
		if err := b.Prime(); !errors.Is(err, errDisk) {
			t.Errorf("Prime says %v", err)
		}
	}
	if b.Size() != -1 {
		t.Errorf("the size of a failed body is %d", b.Size())
	}
	b.Close()
	b.Close()
	b.Reset()
	if good.closed != 1 || bad.closed != 1 || never.closed != 1 || never.data == "" {
		t.Errorf("closed %d, %d, %d times", good.closed, bad.closed, never.closed)
	}
}

func TestReadersAreClosedOnce(t *testing.T) {
	for name, use := range map[string]func(b *content.Body){
		"appended":        func(b *content.Body) { _, _ = b.AppendTo(nil) },
		"written":         func(b *content.Body) { _, _ = b.WriteTo(io.Discard) },
		"dropped":         func(b *content.Body) { b.Close() },
		"reset":           func(b *content.Body) { b.Reset() },
		"begun, dropped":  func(b *content.Body) { _ = b.Prime(); b.Close() },
		"writer fails":    func(b *content.Body) { _, _ = b.WriteTo(failingWriter{}) },
		"writer panics":   func(b *content.Body) { defer func() { _ = recover() }(); _, _ = b.WriteTo(panickingWriter{}) },
		"stopped":         func(b *content.Body) { b.StopWhen(func() error { return errDisk }); _, _ = b.WriteTo(io.Discard) },
		"limit":           func(b *content.Body) { b.SetLimit(10); _, _ = b.AppendTo(nil) },
		"written, closed": func(b *content.Body) { _, _ = b.WriteTo(io.Discard); b.Close(); b.Reset() },
	} {
		t.Run(name, func(t *testing.T) {
			one := &faulty{data: strings.Repeat("x", large), fail: failWith(io.EOF)}
			two := &faulty{data: strings.Repeat("y", large), fail: failWith(io.EOF)}
			var b content.Body
			b.Base64Reader(one, ",")
			b.TextReader(two, "")
			use(&b)
			b.Close()
			if one.closed != 1 || two.closed != 1 {
				t.Errorf("closed %d and %d times", one.closed, two.closed)
			}
		})
	}
}

type (
	failingWriter   struct{}
	panickingWriter struct{}
	shortWriter     struct{}
)

func (failingWriter) Write([]byte) (int, error)   { return 3, io.ErrClosedPipe }
func (panickingWriter) Write([]byte) (int, error) { panic("writer") }
func (shortWriter) Write([]byte) (int, error)     { return 1, nil }

func TestTheWritersErrorIsNotTheSources(t *testing.T) {
	for name, build := range map[string]func(b *content.Body){
		"plain":  func(b *content.Body) { b.AppendString(strings.Repeat("1", large)) },
		"bytes":  func(b *content.Body) { b.Base64(make([]byte, large)) },
		"string": func(b *content.Body) { b.QuotedString(strings.Repeat("世", large)) },
		"reader": func(b *content.Body) { b.TextReader(zeros{}, "") },
	} {
		var one, two content.Body
		build(&one)
		build(&two)
		var source *content.SourceError
		if n, err := one.WriteTo(failingWriter{}); err != io.ErrClosedPipe || errors.As(err, &source) || n != 3 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if n, err := two.WriteTo(shortWriter{}); err != io.ErrShortWrite || n != 1 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}

func TestAnEndlessReaderStopsAtTheLimit(t *testing.T) {
	var b content.Body
	result(t, &b, content.Image{Reader: zeros{}})
	b.SetLimit(200_000)
	got, err := b.AppendTo(nil)
	if !errors.Is(err, content.ErrTooLarge) || !json.Valid(got) || len(got) > 220_000 {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

func TestACancelledBodyClosesItsMessage(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	endless := readerFunc(func(p []byte) (int, error) {
		if reads++; reads == 7 {
			cancel()
		}
		return zeros{}.Read(p)
	})
	var b content.Body
	result(t, &b, content.Image{Reader: endless})
	b.StopWhen(ctx.Err)
	got, err := b.AppendTo(nil)
	if !errors.Is(err, context.Canceled) || !json.Valid(got) || reads != 7 {
		t.Errorf("got %d bytes after %d reads, %v", len(got), reads, err)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestDiscardClosesReadersOfBlocks(t *testing.T) {
	readers := [4]closeCounter{}
	content.Discard(
		content.NewText("x"), nil, content.Raw("{}"), (*content.Image)(nil), content.Image{},
		content.Image{Reader: &readers[0]}, content.Audio{Reader: &readers[1]},
		content.Embed(content.Contents{BlobReader: &readers[2]}), &content.Embedded{Resource: content.Contents{TextReader: &readers[3]}},
	)
	for i := range readers {
		if readers[i].closed != 1 {
			t.Errorf("reader %d was closed %d times", i, readers[i].closed)
		}
	}
}
