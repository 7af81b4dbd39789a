package content

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

func (b *Body) block(block Block, d Dialect) error {
	switch block := block.(type) {
	case Text:
		b.AppendString(`{"type":"text","text":`)
		b.QuotedString(block.Text)
		return b.ending(block.Annotations, block.Meta, d)
	case Image:
		return b.image(block, d)
	case Audio:
		return b.audioBlock(block, d)
	case Link:
		return b.link(block, d)
	case Embedded:
		return b.embedded(block, d)
	case Raw:
		return b.object(block, "a raw block")
	case Prepared:
		return b.prepared(block, d)
	case nil:
		return errors.New("a block is nil")
	default:
		return fmt.Errorf("a block is a %T; pass the value, not a pointer", block)
	}
}

func (b *Body) image(block Image, d Dialect) error {
	if block.MIMEType == "" {
		block.MIMEType = defaultImage
	}
	b.AppendString(`{"type":"image","data":`)
	if err := b.payload(block.Data, block.Reader); err != nil {
		return fmt.Errorf("an image %w", err)
	}
	b.member("mimeType", block.MIMEType)
	return b.ending(block.Annotations, block.Meta, d)
}

func (b *Body) audioBlock(block Audio, d Dialect) error {
	if block.MIMEType == "" {
		return errors.New("an audio block has no MIME type; set one, for example audio/wav")
	}
	if !d.Audio {
		return b.audioAsResource(block, d)
	}
	b.AppendString(`{"type":"audio","data":`)
	if err := b.payload(block.Data, block.Reader); err != nil {
		return fmt.Errorf("an audio block %w", err)
	}
	b.member("mimeType", block.MIMEType)
	return b.ending(block.Annotations, block.Meta, d)
}

// audioAsResource writes audio for a client that knows blobs only. The URI names
// nothing that could be read; it tells the recordings of one result apart.
func (b *Body) audioAsResource(block Audio, d Dialect) error {
	b.audio++
	uri := "audio:" + strconv.Itoa(b.audio)
	b.AppendString(`{"type":"resource","resource":{"uri":`)
	b.quote(uri)
	b.member("mimeType", block.MIMEType)
	b.AppendString(`,"blob":`)
	if err := b.payload(block.Data, block.Reader); err != nil {
		return fmt.Errorf("an audio block %w", err)
	}
	b.AppendString("}")
	return b.ending(block.Annotations, block.Meta, d)
}

func (b *Body) link(block Link, d Dialect) error {
	if block.URI == "" || block.Name == "" {
		return fmt.Errorf("a link has the URI %q and the name %q; set both", block.URI, block.Name)
	}
	if !d.Links {
		b.AppendString(`{"type":"text","text":`)
		b.quote(block.Name + ": " + block.URI)
		return b.ending(block.Annotations, block.Meta, d)
	}
	b.AppendString(`{"type":"resource_link","uri":`)
	b.quote(block.URI)
	b.member("name", block.Name)
	if d.Titles {
		b.optional("title", block.Title)
	}
	b.optional("description", block.Description)
	b.optional("mimeType", block.MIMEType)
	if d.Icons {
		b.icons(block.Icons)
	}
	if err := b.annotations(block.Annotations, d); err != nil {
		return err
	}
	if block.Size != nil {
		b.AppendString(`,"size":`)
		b.text = strconv.AppendInt(b.text, *block.Size, 10)
	}
	return b.ending(nil, block.Meta, d)
}

func (b *Body) embedded(block Embedded, d Dialect) error {
	b.AppendString(`{"type":"resource","resource":`)
	if err := b.contents(&block.Resource, d); err != nil {
		return err
	}
	return b.ending(block.Annotations, block.Meta, d)
}

func (b *Body) contents(c *Contents, d Dialect) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.URI == "" {
		return errors.New("contents have no URI; set one")
	}
	b.AppendString(`{"uri":`)
	b.quote(c.URI)
	b.optional("mimeType", c.MIMEType)
	switch {
	case c.BlobReader != nil:
		b.AppendString(`,"blob":`)
		b.Base64Reader(c.BlobReader, "")
	case c.Blob != nil:
		b.AppendString(`,"blob":`)
		b.Base64(c.Blob)
	case c.TextReader != nil:
		b.AppendString(`,"text":`)
		b.TextReader(c.TextReader, "")
	default:
		b.AppendString(`,"text":`)
		b.QuotedString(c.Text)
	}
	return b.ending(nil, c.Meta, d)
}

// payload appends the data of an image or a recording.
func (b *Body) payload(data []byte, r io.Reader) error {
	if r == nil {
		b.Base64(data)
		return nil
	}
	if len(data) > 0 {
		return errors.New("has both Data and Reader; set one")
	}
	b.Base64Reader(r, "")
	return nil
}
