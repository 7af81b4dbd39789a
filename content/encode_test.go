package content_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/content"
)

// Dialects as the revisions have them: each feature is there from a revision on.
var (
	oldest  = content.Dialect{}
	audio   = content.Dialect{Audio: true}
	links   = content.Dialect{Audio: true, Links: true, Meta: true, LastModified: true, Titles: true}
	current = content.FullDialect()
)

func marked() *content.Annotations {
	return &content.Annotations{
		Audience:     []content.Role{content.RoleUser, content.RoleAssistant},
		Priority:     new(0.5),
		LastModified: "2025-05-03T14:30:00Z",
	}
}

const (
	notedNew = `"annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2025-05-03T14:30:00Z"}`
	notedOld = `"annotations":{"audience":["user","assistant"],"priority":0.5}`
)

// meta holds insignificant white space, an integer above 2^53 and an escape that must survive.
var meta = json.RawMessage("{ \"example.com/k\" :\n [9007199254740993, \"\\u00e9世😀\"] }")

const metaWire = `"_meta":{"example.com/k":[9007199254740993,"\u00e9世😀"]}`

// blockTest says how a block is written for one dialect.
type blockTest struct {
	name    string
	block   content.Block
	dialect content.Dialect
	want    string
}

func blockTests() []blockTest {
	fullLink := content.Link{
		URI: "file:///世界/😀.rs", Name: "世界.rs", Title: "Тема 😀", Description: "a \"quoted\"\nline", MIMEType: "text/x-rust",
		Icons: []content.Icon{
			{Source: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48", "any"}, Theme: "dark"},
			{Source: "data:,x"},
		},
		Annotations: marked(), Size: new(int64(9007199254740993)), Meta: meta,
	}
	linkHead := `{"type":"resource_link","uri":"file:///世界/😀.rs","name":"世界.rs","title":"Тема 😀","description":"a \"quoted\"\nline","mimeType":"text/x-rust",`
	icons := `"icons":[{"src":"https://example.com/i.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"},{"src":"data:,x"}],`
	sound := content.Audio{Data: []byte("RIFF"), MIMEType: "audio/wav", Annotations: marked(), Meta: meta}
	return []blockTest{
		{"text alone", content.NewText("世界 😀"), current, `{"type":"text","text":"世界 😀"}`},
		{"text is escaped shortly", content.NewText("\"\\\b\f\n\r\t\x00\x1f/<&\u2028\x7f"), current, `{"type":"text","text":"\"\\\b\f\n\r\t\u0000\u001f/<&` + "\u2028\x7f" + `"}`},
		{"text that is not UTF-8 gets U+FFFD per byte", content.NewText("a\xffb\xe4\xb8c\xed\xa0\x80"), current, `{"type":"text","text":"a` + "\uFFFDb\uFFFD\uFFFDc\uFFFD\uFFFD\uFFFD" + `"}`},
		{"text with everything", content.Text{Text: "é", Annotations: marked(), Meta: meta}, current, `{"type":"text","text":"é",` + notedNew + `,` + metaWire + `}`},
		{"_meta and lastModified start later", content.Text{Text: "é", Annotations: marked(), Meta: meta}, audio, `{"type":"text","text":"é",` + notedOld + `}`},
		{"annotations that lose all are left out", content.Text{Annotations: &content.Annotations{LastModified: "2025-05-03T14:30:00Z"}}, oldest, `{"type":"text","text":""}`},
		{"empty annotations are left out", content.Text{Annotations: &content.Annotations{}}, current, `{"type":"text","text":""}`},
		{"priority 0 is said", content.Text{Annotations: &content.Annotations{Priority: new(0.0)}}, current, `{"type":"text","text":"","annotations":{"priority":0}}`},
		{"Textf formats", content.Textf("%d 世", 7), current, `{"type":"text","text":"7 世"}`},

		{"image is PNG by default", content.Image{Data: []byte("PNGDATA")}, current, `{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}`},
		{"empty image keeps its data", content.PNG(nil), oldest, `{"type":"image","data":"","mimeType":"image/png"}`},
		{"image with everything", content.Image{Data: []byte{0xff}, MIMEType: "image/webp", Annotations: marked(), Meta: meta}, current, `{"type":"image","data":"/w==","mimeType":"image/webp",` + notedNew + `,` + metaWire + `}`},
		{"image from a reader", content.Image{Reader: strings.NewReader("PNGDATA"), Meta: meta}, current, `{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png",` + metaWire + `}`},

		{"audio", sound, current, `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav",` + notedNew + `,` + metaWire + `}`},
		{"audio before _meta", sound, audio, `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav",` + notedOld + `}`},
		{"audio for the oldest is a blob", sound, oldest, `{"type":"resource","resource":{"uri":"audio:1","mimeType":"audio/wav","blob":"UklGRg=="},` + notedOld + `}`},
		{"audio from a reader for the oldest", content.Audio{Reader: strings.NewReader("RIFF"), MIMEType: "audio/wav"}, oldest, `{"type":"resource","resource":{"uri":"audio:1","mimeType":"audio/wav","blob":"UklGRg=="}}`},

		{"link with the least", content.NewLink("n", "u:世"), current, `{"type":"resource_link","uri":"u:世","name":"n"}`},
		{"link with everything", fullLink, current, linkHead + icons + notedNew + `,"size":9007199254740993,` + metaWire + `}`},
		{"link before icons", fullLink, links, linkHead + notedNew + `,"size":9007199254740993,` + metaWire + `}`},
		{"link before links is text", fullLink, audio, `{"type":"text","text":"世界.rs: file:///世界/😀.rs",` + notedOld + `}`},

		{"embedded text", content.Embed(content.TextContents("file:///a", "text/plain", "世\n😀")), current, `{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"世\n😀"}}`},
		{"embedded blob", content.Embed(content.BlobContents("file:///a", "", nil)), current, `{"type":"resource","resource":{"uri":"file:///a","blob":""}}`},
		{"both _meta of an embedded resource", content.Embedded{Resource: content.Contents{URI: "u:x", Text: "t", Meta: meta}, Annotations: marked(), Meta: meta}, current, `{"type":"resource","resource":{"uri":"u:x","text":"t",` + metaWire + `},` + notedNew + `,` + metaWire + `}`},
		{"no _meta of an embedded resource", content.Embedded{Resource: content.Contents{URI: "u:x", Text: "t", Meta: meta}, Meta: meta}, oldest, `{"type":"resource","resource":{"uri":"u:x","text":"t"}}`},
		{"embedded text reader", content.Embed(content.Contents{URI: "u:x", TextReader: strings.NewReader("世\"😀")}), current, `{"type":"resource","resource":{"uri":"u:x","text":"世\"😀"}}`},
		{"embedded blob reader", content.Embed(content.Contents{URI: "u:x", BlobReader: strings.NewReader("世")}), current, `{"type":"resource","resource":{"uri":"u:x","blob":"5LiW"}}`},

		{"raw is compacted and kept", content.Raw("{\n \"type\" : \"x\", \"n\": 1e400, \"s\":\"\\u4e16\"}\n"), oldest, `{"type":"x","n":1e400,"s":"\u4e16"}`},
	}
}

func TestBlocksAreWrittenForEachDialect(t *testing.T) {
	for _, test := range blockTests() {
		t.Run(test.name, func(t *testing.T) {
			got, err := content.AppendBlock([]byte("before"), test.block, test.dialect)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != "before"+test.want {
				t.Errorf("got  %s\nwant before%s", got, test.want)
			}
		})
	}
}

func TestBlocksThatCannotBeWrittenAreRefused(t *testing.T) {
	tests := []struct {
		name  string
		block content.Block
		want  string
	}{
		{"nil", nil, "nil"},
		{"a pointer", &content.Text{}, "*content.Text"},
		{"a nil pointer", (*content.Image)(nil), "*content.Image"},
		{"image with two sources", content.Image{Data: []byte("x"), Reader: strings.NewReader("x")}, "both Data and Reader"},
		{"audio with two sources", content.Audio{Data: []byte("x"), Reader: strings.NewReader("x"), MIMEType: "audio/wav"}, "both Data and Reader"},
		{"audio without a type", content.Audio{}, "MIME type"},
		{"link without a name", content.Link{URI: "u:x"}, "name"},
		{"link without a URI", content.Link{Name: "n"}, "URI"},
		{"contents without a URI", content.Embedded{}, "URI"},
		{"contents with two sources", content.Embed(content.Contents{URI: "u:x", Text: "t", Blob: []byte{}}), "set one"},
		{"priority out of range", content.Text{Annotations: &content.Annotations{Priority: new(1.5)}}, "from 0 to 1"},
		{"priority NaN", content.Text{Annotations: &content.Annotations{Priority: new(math.NaN())}}, "from 0 to 1"},
		{"_meta no object", content.Text{Meta: json.RawMessage(`[1]`)}, "not a JSON object"},
		{"_meta broken", content.Text{Meta: json.RawMessage(`{`)}, "not valid JSON"},
		{"_meta of contents broken", content.Embed(content.Contents{URI: "u:x", Meta: json.RawMessage(`{"a":1,"a":2}`)}), "not valid JSON"},
		{"raw trailing", content.Raw(`{} {}`), "not valid JSON"},
		{"raw empty", content.Raw(nil), "not valid JSON"},
		{"raw with a lone surrogate", content.Raw(`{"a":"\ud800"}`), "not valid JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b content.Body
			b.AppendString("[")
			err := b.AppendBlock(test.block, current)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v does not say %q", err, test.want)
			}
			if got, err := b.AppendTo(nil); err != nil || string(got) != "[" {
				t.Errorf("the body is %s, %v after a refused block", got, err)
			}
		})
	}
}

