package content

import (
	"errors"
	"io"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

const (
	// referencedAbove is the length above which a value is not copied into a body.
	referencedAbove = 16 << 10
	// keptText and keptSources bound what Reset keeps, beside one read buffer:
	// 12 + 16 KiB and 24 sources stay under 64 KiB.
	keptText    = 16 << 10
	keptSources = 24
)

var errSpent = errors.New("the readers of this body were read before; build a new body")

// Body is JSON text under construction. Values above 16 KiB that are given to
// Shared, QuotedString, QuotedBytes, Base64 or in a block are referenced, not
// copied, and encoded while the body is written, or when its Size is asked for;
// they must not change before it is written.
// Readers are read while the body is written. The zero value is empty and ready
// for use. A body belongs to one goroutine at a time.
type Body struct {
	text       []byte   // what is not in sources
	sources    []source // ascending by at
	failureEnd func(dst []byte, err error) []byte
	guard      guard
	spent      bool // readers were read
	audio      int  // audio blocks that became resources
	raw        []byte
	held       held
}

// Shared appends JSON text as it is. It must be valid.
func (b *Body) Shared(text []byte) {
	if len(text) <= referencedAbove {
		b.Append(text)
		return
	}
	b.sources = append(b.sources, source{at: len(b.text), tail: len(b.text), form: plainJSON, data: text})
}

// AvailableBuffer returns an empty slice for append-style functions; pass what
// they return to [Body.Append] before anything else is appended.
func (b *Body) AvailableBuffer() []byte { return b.text[len(b.text):] }

// Append appends JSON text as it is.
func (b *Body) Append(text []byte) { b.text = append(b.text, text...) }

// AppendString appends JSON text as it is.
func (b *Body) AppendString(text string) { b.text = append(b.text, text...) }

// QuotedString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func (b *Body) QuotedString(s string) {
	if len(s) <= referencedAbove {
		b.quote(s)
		return
	}
	b.enclose(source{text: s})
}

// QuotedBytes is QuotedString for bytes.
func (b *Body) QuotedBytes(text []byte) {
	if len(text) > referencedAbove {
		b.enclose(source{data: text})
		return
	}
	b.text = append(b.text, '"')
	b.text = jsonstring.AppendEscaped(b.text, text)
	b.text = append(b.text, '"')
}

// Base64 appends data as a JSON string in standard padded base64 without line breaks.
func (b *Body) Base64(data []byte) {
	if len(data) > referencedAbove {
		b.enclose(source{form: base64Data, data: data})
		return
	}
	b.text = append(b.text, '"')
	b.text = appendBase64(b.text, data)
	b.text = append(b.text, '"')
}

// Base64Reader appends what r will deliver as a JSON string in standard padded
// base64, followed by tail: JSON text that closes the value in which the string
// stands. If r fails, tail is the last thing written before the failure end.
func (b *Body) Base64Reader(r io.Reader, tail string) {
	b.enclose(source{form: base64Data, reader: r})
	b.closeWith(tail)
}

// TextReader appends what r will deliver as a JSON string, followed by tail: JSON
// text that closes the value in which the string stands. If r fails, tail is the
// last thing written before the failure end. Bytes that are not UTF-8 become U+FFFD.
func (b *Body) TextReader(r io.Reader, tail string) {
	b.enclose(source{reader: r})
	b.closeWith(tail)
}

// quote appends s as a JSON string, whatever its length.
func (b *Body) quote(s string) {
	b.text = jsonstring.AppendQuoted(b.text, s)
}

func (b *Body) enclose(s source) {
	b.text = append(b.text, '"')
	s.at = len(b.text)
	b.text = append(b.text, '"')
	s.tail = len(b.text)
	b.sources = append(b.sources, s)
}

func (b *Body) closeWith(tail string) {
	b.text = append(b.text, tail...)
	b.sources[len(b.sources)-1].tail = len(b.text)
}

// SetFailureEnd says how a message ends when a reader fails midway: end appends
// the JSON text that follows the closed value of the failed reader, in place of
// everything else that the body holds. err is a [*SourceError]. Without it, a
// message breaks off where the reader failed.
func (b *Body) SetFailureEnd(end func(dst []byte, err error) []byte) { b.failureEnd = end }

// SetLimit bounds the encoded message in bytes as far as readers carry it: a reader
// that passes the limit, give or take one read of 12 KiB, fails with [ErrTooLarge].
// 0, the default, is no bound.
func (b *Body) SetLimit(bytes int) { b.guard.limit = bytes }

// StopWhen has check asked before every read; an error of it is a failure of the
// reader whose turn it is. A context's Err is such a check. nil: never.
func (b *Body) StopWhen(check func() error) { b.guard.stop = check }

// Close closes the readers that have not been read to their end. A body that is
// not written must be closed; closing again does nothing.
func (b *Body) Close() {
	for i := range b.sources {
		if b.sources[i].reader != nil {
			b.spent = true
			b.sources[i].close()
		}
	}
}

// Reset closes the body and empties it for another message. It keeps less than 64 KiB.
func (b *Body) Reset() {
	b.Close()
	b.held.release()
	clear(b.sources)
	kept := Body{text: b.text[:0], sources: b.sources[:0], raw: b.raw, held: b.held}
	if cap(kept.text) > keptText {
		kept.text = nil
	}
	if cap(kept.sources) > keptSources {
		kept.sources = nil
	}
	*b = kept
}
