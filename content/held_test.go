package content_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
	"github.com/go-json-experiment/json/jsontext"
)

// heldText returns a text above the size of what a body copies, in which a chunk ends at any place of a rune or an escape.
func heldText(n int) string {
	const sample = "é 世界 😀 \"quoted\"\n\x01 and \xff\xe4\xb8 what is not UTF-8, "
	return strings.Repeat(sample, n/len(sample)+1)[:n]
}

func TestABodyThatWasMeasuredIsWrittenAsOneThatWasNot(t *testing.T) {
	build := func(b *content.Body, text string) {
		b.AppendString(`{"世":`)
		b.QuotedString(text)
		b.AppendString(`,"same":`)
		b.QuotedBytes([]byte(text[:len(text)/2]))
		b.AppendString(`,"data":`)
		b.Base64([]byte(text[:len(text)/3]))
		b.AppendString("}")
	}
	// Up to more than a message that is held may have, with and without its escapes.
	for n := 16<<10 + 1; n < 150<<10; n += 2_399 {
		var asked, unasked content.Body
		build(&asked, heldText(n))
		build(&unasked, heldText(n))
		want, _ := unasked.AppendTo(nil)
		size := asked.Size()
		appended, err := asked.AppendTo([]byte("before"))
		if err != nil || string(appended) != "before"+string(want) {
			t.Fatalf("%d bytes of text: AppendTo differs: %v", n, err)
		}
		w := &partWriter{}
		written, err := asked.WriteTo(w)
		if err != nil || written != int64(len(want)) || !bytes.Equal(w.Bytes(), want) {
			t.Fatalf("%d bytes of text: WriteTo differs: %v", n, err)
		}
		if size != len(want) || asked.Size() != size {
			t.Fatalf("%d bytes of text: Size is %d, then %d, and %d bytes are written", n, size, asked.Size(), len(want))
		}
		if w.largest > 32<<10 {
			t.Fatalf("%d bytes of text: a part has %d bytes", n, w.largest)
		}
	}
}

func TestTextThatGrowsPastWhatIsHeldHasItsSize(t *testing.T) {
	for _, text := range []string{strings.Repeat("\x01", 64<<10), strings.Repeat("\xff", 64<<10), heldText(128 << 10)} {
		var b content.Body
		b.QuotedString(text)
		want, _ := jsontext.AppendQuote(nil, text)
		if size := b.Size(); size != len(want) {
			t.Errorf("Size is %d, want %d", size, len(want))
		}
		if got, err := b.AppendTo(nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, want %d, %v", len(got), len(want), err)
		}
	}
}

func TestWhatIsAppendedAfterSizeIsWritten(t *testing.T) {
	var b content.Body
	b.QuotedString(heldText(20_000))
	first := b.Size()
	b.AppendString(`,"é"`)
	second := b.Size()
	b.AppendString(",")
	b.QuotedString(heldText(20_000))
	third := b.Size()
	got, err := b.AppendTo(nil)
	if err != nil || second != first+len(`,"é"`) || third != second+1+first || len(got) != third {
		t.Errorf("the sizes are %d, %d and %d; %d bytes are written, %v", first, second, third, len(got), err)
	}
	b.AppendString("]")
	if again, _ := b.AppendTo(nil); string(again) != string(got)+"]" {
		t.Error("what was appended after the last Size is not written")
	}
}

func TestNothingOfAHeldMessageIsInTheNext(t *testing.T) {
	var b content.Body
	for i := range 20 {
		b.Reset()
		text := strings.Repeat(string(rune('a'+i)), 40_000-1_000*i)
		b.QuotedString(text)
		size := b.Size()
		got, err := b.AppendTo(nil)
		if err != nil || string(got) != `"`+text+`"` || size != len(got) {
			t.Fatalf("message %d is not what was put into it", i)
		}
	}
	b.Reset()
	b.QuotedString(heldText(40_000))
	if b.Size() < 40_000 {
		t.Error("too small")
	}
	if n, err := b.WriteTo(failingWriter{}); err == nil || n != 3 {
		t.Errorf("a writer failed: %d bytes, %v", n, err)
	}
	if b.Reset(); b.Size() != 0 {
		t.Errorf("after Reset the size is %d", b.Size())
	}
}

func TestHoldingAMessageAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector a pool drops what it is given")
	}
	text := heldText(60_000)
	var b content.Body
	allocs := testing.AllocsPerRun(20, func() {
		b.Reset()
		b.QuotedString(text)
		if b.Size() < len(text) {
			t.Fatal("too small")
		}
		if _, err := b.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
	if allocs >= 1 {
		t.Errorf("%v allocations a message", allocs)
	}
}

func FuzzHeld(f *testing.F) {
	f.Add("世😀\xff\"", uint16(3_000), uint8(1))
	f.Add("plain", uint16(9_000), uint8(3))
	f.Add("\x00", uint16(21_000), uint8(0))
	f.Fuzz(func(t *testing.T, sample string, times uint16, texts uint8) {
		n := int(texts % 4)
		text := strings.Repeat(sample, min(int(times), 1+150_000/max(n, 1)/(len(sample)+1))) // what is held at most, and a little more
		quoted, _ := jsontext.AppendQuote(nil, text)
		var b content.Body
		b.AppendString("[")
		want := []byte("[")
		for range n {
			b.QuotedString(text)
			b.AppendString(",")
			want = append(append(want, quoted...), ',')
		}
		size := b.Size()
		got, err := b.AppendTo(nil)
		if err != nil || size != len(want) || !bytes.Equal(got, want) {
			t.Fatalf("Size is %d, %d bytes are written, the twin writes %d, %v", size, len(got), len(want), err)
		}
		var parts bytes.Buffer
		if _, err := b.WriteTo(&parts); err != nil || !bytes.Equal(parts.Bytes(), want) {
			t.Fatalf("WriteTo writes %d bytes, the twin %d, %v", parts.Len(), len(want), err)
		}
	})
}
