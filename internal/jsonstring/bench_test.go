package jsonstring_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

func BenchmarkAppendQuoted(b *testing.B) {
	texts := []struct{ name, text string }{
		{"short", "1234567 + 1000003 = 2234570"},
		{"64KiB", strings.Repeat("The quick brown fox. ", 3121)},
		{"64KiB with line feeds", strings.Repeat("line of some text here\n", 2849)},
		{"64KiB of CJK", strings.Repeat("世界", 10923)},
	}
	for _, c := range texts {
		b.Run(c.name, func(b *testing.B) {
			var dst []byte
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				dst = jsonstring.AppendQuoted(dst[:0], c.text)
			}
		})
	}
}
