package content_test

import (
	"encoding/base64"
	"testing"

	"github.com/bowline-go/mcp/content"
)

func base64Of(t *testing.T, data []byte) string {
	t.Helper()
	return both(t, func(b *content.Body) { b.Base64(data) })
}

func TestBase64IsThatOfTheStandardLibrary(t *testing.T) {
	data := make([]byte, 300)
	for i := range data {
		data[i] = byte(i*i*7 + i)
	}
	for n := range data {
		if got, want := base64Of(t, data[:n]), `"`+base64.StdEncoding.EncodeToString(data[:n])+`"`; got != want {
			t.Fatalf("%d bytes are %s, want %s", n, got, want)
		}
	}
}

func TestEveryPairOfCharactersIsRight(t *testing.T) {
	var data []byte
	for bits := range 1 << 12 { // each pair once in each half of three bytes
		data = append(data, byte(bits>>4), byte(bits<<4|(bits^0xfff)>>8), byte(bits^0xfff))
	}
	if got, want := base64Of(t, data), `"`+base64.StdEncoding.EncodeToString(data)+`"`; got != want {
		t.Error("the encodings differ")
	}
}

func FuzzBase64(f *testing.F) {
	f.Add([]byte(""), uint16(1))
	f.Add([]byte("\xff\xfe\x00 世界😀"), uint16(3000))
	f.Fuzz(func(t *testing.T, sample []byte, times uint16) {
		var data []byte
		for range min(int(times), 1+100_000/(len(sample)+1)) {
			data = append(data, sample...)
		}
		if got, want := base64Of(t, data), `"`+base64.StdEncoding.EncodeToString(data)+`"`; got != want {
			t.Errorf("%d bytes are encoded wrongly", len(data))
		}
	})
}
