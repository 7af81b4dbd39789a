package content_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
)

var compactMeta = json.RawMessage(`{"a/b":[9007199254740993,"世"]}`)

// everyBlock has each block with everything it can hold, in the order of the wire.
func everyBlock() []content.Block {
	return []content.Block{
		content.Text{Text: "世\n😀\"", Annotations: marked(), Meta: compactMeta},
		content.Text{},
		content.Image{Data: []byte{0, 0xff, 1}, MIMEType: "image/png", Annotations: marked(), Meta: compactMeta},
		content.Audio{Data: []byte("RIFF"), MIMEType: "audio/wav", Annotations: marked(), Meta: compactMeta},
		content.Link{
			URI: "u:世", Name: "n", Title: "😀", Description: "d", MIMEType: "m/m",
			Icons:       []content.Icon{{Source: "data:,", MIMEType: "image/png", Sizes: []string{"any"}, Theme: "light"}},
			Annotations: marked(), Size: new(int64(1 << 60)), Meta: compactMeta,
		},
		content.NewLink("n", "u:x"),
		content.Embedded{Resource: content.Contents{URI: "u:x", MIMEType: "m/m", Text: "世", Meta: compactMeta}, Annotations: marked(), Meta: compactMeta},
		content.Embed(content.TextContents("u:x", "", "")),
		content.Embed(content.BlobContents("u:x", "", []byte("世"))),
		content.Embed(content.BlobContents("u:x", "", nil)),
		content.Raw(`{"type":"tool_use","id":"世","input":{"text":5}}`),
	}
}

func TestEveryBlockDecodesToWhatWasEncoded(t *testing.T) {
	for _, block := range everyBlock() {
		line, err := content.AppendBlock(nil, block, current)
		if err != nil {
			t.Fatal(err)
		}
		got, err := content.DecodeBlock(line)
		if err != nil || !reflect.DeepEqual(got, block) {
			t.Errorf("%s\ngot  %#v, %v\nwant %#v", line, got, err, block)
		}
		for i := range line {
			if got, err := content.DecodeBlock(line[:i]); err == nil {
				t.Errorf("%s is truncated but decodes to %#v", line[:i], got)
			}
		}
		for _, tail := range []string{"x", "{}", ",", "\x00"} {
			if _, err := content.DecodeBlock(append(line[:len(line):len(line)], tail...)); err == nil {
				t.Errorf("%s%s decodes", line, tail)
			}
		}
	}
}

func TestAnArrayOfBlocksDecodes(t *testing.T) {
	var b content.Body
	if err := b.AppendBlocks(everyBlock(), current); err != nil {
		t.Fatal(err)
	}
	line, err := b.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := content.DecodeBlocks(line)
	if err != nil || !reflect.DeepEqual(got, everyBlock()) {
		t.Errorf("got %#v, %v", got, err)
	}
	clear(line)
	if !reflect.DeepEqual(got, everyBlock()) {
		t.Error("the decoded blocks alias their input")
	}
	if _, err := content.DecodeBlocks([]byte(`[{"type":"text","text":""},{"type":"text"}]`)); err == nil || !strings.Contains(err.Error(), "block 1") {
		t.Errorf("error %v does not say which block", err)
	}
	if _, err := content.DecodeBlocks([]byte(`{}`)); err == nil {
		t.Error("an object decodes as an array")
	}
}

func TestDecodingTolerance(t *testing.T) {
	tests := []struct {
		name, line string
		want       content.Block
	}{
		{"unknown members are ignored, type comes last", `{"x":{"type":"image"},"text":"a","annotations":{"x":1},"type":"text"}`, content.Text{Text: "a", Annotations: &content.Annotations{}}},
		{"null is absent", `{"type":"text","text":"a","annotations":null,"_meta":null}`, content.NewText("a")},
		{"white space around", " {\"type\":\"text\",\n\"text\":\"\\u4e16\\ud83d\\ude00\"}\n", content.NewText("世😀")},
		{"names are case-sensitive", `{"type":"text","text":"a","Text":5}`, content.NewText("a")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := content.DecodeBlock([]byte(test.line))
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

func TestBadBlocksAreRefused(t *testing.T) {
	for name, line := range map[string]string{
		"no object":                   `"text"`,
		"null":                        `null`,
		"no type":                     `{"text":"a"}`,
		"type no string":              `{"type":1}`,
		"duplicate member":            `{"type":"text","text":"a","text":"b"}`,
		"duplicate spelled otherwise": `{"type":"text","text":"a","\u0074ext":"b"}`,
		"not UTF-8":                   "{\"type\":\"text\",\"text\":\"\xff\"}",
		"lone surrogate":              `{"type":"text","text":"\ud800"}`,
		"text missing":                `{"type":"text"}`,
		"text no string":              `{"type":"text","text":1}`,
		"data missing":                `{"type":"image","mimeType":"image/png"}`,
		"data without padding":        `{"type":"image","data":"UE5HREFUQQ","mimeType":"image/png"}`,
		"data with line breaks":       `{"type":"image","data":"UE5H\nREFU","mimeType":"image/png"}`,
		"data in URL alphabet":        `{"type":"image","data":"_w==","mimeType":"image/png"}`,
		"mimeType missing":            `{"type":"audio","data":""}`,
		"link without name":           `{"type":"resource_link","uri":"u:x"}`,
		"link without uri":            `{"type":"resource_link","name":"n"}`,
		"link with a fraction":        `{"type":"resource_link","uri":"u:x","name":"n","size":1.5}`,
		"resource missing":            `{"type":"resource"}`,
		"resource without uri":        `{"type":"resource","resource":{"text":""}}`,
		"resource without data":       `{"type":"resource","resource":{"uri":"u:x"}}`,
		"resource with both":          `{"type":"resource","resource":{"uri":"u:x","text":"","blob":""}}`,
		"resource _meta no object":    `{"type":"resource","resource":{"uri":"u:x","text":"","_meta":1}}`,
		"_meta no object":             `{"type":"text","text":"","_meta":[]}`,
		"annotations no object":       `{"type":"text","text":"","annotations":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := content.DecodeBlock([]byte(line)); err == nil {
				t.Errorf("decodes to %#v", got)
			}
		})
	}
}

func TestContentsDecode(t *testing.T) {
	got, err := content.DecodeContents([]byte(`{"uri":"u:世","blob":"5LiW","x":1}`))
	if want := content.BlobContents("u:世", "", []byte("世")); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v", got, err)
	}
	for _, line := range []string{`{}`, `[]`, `{"uri":"u:x"}`, `{"uri":"u:x","text":5}`} {
		if _, err := content.DecodeContents([]byte(line)); err == nil {
			t.Errorf("%s decodes", line)
		}
	}
}

func FuzzDecodeBlock(f *testing.F) {
	for _, block := range everyBlock() {
		line, err := content.AppendBlock(nil, block, current)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"type":"text","text":"\ud83d\ude00","annotations":{"priority":2}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		block, err := content.DecodeBlock(line)
		if err != nil {
			return
		}
		again, err := content.AppendBlock(nil, block, current)
		if err != nil {
			return // what a peer may say and we must not, such as a priority above 1
		}
		if !json.Valid(again) {
			t.Fatalf("%q encodes to %q", line, again)
		}
		twice, err := content.DecodeBlock(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		third, err := content.AppendBlock(nil, twice, current)
		if err != nil || string(third) != string(again) {
			t.Fatalf("%s became %s, %v", again, third, err)
		}
	})
}
