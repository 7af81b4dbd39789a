package content_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bowline-go/mcp/content"
	"github.com/go-json-experiment/json/jsontext"
)

func TestStringsOfAnySizeAreQuotedLikeTheTwin(t *testing.T) {
	samples := []string{
		"", "a", "世界", "😀😀", "\"", "\\\n\r\t\b\f\x00\x01\x1f ", "\x7f\u2028\u2029</script>&",
		"\xff", "\xe4\xb8", "\xf0\x9f\x98", "a\x80\x80\x80\x80\x80b", "\xed\xa0\x80", "\xc0\xaf", "\uFFFD", "\xf4\x90\x80\x80",
		"seven77\"", "eight888\"", "1234567世", "12345678é1234567\\",
	}
	for _, sample := range samples {
		for shift := range 9 {
			for _, times := range []int{1, 2, 7, (1 + large/(1+len(sample))) * ((shift + 1) % 2)} {
				s := strings.Repeat("x", shift) + strings.Repeat(sample, times)
				want, _ := jsontext.AppendQuote(nil, s)
				got := both(t, func(b *content.Body) { b.QuotedString(s) })
				if got != string(want) {
					t.Fatalf("%q times %d after %d: got %d bytes, want %d", sample, times, shift, len(got), len(want))
				}
			}
		}
	}
}

func TestTextReadersAreQuotedLikeStrings(t *testing.T) {
	samples := []string{
		"", "世", strings.Repeat("世界😀é\n\"x\x00", large/20), strings.Repeat("\xf0\x9f\x98\x80\xf0\x9f\xff\x80\x80\x80\x80\x80", large/12),
		strings.Repeat("a", large) + "\xe4\xb8", "x" + strings.Repeat("😀", large/4) + "\xf0\x9f\x98",
	}
	for _, s := range samples {
		want, _ := jsontext.AppendQuote(nil, s)
		for name, wrap := range readSizes() {
			got := both(t, func(b *content.Body) { b.TextReader(wrap(strings.NewReader(s)), "") })
			if got != string(want) {
				t.Errorf("%.12q by %s: got %d bytes, want %d", s, name, len(got), len(want))
			}
		}
	}
}

func TestBase64OfEveryLengthAndReadSize(t *testing.T) {
	data := make([]byte, 2*large)
	for i := range data {
		data[i] = byte(i * 7 / 3)
	}
	lengths := []int{0, 1, 2, 3, 4, 5, 6, 12287, 12288, 12289, 16384, 16385, 24575, 24576, 24577, 65536, 65537, large, 2 * large}
	for _, n := range lengths {
		want := `"` + base64.StdEncoding.EncodeToString(data[:n]) + `"`
		if got := both(t, func(b *content.Body) { b.Base64(data[:n]) }); got != want {
			t.Errorf("%d bytes are encoded wrongly", n)
		}
		for name, wrap := range readSizes() {
			got := both(t, func(b *content.Body) { b.Base64Reader(wrap(bytes.NewReader(data[:n])), "") })
			if got != want {
				t.Errorf("%d bytes by %s are encoded wrongly", n, name)
			}
			got = both(t, func(b *content.Body) {
				b.Base64Reader(wrap(bytes.NewReader(data[:n])), "")
				if err := b.Prime(); err != nil {
					t.Fatal(err)
				}
				if err := b.ReadAhead(1000); err != nil {
					t.Fatal(err)
				}
			})
			if got != want {
				t.Errorf("%d bytes by %s, begun ahead, are encoded wrongly", n, name)
			}
		}
	}
}

func readSizes() map[string]func(io.Reader) io.Reader {
	return map[string]func(io.Reader) io.Reader{
		"whole reads":        func(r io.Reader) io.Reader { return r },
		"single bytes":       iotest.OneByteReader,
		"halves":             iotest.HalfReader,
		"data with the EOF":  iotest.DataErrReader,
		"reads of 5 and 0":   func(r io.Reader) io.Reader { return &sipper{r: r} },
		"single and the EOF": func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
	}
}

// sipper returns five bytes, then nothing, in turns.
type sipper struct {
	r    io.Reader
	turn int
}

func (s *sipper) Read(p []byte) (int, error) {
	if s.turn++; s.turn%2 == 0 {
		return 0, nil
	}
	return s.r.Read(p[:min(5, len(p))])
}
