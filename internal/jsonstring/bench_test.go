package jsonstring_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// Texts of 64 KiB as results have them. A text of one sort is the best case of one loop; prose is what bench sends.
var benchTexts = []struct{ name, text string }{
	{"ascii", strings.Repeat("The quick brown fox. ", 3121)},
	{"lines", strings.Repeat("line of some text here\n", 2849)},
	{"prose", strings.Repeat("The quick brown fox jumps over the lazy dog; \"pack my box\" with five dozen jugs, café 漢字.\n", 661)},
	{"json", strings.Repeat(`{"a":"b","cdefg":12345}`, 2849)},
	{"cjk", strings.Repeat("世界", 10923)},
}

func benchmark(b *testing.B, run func(text string, quoted []byte)) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			quoted := jsonstring.AppendQuoted(nil, c.text)
			b.SetBytes(int64(len(quoted)))
			b.ReportAllocs()
			for b.Loop() {
				run(c.text, quoted)
			}
		})
	}
}

func BenchmarkEnd(b *testing.B) {
	benchmark(b, func(_ string, quoted []byte) { jsonstring.End(quoted, 0) })
}

func BenchmarkEndOfValid(b *testing.B) {
	benchmark(b, func(_ string, quoted []byte) { jsonstring.EndOfValid(quoted, 0) })
}

func BenchmarkUnescape(b *testing.B) {
	benchmark(b, func(_ string, quoted []byte) { jsonstring.Unescape(quoted[1 : len(quoted)-1]) })
}

func BenchmarkEscapedLen(b *testing.B) {
	benchmark(b, func(text string, _ []byte) { _, _ = jsonstring.EscapedLen(text) })
}

func BenchmarkAppendSome(b *testing.B) {
	room := make([]byte, 0, 128<<10)
	benchmark(b, func(text string, _ []byte) { _, _ = jsonstring.AppendSome(room, text) })
}

func BenchmarkAppendEscaped(b *testing.B) {
	var dst []byte
	benchmark(b, func(text string, _ []byte) { dst = jsonstring.AppendEscaped(dst[:0], text) })
}

func BenchmarkValid(b *testing.B) {
	benchmark(b, func(text string, _ []byte) { jsonstring.Valid(text) })
}
