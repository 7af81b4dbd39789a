package content

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendBlock appends block as a client of dialect d understands it. On an error
// the body is as it was, and the readers of block are closed.
func (b *Body) AppendBlock(block Block, d Dialect) error {
	start := b.mark()
	if err := b.block(block, d); err != nil {
		b.rollBack(start)
		Discard(block)
		return fmt.Errorf("content: %w", err)
	}
	b.closeBlock(start)
	return nil
}

// AppendBlocks appends blocks as a JSON array. On an error, which says the index
// of the block, the body is as it was, and the readers of all blocks are closed.
func (b *Body) AppendBlocks(blocks []Block, d Dialect) error {
	start := b.mark()
	b.text = append(b.text, '[')
	for i, block := range blocks {
		if i > 0 {
			b.text = append(b.text, ',')
		}
		from := b.mark()
		if err := b.block(block, d); err != nil {
			b.rollBack(start)
			Discard(blocks...)
			return fmt.Errorf("content: block %d: %w", i, err)
		}
		b.closeBlock(from)
	}
	b.text = append(b.text, ']')
	return nil
}

// AppendContents appends the contents of a resource as a client of dialect d
// understands them. On an error the body is as it was, and the readers of c are closed.
func (b *Body) AppendContents(c Contents, d Dialect) error {
	start := b.mark()
	if err := b.contents(&c, d); err != nil {
		b.rollBack(start)
		c.discard()
		return fmt.Errorf("content: %w", err)
	}
	b.closeBlock(start)
	return nil
}

// AppendBlock appends block to dst at once, reading its reader to the end.
func AppendBlock(dst []byte, block Block, d Dialect) ([]byte, error) {
	var b Body
	if err := b.AppendBlock(block, d); err != nil {
		return dst, err
	}
	return b.AppendTo(dst)
}

// AppendContents appends c to dst at once, reading its reader to the end.
func AppendContents(dst []byte, c Contents, d Dialect) ([]byte, error) {
	var b Body
	if err := b.AppendContents(c, d); err != nil {
		return dst, err
	}
	return b.AppendTo(dst)
}

// mark is a state of a body to which it can be rolled back.
type mark struct{ text, sources, audio int }

func (b *Body) mark() mark { return mark{len(b.text), len(b.sources), b.audio} }

func (b *Body) rollBack(m mark) {
	clear(b.sources[m.sources:])
	b.text, b.sources, b.audio = b.text[:m.text], b.sources[:m.sources], m.audio
}

// closeBlock makes the rest of a block the tail of its source. A block has one
// source at most, because only its payload is ever referenced.
func (b *Body) closeBlock(m mark) {
	if len(b.sources) > m.sources {
		b.sources[m.sources].tail = len(b.text)
	}
}

// ending appends what every block and contents may end with, and the closing brace.
func (b *Body) ending(a *Annotations, meta json.RawMessage, d Dialect) error {
	if err := b.annotations(a, d); err != nil {
		return err
	}
	if len(meta) > 0 && d.Meta {
		b.AppendString(`,"_meta":`)
		if err := b.object(meta, "_meta"); err != nil {
			return err
		}
	}
	b.AppendString("}")
	return nil
}

func (b *Body) member(name, value string) {
	b.AppendString(`,"` + name + `":`)
	b.quote(value)
}

func (b *Body) optional(name, value string) {
	if value != "" {
		b.member(name, value)
	}
}

// object appends a JSON object that was handed in. It is compacted, because a
// line break would end the message on a transport of lines.
func (b *Body) object(raw []byte, what string) error {
	start := len(b.text)
	text, err := jsontext.AppendFormat(b.text, raw, jsontext.PreserveRawStrings(true))
	if err != nil {
		return fmt.Errorf("%s is not valid JSON: %w", what, err)
	}
	if text[start] != '{' {
		return fmt.Errorf("%s is not a JSON object but %.20s; pass an object", what, text[start:])
	}
	b.text = text
	return nil
}
