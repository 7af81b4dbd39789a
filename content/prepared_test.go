package content_test

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/bowline-go/mcp/content"
)

func prepare(t testing.TB, block content.Block) content.Prepared {
	t.Helper()
	prepared, err := content.Prepare(block)
	if err != nil {
		t.Fatal(err)
	}
	return prepared
}

func TestAPreparedBlockIsWrittenAsTheBlockIs(t *testing.T) {
	tests := append(blockTests(),
		blockTest{name: "a large picture", block: content.PNG(make([]byte, large)), dialect: current},
		blockTest{name: "a large picture for the oldest", block: content.PNG(make([]byte, large)), dialect: oldest},
		blockTest{name: "a large text", block: content.NewText(strings.Repeat("世界😀\n", large/20)), dialect: links},
		blockTest{name: "a large text with _meta", block: content.Text{Text: strings.Repeat("é\"", large), Meta: meta}, dialect: current},
	)
	for _, test := range tests {
		if strings.Contains(test.name, "reader") {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			prepared := prepare(t, test.block)
			for _, d := range []content.Dialect{oldest, audio, links, current, test.dialect} {
				want, err := content.AppendBlock(nil, test.block, d)
				if err != nil {
					t.Fatal(err)
				}
				got := both(t, func(b *content.Body) {
					if err := b.AppendBlock(prepared, d); err != nil {
						t.Fatal(err)
					}
				})
				if got != string(want) {
					t.Errorf("in %+v: got %.200s\nwant %.200s", d, got, want)
				}
			}
		})
	}
}

func TestWhatCannotBePreparedIsRefused(t *testing.T) {
	reader := &closeCounter{}
	tests := []struct {
		name  string
		block content.Block
		want  string
	}{
		{"nothing", nil, "nil"},
		{"a pointer", &content.Text{}, "pointer"},
		{"an audio block without a type", content.Audio{}, "MIME type"},
		{"a reader", content.Image{Reader: reader}, "reader"},
		{"a prepared block of nothing", content.Prepared{}, "Prepare"},
		{"raw text that is no JSON", content.Raw("{"), "not valid JSON"},
	}
	for _, test := range tests {
		if prepared, err := content.Prepare(test.block); err == nil || !strings.Contains(err.Error(), test.want) || prepared != (content.Prepared{}) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if reader.closed != 1 {
		t.Errorf("the reader was closed %d times", reader.closed)
	}
	if _, err := content.AppendBlock(nil, content.Prepared{}, current); err == nil || !strings.Contains(err.Error(), "Prepare") {
		t.Errorf("an empty one was appended: %v", err)
	}
}

func TestPreparingAgainChangesNothing(t *testing.T) {
	once := prepare(t, content.NewText("世"))
	if prepare(t, once) != once {
		t.Error("it is another block")
	}
}

// The picture is changed behind the back of the block: what arrives shows who looks at it again.
func TestAPreparedBlockIsNotEncodedAgain(t *testing.T) {
	picture := make([]byte, large)
	block := content.Image{Data: picture, Meta: meta}
	prepared := prepare(t, block)
	want, _ := content.AppendBlock(nil, block, current)
	picture[0]++
	if got, err := content.AppendBlock(nil, prepared, current); err != nil || string(got) != string(want) {
		t.Errorf("the block was encoded again, %v", err)
	}
	fresh, _ := content.AppendBlock(nil, block, oldest)
	if got, err := content.AppendBlock(nil, prepared, oldest); err != nil || string(got) != string(fresh) {
		t.Errorf("the block was not encoded for an older client, %v", err)
	}
}

// A firstBytes notes where the parts that it is given stand in memory.
type firstBytes struct{ parts []*byte }

func (w *firstBytes) Write(p []byte) (int, error) {
	w.parts = append(w.parts, &p[0])
	return len(p), nil
}

func TestALargePreparedBlockIsNotCopied(t *testing.T) {
	prepared := prepare(t, content.PNG(make([]byte, 1<<20)))
	var bodies [2]content.Body
	var seen [2]firstBytes
	for i := range bodies {
		if err := bodies[i].AppendBlock(prepared, current); err != nil {
			t.Fatal(err)
		}
		if _, err := bodies[i].WriteTo(&seen[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen[0].parts) != 6 { // 1.33 MiB in parts of 256 KiB
		t.Fatalf("%d parts", len(seen[0].parts))
	}
	for i := range seen[0].parts {
		if seen[0].parts[i] != seen[1].parts[i] {
			t.Errorf("part %d is a copy", i)
		}
	}
}

func TestManyMayAppendOnePreparedBlock(t *testing.T) {
	prepared := prepare(t, content.Image{Data: make([]byte, large), Meta: meta})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, d := range []content.Dialect{oldest, current} {
				if _, err := content.AppendBlock(nil, prepared, d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestAPreparedBlockCostsNoAllocation(t *testing.T) {
	var b content.Body
	blocks := []content.Block{prepare(t, content.PNG(make([]byte, 1<<20))), prepare(t, content.NewText("短い"))}
	if n := testing.AllocsPerRun(20, func() {
		b.Reset()
		if err := b.AppendBlocks(blocks, current); err != nil {
			t.Fatal(err)
		}
		if _, err := b.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a message", n)
	}
}