func TestArraysOfBlocks(t *testing.T) {
	sound := content.Audio{Data: []byte("RIFF"), MIMEType: "audio/wav"}
	var b content.Body
	if err := b.AppendBlocks(nil, oldest); err != nil {
		t.Fatal(err)
	}
	if err := b.AppendBlocks([]content.Block{sound, content.NewText("世"), sound}, oldest); err != nil {
		t.Fatal(err)
	}
	want := `[][{"type":"resource","resource":{"uri":"audio:1","mimeType":"audio/wav","blob":"UklGRg=="}},` +
		`{"type":"text","text":"世"},{"type":"resource","resource":{"uri":"audio:2","mimeType":"audio/wav","blob":"UklGRg=="}}]`
	got, err := b.AppendTo(nil)
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

func TestABadBlockOfAnArrayLeavesTheBodyAndClosesAllReaders(t *testing.T) {
	readers := []*closeCounter{{}, {}, {}, {}}
	blocks := []content.Block{
		content.Image{Reader: readers[0]},
		content.Audio{Reader: readers[1], MIMEType: "audio/wav"},
		content.Raw("no"),
		content.Embed(content.Contents{URI: "u:x", TextReader: readers[2]}),
		&content.Image{Reader: readers[3]},
	}
	var b content.Body
	b.AppendString("x")
	err := b.AppendBlocks(blocks, current)
	if err == nil || !strings.Contains(err.Error(), "block 2") {
		t.Errorf("error %v does not say which block", err)
	}
	b.Close()
	for i, r := range readers {
		if r.closed != 1 {
			t.Errorf("reader %d was closed %d times", i, r.closed)
		}
	}
	if b.Size() != 1 {
		t.Errorf("the body has %d bytes after a refused array", b.Size())
	}
}

func TestContentsStandAlone(t *testing.T) {
	got, err := content.AppendContents(nil, content.Contents{URI: "u:世", MIMEType: "text/plain", Text: "😀", Meta: meta}, current)
	if want := `{"uri":"u:世","mimeType":"text/plain","text":"😀",` + metaWire + `}`; err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	r := &closeCounter{}
	if _, err := content.AppendContents(nil, content.Contents{BlobReader: r}, current); err == nil || r.closed != 1 {
		t.Errorf("contents without a URI: %v, reader closed %d times", err, r.closed)
	}
}

// closeCounter is an empty reader that counts how often it is closed.
type closeCounter struct {
	strings.Reader
	closed int
}

func (c *closeCounter) Close() error {
	c.closed++
	return nil
}
