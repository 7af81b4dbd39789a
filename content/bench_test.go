package content_test

import (
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
	"github.com/go-json-experiment/json/jsontext"
)

func BenchmarkShortText(b *testing.B) {
	var body content.Body
	blocks := []content.Block{content.NewText("1234567")}
	dst := make([]byte, 0, 1<<10)
	b.ReportAllocs()
	for b.Loop() {
		body.Reset()
		if err := body.AppendBlocks(blocks, current); err != nil {
			b.Fatal(err)
		}
		dst, _ = body.AppendTo(dst[:0])
	}
}

func BenchmarkStrings(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("plain text, ", 1+(64<<10)/12)[:64<<10],
		"code":  strings.Repeat("if x == \"y\" {\n\treturn nil\n}\n", 1+(64<<10)/28)[:64<<10],
		"cjk":   strings.Repeat("世界中の文字", (64<<10)/18),
	} {
		dst := make([]byte, 0, 1<<20)
		b.Run(name, func(b *testing.B) {
			var body content.Body
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				body.Reset()
				body.QuotedString(s)
				dst, _ = body.AppendTo(dst[:0])
			}
		})
		b.Run(name+"/size", func(b *testing.B) {
			var body content.Body
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				body.Reset()
				body.QuotedString(s)
				if body.Size() < len(s) {
					b.Fatal("too small")
				}
			}
		})
		b.Run(name+"/jsontext", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				dst, _ = jsontext.AppendQuote(dst[:0], s)
			}
		})
	}
}

func BenchmarkImage(b *testing.B) {
	picture := make([]byte, 1<<20)
	write := func(b *testing.B, block func() content.Block) {
		var body content.Body
		b.ReportAllocs()
		b.SetBytes(int64(len(picture)))
		for b.Loop() {
			body.Reset()
			if err := body.AppendBlock(block(), current); err != nil {
				b.Fatal(err)
			}
			if _, err := body.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("bytes", func(b *testing.B) {
		write(b, func() content.Block { return content.PNG(picture) })
	})
	b.Run("prepared", func(b *testing.B) {
		prepared := prepare(b, content.PNG(picture))
		write(b, func() content.Block { return prepared })
	})
	b.Run("reader", func(b *testing.B) {
		write(b, func() content.Block { return content.Image{Reader: io.LimitReader(zeros{}, 1<<20)} })
	})
}

func BenchmarkTextReader(b *testing.B) {
	var body content.Body
	text := strings.Repeat("plain text with 世界 and a\nline, ", 1<<15)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		body.Reset()
		body.TextReader(strings.NewReader(text), "")
		if _, err := body.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRenderJSON(b *testing.B) {
	renderer := content.JSON()
	value := point{X: 5, Y: []string{"世界", "b"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := renderer.Render(value); err != nil {
			b.Fatal(err)
		}
	}
}
