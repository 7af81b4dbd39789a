package content_test

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
)

// large is above every size at which a body treats a value otherwise.
const large = 100_000

// both returns what AppendTo and WriteTo make of bodies built alike, and checks
// that they agree with each other and with Size.
func both(t *testing.T, build func(b *content.Body)) string {
	t.Helper()
	var one, two content.Body
	build(&one)
	build(&two)
	size := one.Size()
	appended, err := one.AppendTo([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	parts := &partWriter{}
	n, err := two.WriteTo(parts)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimPrefix(string(appended), "before")
	if parts.String() != text || n != int64(len(text)) {
		t.Errorf("WriteTo wrote %d bytes, %d by its count, AppendTo %d", parts.Len(), n, len(text))
	}
	if size >= 0 && size != len(text) {
		t.Errorf("Size said %d of %d bytes", size, len(text))
	}
	return text
}

// partWriter checks the size of the parts.
type partWriter struct {
	bytes.Buffer
	parts, largest int
}

func (w *partWriter) Write(p []byte) (int, error) {
	w.parts++
	w.largest = max(w.largest, len(p))
	return w.Buffer.Write(p)
}

func TestPartsAreAtMost32KiB(t *testing.T) {
	for name, build := range map[string]func(b *content.Body){
		"plain text":     func(b *content.Body) { b.Append(bytes.Repeat([]byte("1"), large)) },
		"string":         func(b *content.Body) { b.QuotedString(strings.Repeat("\x01", large)) },
		"bytes":          func(b *content.Body) { b.Base64(make([]byte, large)) },
		"reader":         func(b *content.Body) { b.Base64Reader(io.LimitReader(zeros{}, large), "") },
		"text reader":    func(b *content.Body) { b.TextReader(io.LimitReader(zeros{}, large), "") },
		"long after one": func(b *content.Body) { b.Base64(make([]byte, large)); b.Append(make([]byte, large)) },
	} {
		var b content.Body
		build(&b)
		w := &partWriter{}
		if _, err := b.WriteTo(w); err != nil {
			t.Fatal(err)
		}
		if w.largest > 32<<10 {
			t.Errorf("%s: a part has %d bytes", name, w.largest)
		}
		if least := w.Len()/(31<<10) + 1; w.parts > least+1 {
			t.Errorf("%s: %d bytes in %d parts", name, w.Len(), w.parts)
		}
	}
}

func TestSharedTextIsWrittenAsItIs(t *testing.T) {
	for _, n := range []int{1, 16 << 10, 16<<10 + 1, 256 << 10, 256<<10 + 1, 600_000} {
		value := []byte(`"` + strings.Repeat("x", n) + `"`)
		got := both(t, func(b *content.Body) {
			b.AppendString("[")
			b.Shared(value)
			b.AppendString(",")
			b.QuotedBytes(value)
			b.AppendString(",")
			b.Shared(value)
			b.AppendString("]")
		})
		quoted, _ := json.Marshal(string(value))
		if want := "[" + string(value) + "," + string(quoted) + "," + string(value) + "]"; got != want {
			t.Errorf("%d bytes: got %d bytes, want %d", n, len(got), len(want))
		}
	}
}

func TestSharedPartsAreAtMost256KiB(t *testing.T) {
	var b content.Body
	b.Shared(make([]byte, 10*large))
	w := &partWriter{}
	if _, err := b.WriteTo(w); err != nil || w.parts != 4 || w.largest != 256<<10 {
		t.Errorf("%d parts, the largest of %d bytes, %v", w.parts, w.largest, err)
	}
	b.Reset()
	b.Shared(make([]byte, 10*large))
	if _, err := b.WriteTo(failingWriter{}); err == nil {
		t.Error("the failure of a writer was lost")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestSizeIsUnknownWhileAReaderIsInside(t *testing.T) {
	var b content.Body
	b.AppendString(`{"a":`)
	b.Base64Reader(strings.NewReader("世"), "")
	b.AppendString(`,"b":`)
	b.TextReader(strings.NewReader(strings.Repeat("\n", 20_000)), "}")
	if b.Size() != -1 {
		t.Errorf("Size is %d", b.Size())
	}
	if err := b.Prime(); err != nil || b.Size() != -1 {
		t.Errorf("after the first chunk Size is %d, %v", b.Size(), err)
	}
	if err := b.ReadAhead(7_000); err != nil || b.Size() != -1 {
		t.Errorf("before the end was seen Size is %d, %v", b.Size(), err)
	}
	if err := b.ReadAhead(1_000); err != nil || b.Size() != len(`{"a":"5LiW","b":""}`)+40_000 {
		t.Errorf("after the end Size is %d, %v", b.Size(), err)
	}
	first, err := b.AppendTo(nil)
	if err != nil || !json.Valid(first) || len(first) != b.Size() {
		t.Errorf("got %d bytes, %v", len(first), err)
	}
	if second, err := b.AppendTo(nil); err != nil || !bytes.Equal(first, second) {
		t.Errorf("a body that was read ahead cannot be written twice: %v", err)
	}
}

func TestABodyWhoseReadersWereReadIsNotWrittenAgain(t *testing.T) {
	var b content.Body
	b.SetFailureEnd(func(dst []byte, _ error) []byte { return append(dst, "end"...) })
	b.Base64Reader(strings.NewReader("x"), "")
	if _, err := b.AppendTo(nil); err != nil {
		t.Fatal(err)
	}
	if got, err := b.AppendTo([]byte("kept")); err == nil || string(got) != "kept" {
		t.Errorf("AppendTo gave %q, %v", got, err)
	}
	if n, err := b.WriteTo(io.Discard); err == nil || n != 0 {
		t.Errorf("WriteTo gave %d, %v", n, err)
	}
	b.Reset()
	b.AppendString("{}")
	if got, err := b.AppendTo(nil); err != nil || string(got) != "{}" || b.Size() != 2 {
		t.Errorf("after Reset: %q, %v, size %d", got, err, b.Size())
	}
}

func TestAvailableBufferTakesAppendFunctions(t *testing.T) {
	var b content.Body
	for range 3 {
		b.Append(append(b.AvailableBuffer(), `[1,"世"]`...))
	}
	if got, _ := b.AppendTo(nil); string(got) != `[1,"世"][1,"世"][1,"世"]` {
		t.Errorf("got %s", got)
	}
}

func TestReadersAreWrittenInFlatMemory(t *testing.T) {
	tests := []struct {
		name  string
		total int64
		add   func(b *content.Body, r io.Reader) error
	}{
		{"image of 64 MiB", 64 << 20, func(b *content.Body, r io.Reader) error {
			return b.AppendBlock(content.Image{Reader: r}, current)
		}},
		{"text of 8 MiB", 8 << 20, func(b *content.Body, r io.Reader) error {
			return b.AppendContents(content.Contents{URI: "u:x", TextReader: r}, current)
		}},
	}
	for _, test := range tests {
		var b content.Body
		if err := test.add(&b, io.LimitReader(letters{}, test.total)); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := b.WriteTo(io.Discard)
		runtime.ReadMemStats(&after)
		if err != nil || n < test.total {
			t.Fatalf("%s: wrote %d bytes, %v", test.name, n, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 128<<10 {
			t.Errorf("%s: allocated %d bytes for %d", test.name, used, n)
		}
	}
}

// letters is an endless text of two-byte runes and line breaks; a read may end within a rune.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], page)
	}
	return n, nil
}

var page = strings.Repeat("éclair, é\n", 1000)

func TestAReusedBodyAllocatesNothing(t *testing.T) {
	picture := make([]byte, 1<<20)
	text := strings.Repeat("世界 and text, ", 10_000)
	var b content.Body
	blocks := []content.Block{content.PNG(picture), content.NewText(text), content.NewText("短い")}
	allocs := testing.AllocsPerRun(20, func() {
		b.Reset()
		b.AppendString(`{"content":`)
		if err := b.AppendBlocks(blocks, current); err != nil {
			t.Fatal(err)
		}
		b.AppendString("}")
		if b.Size() < len(picture) {
			t.Fatal("too small")
		}
		if _, err := b.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations a message", allocs)
	}
}

func TestResetKeepsLessThan64KiB(t *testing.T) {
	bodies := make([]content.Body, 64)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range bodies {
		b := &bodies[i]
		b.Append(make([]byte, large))
		b.Shared(make([]byte, large))
		b.QuotedString(strings.Repeat("世\n", large/4))
		for range 500 {
			b.Base64Reader(bytes.NewReader(make([]byte, 100)), ",")
		}
		if _, err := b.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
		b.Reset()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / int64(len(bodies)); kept > 64<<10 {
		t.Errorf("a body keeps %d bytes", kept)
	}
	runtime.KeepAlive(bodies)
}
