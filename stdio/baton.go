package stdio

import (
	"sync/atomic"
	"time"
)

// patience is how long the reader may be busy with something else before another goroutine reads on; at most twice
// that passes.
const patience = 50 * time.Microsecond

// A baton says who reads. Its holder, the reader, lends it out before work that may take long and takes it back
// afterwards. If that does not happen for a while, a new goroutine takes it for good and is the reader from then on.
//
// One timer watches over all turns: it is armed by the first lend and re-arms itself while turns go by, so that a quick
// turn costs two atomic operations.
type baton struct {
	turn  atomic.Uint64 // the lent turn; 0 while the reader holds the baton
	last  uint64        // the latest turn; the reader's own
	armed atomic.Bool   // the timer runs
	timer *time.Timer
	seen  uint64 // the turn at the latest tick; owned by tick
	take  func() // is the new reader
}

func (b *baton) init(take func()) {
	b.take = take
	b.timer = time.AfterFunc(time.Hour, b.tick)
	b.timer.Stop()
}

// lend begins a turn. Only the reader may call it.
func (b *baton) lend() (turn uint64) {
	b.last++
	turn = b.last
	b.turn.Store(turn)
	if !b.armed.Load() && b.armed.CompareAndSwap(false, true) {
		b.timer.Reset(patience)
	}
	return turn
}

// takeBack ends a turn and reports whether the caller is still the reader.
func (b *baton) takeBack(turn uint64) bool {
	return b.turn.CompareAndSwap(turn, 0)
}

// lent reports whether the turn goes on and its goroutine will be the reader after it, as far as one knows.
func (b *baton) lent(turn uint64) bool {
	return turn != 0 && b.turn.Load() == turn
}

// tick runs on a goroutine of the timer's.
func (b *baton) tick() {
	turn := b.turn.Load()
	if turn != 0 && turn == b.seen && b.turn.CompareAndSwap(turn, 0) {
		b.armed.Store(false)
		b.take()
		return
	}
	b.seen = turn
	if turn != 0 {
		b.timer.Reset(patience)
		return
	}
	b.armed.Store(false)
	// A turn that began just now may have seen the timer armed.
	if b.turn.Load() != 0 && b.armed.CompareAndSwap(false, true) {
		b.timer.Reset(patience)
	}
}
