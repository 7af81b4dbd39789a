package content_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp/content"
)

type (
	word   string
	pixels []byte
	shy    struct{ err error }
	point  struct {
		X int      `json:"x"`
		Y []string `json:"y"`
	}
)

func (s *shy) MarshalText() ([]byte, error)   { return []byte("text 世"), s.err }
func (s *shy) MarshalBinary() ([]byte, error) { return []byte{0xff, 0}, s.err }

var moment = time.Date(2026, 7, 28, 1, 2, 3, 0, time.UTC)

// encoded renders v and returns the blocks as they go out, or the error.
func encoded(t *testing.T, r content.Renderer, v any) (string, error) {
	t.Helper()
	blocks, err := r.Render(v)
	if err != nil {
		return "", err
	}
	var b content.Body
	if err := b.AppendBlocks(blocks, current); err != nil {
		t.Fatal(err)
	}
	line, err := b.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(line), nil
}

func TestJSONAndPlainText(t *testing.T) {
	textJSON, plain := content.JSON(), content.PlainText()
	tests := []struct {
		name     string
		renderer content.Renderer
		value    any
		want     string // the decoded text
	}{
		{"null", textJSON, nil, `null`},
		{"string is quoted", textJSON, "世\"😀", `"世\"😀"`},
		{"no HTML escapes", textJSON, "<&>\u2028", "\"<&>\u2028\""},
		{"struct with nil slice", textJSON, point{X: 1}, `{"x":1,"y":[]}`},
		{"map keys are sorted", textJSON, map[string]any{"b": 1, "a": nil, "世": []int(nil), "c": map[int]int(nil)}, `{"a":null,"b":1,"c":{},"世":[]}`},
		{"integers are exact", textJSON, []any{int64(math.MinInt64), uint64(math.MaxUint64), json.Number("12345678901234567890123")}, `[-9223372036854775808,18446744073709551615,12345678901234567890123]`},
		{"bytes are base64", textJSON, []byte{0xff}, `"/w=="`},
		{"raw JSON is compacted", textJSON, json.RawMessage("{ \"a\" : 1 }"), `{"a":1}`},
		{"text that is not UTF-8", textJSON, "a\xffb", "\"a\uFFFDb\""},
		{"marshalers are heard", textJSON, moment, `"2026-07-28T01:02:03Z"`},

		{"string is raw", plain, "世\"😀\n", "世\"😀\n"},
		{"empty string", plain, "", ""},
		{"named string", plain, word("w"), "w"},
		{"int", plain, -7, "-7"},
		{"int8", plain, int8(math.MinInt8), "-128"},
		{"uint64", plain, uint64(math.MaxUint64), "18446744073709551615"},
		{"bool", plain, true, "true"},
		{"float", plain, 2.5, "2.5"},
		{"whole float", plain, 1e8, "100000000"},
		{"large float", plain, 1e21, "1e+21"},
		{"float32", plain, float32(0.1), "0.1"},
		{"float zero", plain, 0.0, "0"},
		{"text marshaler before stringer", plain, moment, "2026-07-28T01:02:03Z"},
		{"pointer receiver", plain, &shy{}, "text 世"},
		{"big integer", plain, new(big.Int).Lsh(big.NewInt(1), 70), "1180591620717411303424"},
		{"stringer", plain, time.Minute, "1m0s"},
		{"URL", plain, &url.URL{Scheme: "https", Host: "a"}, "https://a"},
		{"error", plain, errDisk, "disk on fire 🔥"},
		{"pointer", plain, new(5), "5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			blocks, err := test.renderer.Render(test.value)
			if want := []content.Block{content.NewText(test.want)}; err != nil || !reflect.DeepEqual(blocks, want) {
				t.Errorf("got %q, %v; want %q", blocks, err, test.want)
			}
		})
	}
}

