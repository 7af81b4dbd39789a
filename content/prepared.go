package content

import (
	"errors"
	"fmt"
)

// Prepared is a block that was encoded ahead by [Prepare], for pictures and
// texts that are sent again and again. The zero value is refused when it is
// appended. It is immutable and may be used by any number of goroutines.
type Prepared struct{ made *preparation }

type preparation struct {
	block  Block  // as it was given
	json   []byte // in the full dialect; nothing writes to it
	always bool   // every dialect has the same JSON
}

func (Prepared) isBlock() {}

// Prepare checks and encodes block once. A body to which the result is appended
// refers to the encoded block, if it has more than 16 KiB, and neither encodes nor copies it.
// Clients of an older dialect get the same bytes when nothing in the block
// depends on the dialect, as in a picture without _meta; otherwise block is encoded for them in each message.
//
// Prepare keeps block and its encoding in memory; the data of block must not
// change any more. A reader is refused and closed, because it can be read only once.
func Prepare(block Block) (Prepared, error) {
	if prepared, done := block.(Prepared); done && prepared.made != nil {
		return prepared, nil
	}
	var b Body
	defer b.Close()
	if err := b.AppendBlock(block, FullDialect()); err != nil {
		return Prepared{}, err
	}
	if b.Streams() {
		return Prepared{}, errors.New("content: a block with a reader cannot be prepared; read it into Data, Text or Blob first")
	}
	full, err := b.AppendTo(nil)
	if err != nil {
		return Prepared{}, fmt.Errorf("content: %w", err)
	}
	oldest, err := AppendBlock(nil, block, Dialect{})
	always := err == nil && string(oldest) == string(full) // the parts of a dialect add up, so there is nothing between
	return Prepared{&preparation{block: block, json: full, always: always}}, nil
}

func (b *Body) prepared(block Prepared, d Dialect) error {
	switch made := block.made; {
	case made == nil:
		return errors.New("a prepared block is empty; make it with Prepare")
	case made.always || d == FullDialect():
		b.Shared(made.json)
		return nil
	default:
		return b.block(made.block, d)
	}
}
