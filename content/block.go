package content

import (
	"encoding/json"
	"fmt"
	"io"
)

// Block is one content block of a tool result, a prompt message or a sampling
// message. The blocks are [Text], [Image], [Audio], [Link], [Embedded], [Raw]
// and [Prepared], always as values: a pointer to one is refused when it is appended.
type Block interface{ isBlock() }

// Text is a text block. Bytes that are not UTF-8 travel as U+FFFD.
type Text struct {
	Text        string
	Annotations *Annotations    // nil: none
	Meta        json.RawMessage // _meta, a JSON object; nil: none
}

// Image is an image block.
type Image struct {
	// Data is the picture, not yet encoded. It must not change until the body is written.
	Data []byte
	// Reader streams the picture instead; Data must then be empty.
	Reader io.Reader
	// MIMEType is image/png when empty.
	MIMEType    string
	Annotations *Annotations    // nil: none
	Meta        json.RawMessage // _meta, a JSON object; nil: none
}

// Audio is an audio block.
type Audio struct {
	// Data is the recording, not yet encoded. It must not change until the body is written.
	Data []byte
	// Reader streams the recording instead; Data must then be empty.
	Reader io.Reader
	// MIMEType is required, for example audio/wav.
	MIMEType    string
	Annotations *Annotations    // nil: none
	Meta        json.RawMessage // _meta, a JSON object; nil: none
}

// Link is a resource_link block: a resource that the client may read.
type Link struct {
	URI         string // required
	Name        string // required
	Title       string
	Description string
	MIMEType    string
	Icons       []Icon
	Annotations *Annotations // nil: none
	// Size is the size of the resource in bytes, before any encoding; nil: unknown.
	Size *int64
	Meta json.RawMessage // _meta, a JSON object; nil: none
}

// Embedded is a resource block: a resource that travels inside the result.
type Embedded struct {
	Resource    Contents
	Annotations *Annotations    // nil: none
	Meta        json.RawMessage // _meta of the block, a JSON object; nil: none
}

// Raw is the finished JSON object of a block. It is checked, stripped of
// insignificant white space and otherwise passed through for every client.
type Raw json.RawMessage

func (Text) isBlock()     {}
func (Image) isBlock()    {}
func (Audio) isBlock()    {}
func (Link) isBlock()     {}
func (Embedded) isBlock() {}
func (Raw) isBlock()      {}

// NewText makes a text block of s.
func NewText(s string) Text { return Text{Text: s} }

// Textf makes a text block with fmt.Sprintf.
func Textf(format string, args ...any) Text {
	return Text{Text: fmt.Sprintf(format, args...)}
}

// PNG makes an image block of a PNG picture.
func PNG(data []byte) Image { return Image{Data: data, MIMEType: defaultImage} }

// NewLink makes a link to uri. A client shows the name.
func NewLink(name, uri string) Link { return Link{URI: uri, Name: name} }

// Embed makes a block that carries c.
func Embed(c Contents) Embedded { return Embedded{Resource: c} }

const defaultImage = "image/png"

// Discard closes the readers of blocks that will not be appended to a body.
func Discard(blocks ...Block) {
	for _, block := range blocks {
		switch block := block.(type) {
		case Image:
			closeReader(block.Reader)
		case Audio:
			closeReader(block.Reader)
		case Embedded:
			block.Resource.discard()
		case *Image:
			discardPointer(block)
		case *Audio:
			discardPointer(block)
		case *Embedded:
			discardPointer(block)
		}
	}
}

// discardPointer serves blocks that were refused for being pointers.
func discardPointer[B Image | Audio | Embedded](block *B) {
	if block != nil {
		Discard(any(*block).(Block))
	}
}