func TestBinaryRenderers(t *testing.T) {
	image, sound := content.ImageOf(""), content.AudioOf("audio/wav")
	text, blob := content.EmbeddedOf("u:世", "application/vnd.x+JSON; charset=utf-8"), content.EmbeddedOf("u:x", "application/pdf")
	tests := []struct {
		name     string
		renderer content.Renderer
		value    any
		want     string
	}{
		{"image from bytes", image, []byte("PNGDATA"), `[{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}]`},
		{"image from named bytes", content.ImageOf("image/gif"), pixels("PNGDATA"), `[{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/gif"}]`},
		{"image from nil bytes", image, []byte(nil), `[{"type":"image","data":"","mimeType":"image/png"}]`},
		{"image from a reader", image, strings.NewReader("PNGDATA"), `[{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}]`},
		{"image from a marshaler", image, &shy{}, `[{"type":"image","data":"/wA=","mimeType":"image/png"}]`},
		{"audio from bytes", sound, []byte("RIFF"), `[{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}]`},
		{"audio from a reader", sound, strings.NewReader("RIFF"), `[{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}]`},
		{"text resource from a string", text, "世", `[{"type":"resource","resource":{"uri":"u:世","mimeType":"application/vnd.x+JSON; charset=utf-8","text":"世"}}]`},
		{"text resource from bytes", text, []byte("😀"), `[{"type":"resource","resource":{"uri":"u:世","mimeType":"application/vnd.x+JSON; charset=utf-8","text":"😀"}}]`},
		{"bytes that are no text are a blob", text, []byte{0xff}, `[{"type":"resource","resource":{"uri":"u:世","mimeType":"application/vnd.x+JSON; charset=utf-8","blob":"/w=="}}]`},
		{"text resource from a reader", content.EmbeddedOf("u:x", "text/csv"), strings.NewReader("世"), `[{"type":"resource","resource":{"uri":"u:x","mimeType":"text/csv","text":"世"}}]`},
		{"a textual type prefers text", text, &shy{}, `[{"type":"resource","resource":{"uri":"u:世","mimeType":"application/vnd.x+JSON; charset=utf-8","text":"text 世"}}]`},
		{"another type prefers bytes", blob, &shy{}, `[{"type":"resource","resource":{"uri":"u:x","mimeType":"application/pdf","blob":"/wA="}}]`},
		{"blob resource from bytes", blob, []byte("世"), `[{"type":"resource","resource":{"uri":"u:x","mimeType":"application/pdf","blob":"5LiW"}}]`},
		{"blob resource from nil bytes", blob, []byte(nil), `[{"type":"resource","resource":{"uri":"u:x","mimeType":"application/pdf","blob":""}}]`},
		{"blob resource from a reader", blob, strings.NewReader("世"), `[{"type":"resource","resource":{"uri":"u:x","mimeType":"application/pdf","blob":"5LiW"}}]`},
		{"a number in a blob resource is text", content.EmbeddedOf("u:x", ""), 7, `[{"type":"resource","resource":{"uri":"u:x","text":"7"}}]`},
		{"link to a string", content.LinkTo("世", ""), "u:x", `[{"type":"resource_link","uri":"u:x","name":"世"}]`},
		{"link to a URL", content.LinkTo("n", "text/html"), &url.URL{Scheme: "https", Host: "a"}, `[{"type":"resource_link","uri":"https://a","name":"n","mimeType":"text/html"}]`},
		{"function", content.RendererFunc(func(v any) ([]content.Block, error) {
			return []content.Block{content.Textf("<%v>", v), content.NewText("世")}, nil
		}), 5, `[{"type":"text","text":"<5>"},{"type":"text","text":"世"}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := encoded(t, test.renderer, test.value)
			if err != nil || got != test.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
			}
		})
	}
}

func TestValuesThatCannotBeRenderedAreNamed(t *testing.T) {
	var self any
	self = &self
	ring := map[string]any{}
	ring["next"] = ring
	type loop *loop
	var round loop
	round = &round
	tests := []struct {
		name     string
		renderer content.Renderer
		value    any
		want     string
	}{
		{"JSON of a channel", content.JSON(), make(chan int), "chan int"},
		{"JSON of a ring", content.JSON(), ring, "cycle"},
		{"JSON of NaN", content.JSON(), math.NaN(), "float64"},
		{"JSON of a number that is none", content.JSON(), json.Number("x"), "json.Number"},
		{"text of nil", content.PlainText(), nil, "nil"},
		{"text of a nil pointer", content.PlainText(), (*url.URL)(nil), "*url.URL"},
		{"text of a nil pointer to a number", content.PlainText(), (*int)(nil), "*int"},
		{"text of a struct", content.PlainText(), point{}, "content_test.point"},
		{"text of a pointer to itself", content.PlainText(), &self, "*interface {}"},
		{"text of a pointer type to itself", content.PlainText(), round, "content_test.loop"},
		{"text whose marshaler fails", content.PlainText(), &shy{errDisk}, "disk on fire"},
		{"image of a string", content.ImageOf(""), "x", "string cannot be rendered as an image"},
		{"image of nil", content.ImageOf(""), nil, "nil"},
		{"image of a nil reader", content.ImageOf(""), (*strings.Reader)(nil), "*strings.Reader"},
		{"image whose marshaler fails", content.ImageOf(""), &shy{errDisk}, "disk on fire"},
		{"audio of a number", content.AudioOf("audio/wav"), 5, "int cannot be rendered as audio"},
		{"embedded struct", content.EmbeddedOf("u:x", ""), point{}, "content_test.point"},
		{"embedded nil", content.EmbeddedOf("u:x", "text/plain"), nil, "nil"},
		{"embedded whose marshaler fails", content.EmbeddedOf("u:x", ""), &shy{errDisk}, "disk on fire"},
		{"link to nothing", content.LinkTo("n", ""), "", "URI"},
		{"link to a struct", content.LinkTo("n", ""), point{}, "content_test.point"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			blocks, err := test.renderer.Render(test.value)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v; the error must say %q", blocks, err, test.want)
			}
		})
	}
}

func TestRenderersAreSharedByConcurrentCalls(t *testing.T) {
	renderers := []content.Renderer{content.JSON(), content.PlainText(), content.EmbeddedOf("u:x", "text/plain")}
	var calls sync.WaitGroup
	for i := range 16 {
		calls.Go(func() {
			for _, r := range renderers {
				if _, err := r.Render(i); err != nil && !errors.Is(err, errDisk) {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
}
