package content

import (
	"encoding/json"
	"fmt"
	"io"
)

// Contents is what a resource holds: text or binary data. It stands in an
// [Embedded] block and in the result of resources/read.
//
// At most one of Text, Blob, TextReader and BlobReader is set; with none, the
// contents are the empty text.
type Contents struct {
	URI      string // required
	MIMEType string // empty: unknown

	// Text is the text of the resource. Bytes that are not UTF-8 travel as U+FFFD.
	Text string
	// Blob is binary data, not yet encoded; not nil, but empty, is an empty blob.
	// It must not change until the body is written.
	Blob []byte
	// TextReader streams text, BlobReader binary data.
	TextReader, BlobReader io.Reader

	Meta json.RawMessage // _meta, a JSON object; nil: none
}

// TextContents makes contents of text.
func TextContents(uri, mimeType, text string) Contents {
	return Contents{URI: uri, MIMEType: mimeType, Text: text}
}

// BlobContents makes contents of binary data; nil data is an empty blob.
func BlobContents(uri, mimeType string, data []byte) Contents {
	if data == nil {
		data = []byte{}
	}
	return Contents{URI: uri, MIMEType: mimeType, Blob: data}
}

// check refuses contents that say two things at once.
func (c *Contents) check() error {
	set := 0
	for _, given := range [...]bool{c.Text != "", c.Blob != nil, c.TextReader != nil, c.BlobReader != nil} {
		if given {
			set++
		}
	}
	if set > 1 {
		return fmt.Errorf("contents of %q have %d of Text, Blob, TextReader and BlobReader; set one", c.URI, set)
	}
	return nil
}

// discard closes the readers of contents that will not be appended to a body.
func (c *Contents) discard() {
	closeReader(c.TextReader)
	closeReader(c.BlobReader)
}
