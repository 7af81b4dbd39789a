package content_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
	"github.com/go-json-experiment/json/jsontext"
)

func FuzzBody(f *testing.F) {
	f.Add([]byte("世😀\xff\""), uint16(3), uint8(2), uint16(0))
	f.Add([]byte("\xf0\x9f\x98\x80 plain \x00"), uint16(9000), uint8(5), uint16(700))
	f.Fuzz(func(t *testing.T, sample []byte, times uint16, step uint8, ahead uint16) {
		data := bytes.Repeat(sample, min(int(times), 1+200_000/(len(sample)+1)))
		reader := func() io.Reader { return &stepReader{data: data, step: int(step)} }
		text := both(t, func(b *content.Body) {
			b.AppendString(`[`)
			err := errors.Join(
				b.AppendBlock(content.Image{Reader: reader()}, current), comma(b),
				b.AppendContents(content.Contents{URI: string(sample), TextReader: reader()}, current), comma(b),
				b.AppendBlock(content.PNG(data), current), comma(b),
				b.AppendBlock(content.NewText(string(data)), current),
				b.ReadAhead(int(ahead)))
			if err != nil && len(sample) > 0 {
				t.Fatal(err)
			}
			b.AppendString("]")
		})
		if len(sample) == 0 {
			return // contents without a URI are refused
		}
		var got []struct {
			Data, Text string
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%v: %.200s", err, text)
		}
		want := strings.ToValidUTF8(string(data), "") // only to compare what is valid
		encoded := base64.StdEncoding.EncodeToString(data)
		if got[0].Data != encoded || got[2].Data != encoded {
			t.Fatal("the bytes did not arrive")
		}
		if got[1].Text != got[3].Text || want == string(data) && got[3].Text != want {
			t.Fatal("the text did not arrive")
		}
		quoted, _ := jsontext.AppendQuote(nil, data)
		if !strings.Contains(text, string(quoted)) {
			t.Fatal("the text is not what the twin writes")
		}
	})
}

func comma(b *content.Body) error {
	b.AppendString(",")
	return nil
}

// stepReader returns step bytes at a time; 0: as many as fit.
type stepReader struct {
	data []byte
	step int
}

func (r *stepReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	if r.step > 0 && len(p) > r.step {
		p = p[:r.step]
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}
